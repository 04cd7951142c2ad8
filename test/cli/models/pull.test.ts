/** `rawcall models pull` and what hangs on it, with a hub in miniature: as the user sees it, in processes of their own. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { builtCli } from '../../../scripts/build-if-needed.mjs';
import { practiceModel } from '../../engine/practice.ts';
import { type Fault, startHub } from '../../store/hub.ts';
import { type Outcome, outcome, rawcall, start, temporaryFolder } from '../rawcall.ts';
import { onTerminal } from '../terminal.ts';

const model = readFileSync(practiceModel);
const digest = createHash('sha256').update(model).digest('hex');
const calc = ['--mcp-command', process.execPath, '--mcp-args', `"${builtCli}" mcp-server calc`];

async function place(fault: Fault = {}) {
  const hub = await startHub();
  const folder = temporaryFolder();
  hub.put('org/repo', 'tiny-Q8_0.gguf', model, fault);
  const catalog = path.join(folder, 'catalog.yaml');
  writeFileSync(
    catalog,
    `models:
  - name: tiny
    title: Tiny
    makers: nobody
    licence: { name: MIT }
    parameters: 2400000
    context: 2048
    format: qwen
    files:
      Q8_0:
        sources: ['hf:org/repo:tiny-Q8_0.gguf']
`,
  );
  const store = path.join(folder, 'store');
  const env = {
    RAWCALL_STORE: store,
    HF_ENDPOINT: hub.endpoint,
    HF_HOME: path.join(folder, 'hf'),
    HOME: folder,
  };
  return {
    hub,
    folder,
    store,
    fault,
    env,
    catalog,
    files: () => readdirSync(path.join(store, 'tiny')).sort(),
    start: (...args: string[]) => start([...args, '--catalog', catalog], { env }),
    models: (...args: string[]): Promise<Outcome> =>
      rawcall(['models', ...args, '--catalog', catalog], { env }),
    run: (...args: string[]): Promise<Outcome> =>
      rawcall(['run', 'What is 31 plus 11?', ...calc, '--approve', 'auto', '--catalog', catalog, ...args], {
        env,
      }),
  };
}

test('pulled, found, verified and removed', async () => {
  const { models, run, store, files } = await place();
  const file = path.join(store, 'tiny', 'tiny-Q8_0.gguf');
  const missing = await run('--model', 'tiny');
  expect(missing).toMatchObject({ code: 2, stdout: '' });
  expect(missing.stderr).toContain('rawcall models pull tiny');
  expect((await models('path', 'tiny')).code).toBe(1);

  const pulled = await models('pull', 'tiny');
  expect(pulled.code).toBe(0);
  expect(pulled.stdout).toBe(`tiny:Q8_0, 2.6 MB, with the SHA-256 that the hub declared: ${file}\n`);
  expect(readFileSync(file).equals(model)).toBe(true);
  expect((await models('path', 'tiny:q8_0')).stdout).toBe(`${file}\n`);
  expect((await models('pull', 'tiny')).stdout).toContain('is here already');
  expect((await models('verify')).stdout).toBe('✓ tiny:Q8_0, with the SHA-256 that the hub declared\n');

  const edited = Buffer.from(model);
  edited[edited.length - 1]! ^= 1;
  writeFileSync(file, edited);
  const damaged = await models('verify', 'tiny', '--json');
  expect(damaged.code).toBe(1);
  expect(damaged.json()).toMatchObject([
    { name: 'tiny', fine: false, damages: [{ file: { sha256: digest } }] },
  ]);

  expect((await models('remove', 'tiny')).stdout).toBe('Removed tiny:Q8_0: 2.6 MB are free again.\n');
  expect(files).toThrow('ENOENT');
  expect((await models('remove', 'tiny')).code).toBe(1);
});

test('--yes pulls on first use, and says so on stderr alone; then the name is enough', async () => {
  const { run, files } = await place();
  const { stdout, stderr, code } = await run('--model', 'tiny', '--yes');
  expect({ code, stdout: stdout.trim() }).toMatchObject({ code: 0, stdout: expect.stringContaining('42') });
  expect(stderr).toContain('tiny:Q8_0 from hf:org/repo:tiny-Q8_0.gguf');
  expect(files()).toEqual(['tiny-Q8_0.gguf', 'tiny-Q8_0.json']);
  expect(await run('--model', 'tiny')).toMatchObject({ code: 0, stdout: expect.stringContaining('42') });
});

test('on a terminal it is asked whether to pull, and the rate and the time left are shown', async () => {
  const { catalog, env, folder, files } = await place({ slow: 30 });
  const run = `run "Hi" --model tiny --catalog ${catalog} --no-record`;
  const no = await onTerminal(run, [[/Pull it \(.*\)\?/, 'n\n']], folder, env);
  expect(no.code).toBe(2);
  expect(no.shown).toContain('rawcall models pull tiny');
  expect(files).toThrow('ENOENT');

  const yes = await onTerminal(run, [[/tiny is not here\. Pull it/, 'y\n']], folder, env);
  expect(yes.code).not.toBe(2);
  expect(yes.shown).toMatch(/tiny:Q8_0: \d.* of 2\.6 MB, \d+ %, .*\/s, \d+ s left/);
  expect(files()).toEqual(['tiny-Q8_0.gguf', 'tiny-Q8_0.json']);
});

test('a config names a model of the catalog, or a file beside itself', async () => {
  const { catalog, env, folder } = await place();
  const config = path.join(folder, 'rawcall.json');
  const asked = async (model: string) => {
    writeFileSync(config, JSON.stringify({ model, catalog }));
    return (await rawcall(['run', 'Hi'], { cwd: folder, env })).stderr;
  };
  expect(await asked('tiny')).toContain('tiny is not on this machine');
  expect(await asked('tiny.gguf')).toContain(`The model ${path.join(folder, 'tiny.gguf')} does not exist`);
});

test('a file of the hub that no catalog has is pulled and used by its address', async () => {
  const { models } = await place();
  const pulled = await models('pull', 'hf:org/repo:tiny-Q8_0.gguf', '--json');
  expect(pulled.json().at(-1)).toMatchObject({ type: 'pull-end', name: 'org.tiny', quantisation: 'Q8_0' });
  expect((await models('path', 'hf:org/repo:tiny-Q8_0.gguf')).stdout).toMatch(/org\.tiny-Q8_0\.gguf\n$/);
  expect((await models('remove', 'org.tiny')).code).toBe(0);
});

/** Some of the file has come, and more would. */
async function underWay(files: () => string[], store: string): Promise<void> {
  await vi.waitFor(() => {
    const part = files().find(name => name.endsWith('.part')) ?? '';
    expect(readFileSync(path.join(store, 'tiny', part)).length).toBeGreaterThan(200_000);
  }, 60_000);
}

