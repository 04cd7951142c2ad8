/** A store that may not be written or read: said, nothing lost, and gone on with once it may. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { builtCli } from '../../../scripts/build-if-needed.mjs';
import { practiceModel } from '../../engine/practice.ts';
import { startHub } from '../../store/hub.ts';
import { type Outcome, outcome, temporaryFolder } from '../rawcall.ts';

const model = readFileSync(practiceModel);

/** Root may write and read everything, whatever a folder says; on Linux it can do without that. */
const likeOthers =
  process.getuid?.() === 0
    ? ['setpriv', '--inh-caps=-all', '--bounding-set=-dac_override,-dac_read_search']
    : [];
const isLikeOthers =
  process.platform !== 'win32' &&
  (likeOthers.length === 0 || spawnSync(likeOthers[0]!, [...likeOthers.slice(1), 'true']).status === 0);
if (!isLikeOthers)
  console.warn('SKIPPED: permissions cannot be tried here; run the tests as a user who is not root.');

async function place() {
  const folder = temporaryFolder();
  const hub = await startHub();
  const fault = hub.put('org/repo', 'tiny-Q8_0.gguf', model);
  const store = path.join(folder, 'store');
  const inner = path.join(store, 'org.tiny');
  const env = {
    ...process.env,
    RAWCALL_STORE: store,
    RAWCALL_CACHE: path.join(folder, 'cache'),
    RAWCALL_DATA: path.join(folder, 'data'),
    HF_ENDPOINT: hub.endpoint,
    HF_HOME: path.join(folder, 'hf'),
  };
  const models = (...args: string[]): Promise<Outcome> => {
    const [command = '', ...rest] = [...likeOthers, process.execPath, builtCli, 'models', ...args];
    const child = spawn(command, rest, { cwd: folder, env, stdio: 'pipe' });
    child.stdin.end();
    return outcome(child);
  };
  return {
    hub,
    fault,
    folder,
    store,
    inner,
    models,
    pull: () => models('pull', 'hf:org/repo:tiny-Q8_0.gguf'),
  };
}

/** Until it is undone, or the test ends. */
function forbid(file: string, mode: number): () => void {
  const before = statSync(file).mode;
  chmodSync(file, mode);
  const undo = () => {
    if (existsSync(file)) chmodSync(file, before);
  };
  // Whoever deletes the folder has to be let.
  onTestFinished(undo);
  return undo;
}

describe.skipIf(!isLikeOthers)('as a user who may not do everything', () => {
  test('a store that may not be made is told before anything is fetched, and leaves nothing', async () => {
    const { folder, inner, hub, pull } = await place();
    const allow = forbid(folder, 0o555);
    expect(await pull()).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`${inner} cannot be written (EACCES). Let the folder be written to`),
    });
    expect([readdirSync(folder), hub.sent]).toEqual([[], 0]);
    allow();
    expect((await pull()).code).toBe(0);
  });

  test('a download whose folder is closed meanwhile keeps what has come, and none of it is fetched again', async () => {
    const { inner, fault, hub, pull } = await place();
    fault.slow = 30;
    const pulling = pull();
    await vi.waitFor(() => expect(hub.sent).toBeGreaterThan(200_000), 60_000);
    const allow = forbid(inner, 0o555);
    expect(await pulling).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\.gguf cannot be written \(EACCES\)/),
    });
    expect(readdirSync(inner)).toContainEqual(expect.stringMatching(/\.part$/));
    expect((await pull()).stderr).toContain('cannot be written (EACCES)');
    allow();
    expect((await pull()).code).toBe(0);
    expect(hub.sent).toBe(model.length);
    expect(readdirSync(inner).sort()).toEqual(['org.tiny-Q8_0.gguf', 'org.tiny-Q8_0.json']);
  });

  test('what may not be removed stays a model', async () => {
    const { inner, models, pull } = await place();
    expect((await pull()).code).toBe(0);
    const allow = forbid(inner, 0o555);
    const refused = await models('remove', 'org.tiny');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\.json cannot be written \(EACCES\)/),
    });
    expect((await models('verify')).stdout).toContain('✓ org.tiny:Q8_0');
    allow();
    expect((await models('remove', 'org.tiny')).code).toBe(0);
  });

  test('what may not be read is not taken for absent', async () => {
    const { store, inner, models, pull } = await place();
    expect((await pull()).code).toBe(0);
    for (const folder of [store, inner]) {
      const allow = forbid(folder, 0o000);
      for (const args of [['list'], ['verify'], ['path', 'org.tiny'], ['remove', 'org.tiny']])
        expect(await models(...args), args[0]).toMatchObject({
          code: 1,
          stdout: '',
          stderr: expect.stringContaining(`${folder} cannot be read (EACCES)`),
        });
      allow();
    }
  });

  test('a model that may not be read is told as that, and not as missing', async () => {
    const { inner, models, pull } = await place();
    expect((await pull()).code).toBe(0);
    const file = path.join(inner, 'org.tiny-Q8_0.gguf');
    forbid(file, 0o000);
    for (const args of [['verify'], ['inspect', file], ['import', file]])
      expect(await models(...args), args[0]).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`The model ${file} cannot be read: this user may not.`),
      });
  });

  test('a folder in the store that is nobody’s model is left alone', async () => {
    const { store, models, pull } = await place();
    expect((await pull()).code).toBe(0);
    mkdirSync(path.join(store, 'lost+found'));
    forbid(path.join(store, 'lost+found'), 0o000);
    expect((await models('verify')).stdout).toBe('✓ org.tiny:Q8_0, with the SHA-256 that the hub declared\n');
  });
});