test('Ctrl-C keeps what has come, says so, and the next pull goes on with it', async () => {
  const { start, models, files, store, hub, fault } = await place({ slow: 100 });
  const child = start('models', 'pull', 'tiny');
  const ended = outcome(child);
  await underWay(files, store);
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect(code).toBe(130);
  expect(stderr).toMatch(
    /Stopped at \d+ [kM]B of 2\.6 MB\. What has come is kept\. Go on with: rawcall models pull tiny\n/,
  );
  expect(files()).toEqual([expect.stringMatching(/\.part$/)]);

  fault.slow = 0;
  const before = hub.sent;
  expect((await models('pull', 'tiny')).code).toBe(0);
  expect(hub.sent - before).toBeLessThan(model.length - 150_000);
});

test('a process that was killed leaves a part that the next one goes on with, and no lock that holds it up', async () => {
  const { start, models, files, store, hub, fault } = await place({ slow: 100 });
  const child = start('models', 'pull', 'tiny');
  const ended = outcome(child);
  await underWay(files, store);
  child.kill('SIGKILL');
  await ended;
  expect(files()).toContain('tiny-Q8_0.lock');

  fault.slow = 0;
  const before = hub.sent;
  expect((await models('pull', 'tiny')).code).toBe(0);
  expect(hub.sent - before).toBeLessThan(model.length - 150_000);
  expect(files()).toEqual(['tiny-Q8_0.gguf', 'tiny-Q8_0.json']);
});

test('of two processes that pull one model, the second waits for the first', async () => {
  const { start, models, files, store, hub, fault } = await place({ slow: 50 });
  const first = outcome(start('models', 'pull', 'tiny'));
  await underWay(files, store);
  const second = models('pull', 'tiny');
  fault.slow = 20;
  const [one, two] = await Promise.all([first, second]);
  expect([one.code, two.code]).toEqual([0, 0]);
  expect(hub.sent).toBe(model.length);
  expect(readFileSync(path.join(store, 'tiny', 'tiny-Q8_0.gguf')).equals(model)).toBe(true);
});

test('a disk that is full is told, and what has come is gone on with once there is room', async () => {
  const { env, catalog, files, folder, models, hub, store } = await place();
  // As a disk would, this lets no file grow beyond a mebibyte; the unit of bash is a kibibyte.
  const limited = (...args: string[]) => {
    const command = `ulimit -f 1024; exec "$0" "$@" --catalog "${catalog}"`;
    const words = ['-c', command, process.execPath, builtCli, 'models', ...args];
    return promisify(execFile)('bash', words, { env: { ...process.env, ...env } }).then(
      () => undefined,
      (error: { code: number; stderr: string }) => error,
    );
  };
  const own = path.join(folder, 'Mine-Q8_0.gguf');
  writeFileSync(own, model);
  const notImported = await limited('import', own);
  expect(notImported).toMatchObject({ code: 1, stderr: expect.stringMatching(/not enough room in .*store/) });
  expect(readdirSync(store)).toEqual([]);

  const full = await limited('pull', 'tiny');
  expect(full?.code).toBe(1);
  expect(full?.stderr).toMatch(/not enough room in .*store/);
  expect(full?.stderr).toContain('RAWCALL_STORE');
  expect(files()).toEqual([expect.stringMatching(/\.part$/)]);

  const before = hub.sent;
  expect((await models('pull', 'tiny')).code).toBe(0);
  expect(hub.sent - before).toBe(model.length - 1024 ** 2);
});

test('a store that is no folder, and a size that no disk holds, are told before anything comes', async () => {
  const { models, store, catalog, hub, env } = await place();
  writeFileSync(store, 'a file');
  expect(await models('pull', 'tiny')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot be written'),
  });

  const nowhere = await rawcall(['models', 'pull', 'tiny', '--catalog', catalog], {
    env: { ...env, RAWCALL_STORE: '/proc/models' },
  });
  if (process.platform === 'linux')
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('RAWCALL_STORE') });

  const huge = readFileSync(catalog, 'utf8').replace(
    '        sources:',
    `        bytes: ${10 ** 15}\n        sources:`,
  );
  writeFileSync(catalog, huge.replace('hf:org/repo:tiny-Q8_0.gguf', `${hub.plain('huge.gguf', model)}`));
  expect((await models('pull', 'tiny')).code).toBe(1);
  expect(hub.sent).toBe(0);
});

test('a file of one’s own is imported, and known by its digest where the catalog has it', async () => {
  const { models, catalog, folder } = await place();
  const own = path.join(folder, 'Mine-Q8_0.gguf');
  writeFileSync(own, model);
  const imported = await models('import', own, '--json');
  expect(imported.json()).toMatchObject([{ name: 'mine', quantisation: 'Q8_0', voucher: 'nobody' }]);
  expect((await models('path', 'mine')).stdout).toMatch(/mine-Q8_0\.gguf\n$/);
  expect((await models('import', own, '--name', 'Not A Name')).code).toBe(2);

  const pinned = `bytes: ${model.length}\n        sha256: ${digest}\n        sources:`;
  writeFileSync(catalog, readFileSync(catalog, 'utf8').replace('sources:', pinned));
  const moved = await models('import', own, '--move', '--json');
  expect(moved.json()).toMatchObject([{ name: 'tiny', quantisation: 'Q8_0', voucher: 'catalog' }]);
  expect(existsSync(own)).toBe(false);

  const other = path.join(folder, 'mine-Q8_0.gguf');
  const edited = Buffer.from(model);
  edited[edited.length - 1]! ^= 1;
  writeFileSync(other, edited);
  expect(await models('import', other)).toMatchObject({ code: 2, stderr: expect.stringContaining('--name') });
});

test('a file is not imported under a name of the catalog that is for another one', async () => {
  const { models, catalog, folder } = await place();
  const pinned = `bytes: ${model.length}\n        sha256: ${digest}\n        sources:`;
  writeFileSync(catalog, readFileSync(catalog, 'utf8').replace('sources:', pinned));
  const edited = Buffer.from(model);
  edited[edited.length - 1]! ^= 1;
  const other = path.join(folder, 'Tiny-Q8_0.gguf');
  writeFileSync(other, edited);
  const why = `the catalog has another SHA-256 for it (${digest.slice(0, 12)}…, and here it is `;
  for (const flags of [[], ['--name', 'tiny'], ['--name', 'tiny:q8_0']])
    expect(await models('import', other, ...flags)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(why),
    });
  expect(await models('import', other, '--name', 'tiny:Q4_0')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'is not tiny:Q4_0: the catalog has Q8_0 of it. Give it a name of its own',
    ),
  });
  expect((await models('path', 'tiny')).code).not.toBe(0);
  expect((await models('import', other, '--name', 'tinier')).code).toBe(0);
});

test('what other programs have downloaded is used where it lies', async () => {
  const { models, folder, hub, catalog } = await place();
  const snapshots = path.join(folder, 'hf', 'hub', 'models--org--repo', 'snapshots', 'abc');
  const blob = path.join(folder, 'hf', 'hub', 'models--org--repo', 'blobs', digest);
  mkdirSync(path.dirname(blob), { recursive: true });
  mkdirSync(snapshots, { recursive: true });
  symlinkSync(path.join('..', '..', 'blobs', digest), path.join(snapshots, 'tiny-Q8_0.gguf'));
  // The link is there, what it leads to is not.
  expect((await models('path', 'tiny')).code).toBe(1);
  writeFileSync(blob, model);
  expect((await models('path', 'tiny', '--json')).json()).toEqual([
    { path: path.join(snapshots, 'tiny-Q8_0.gguf'), of: 'Hugging Face' },
  ]);

  const studio = path.join(folder, '.lmstudio', 'models', 'org', 'repo');
  mkdirSync(studio, { recursive: true });
  writeFileSync(path.join(studio, 'other-Q8_0.gguf'), model);
  const plain = readFileSync(catalog, 'utf8');
  writeFileSync(catalog, plain.replace('tiny-Q8_0.gguf', 'other-Q8_0.gguf'));
  expect((await models('path', 'tiny', '--json')).json()[0]).toMatchObject({ of: 'LM Studio' });

  const blobs = path.join(folder, '.ollama', 'models', 'blobs');
  mkdirSync(blobs, { recursive: true });
  writeFileSync(path.join(blobs, `sha256-${digest}`), model);
  const pinned = `bytes: ${model.length}\n        sha256: ${digest}\n        sources: ['https://localhost/none.gguf']`;
  writeFileSync(catalog, plain.replace(/sources: .*/, pinned));
  expect((await models('path', 'tiny', '--json')).json()[0]).toMatchObject({ of: 'Ollama' });
  expect((await models('pull', 'tiny')).stdout).toContain('is here already (Ollama)');
  expect(hub.asked).toEqual([]);
});
