// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of a config, and the text of a script.
/** How servers start, talk, fail and end. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { type Host, openHost } from '../../src/mcp/host.ts';
import { disposable, fixture, readySet } from './helpers.ts';

const names = (host: Host) => host.tools.map(tool => tool.name);
const temporaryFile = (name: string) => join(mkdtempSync(join(tmpdir(), 'rawcall-')), name);
const states = (host: Host) => host.servers.map(server => server.state);

describe('a server that is slow to start', () => {
  test('holds nobody up, goes on in the background and joins', async () => {
    const file = temporaryFile('go');
    const servers = [fixture('slow-start', file), fixture('named', 'n', 'quick')];
    await using host = await readySet(servers, { startTimeout: 500 });
    expect(host.servers[0]).toMatchObject({
      state: 'starting',
      reason: 'it is not ready after 0.5 s. It goes on starting; its tools join when it is',
    });
    await vi.waitFor(() => expect(names(host)).toEqual(['quick']), { timeout: 30_000 });
    writeFileSync(file, '');
    await vi.waitFor(() => expect(names(host)).toEqual(['slow', 'quick']), { timeout: 30_000 });
    expect(states(host)).toEqual(['ready', 'ready']);
    expect(host.servers[0]).not.toHaveProperty('reason');
  });

  test('is given up in the end, with its last words', async () => {
    await using host = await readySet([fixture('silent')], { startLimit: 8000 });
    expect(host.servers[0]).toMatchObject({
      state: 'failed',
      reason:
        'it gave no answer within 8 s, so it may be no MCP server. Its last words: waiting for a license',
    });
  });

  test('is ended when the host closes before it is ready', async () => {
    const host = openHost([fixture('silent')], { startTimeout: 50 });
    await host.ready;
    expect(states(host)).toEqual(['starting']);
    await host.close();
    expect(states(host)).toEqual(['closed']);
  });
});

describe('what a server says besides messages', () => {
  test('on stdout is skipped and told once, by its first line', async () => {
    const onChange = vi.fn();
    await using host = await readySet([fixture('noise')], { onChange });
    expect(await host.call('work', {})).toMatchObject({ content: 'worked' });
    expect(await host.call('work', {})).toMatchObject({ content: 'worked' });
    expect(host.servers[0]?.warnings).toEqual([
      {
        warning: 'stdout_noise',
        message: expect.stringContaining('"Welcome to the noise server!"'),
      },
    ]);
  });

  test('a line of a log with an id is no answer to a request', async () => {
    const log = `setInterval(() => { for (let id = 0; id < 9; id++) console.log(JSON.stringify({ id, level: 'info' })); }, 20);`;
    const { args, ...rest } = fixture('slow-start');
    await using host = await readySet([
      { ...rest, args: ['--import', `data:text/javascript,${encodeURIComponent(log)}`, ...args] },
    ]);
    expect(states(host)).toEqual(['ready']);
  });

  test('on stderr, 300 kB without a line break, is there when it fails, by its beginning and its end', async () => {
    await using host = await readySet([fixture('flood')]);
    const { content } = await host.call('die', {});
    expect(content).toContain('exit code 7. Its last words: begun ...');
    expect(content).toContain('... the disk is full');
    expect(content.length).toBeLessThan(700);
  });

  test('never shows what a variable of the environment put into its entry', async () => {
    const script = 'console.error(`no such key: ${process.env.KEY}`); process.exit(1)';
    const server = { name: 'a', command: process.execPath, args: ['-e', script], env: { KEY: 'hunter2' } };
    await using host = await readySet([{ ...server, variables: { TOKEN: 'hunter2' } }]);
    expect(host.servers[0]?.reason).toContain('Its last words: no such key: ${TOKEN}');
  });
});

test('a burst of changes is a few readings, from an older server that did not say that it tells of them', async () => {
  await using host = await readySet([fixture('burst')]);
  expect(host.servers[0]?.info?.protocolVersion).toBe('2024-11-05');
  await host.call('burst', {});
  await vi.waitFor(() => expect(names(host)).toEqual(['lists', 'added_20']), { timeout: 10_000 });
  expect(Number((await host.call('lists', {})).content)).toBeLessThanOrEqual(4);
});

test('a server is asked to end by the end of its input, then by a signal, and is killed in the end', async () => {
  const diary = temporaryFile('diary');
  const host = disposable(openHost([fixture('stubborn', diary)]));
  await host.ready;
  await host.close();
  expect(readFileSync(diary, 'utf8')).toBe('end of input\nterminate\n');
});

test('what is not used of an entry is a warning of its server', async () => {
  await using host = await readySet([{ ...fixture('named', 'n', 'work'), warnings: ['not used: "dev"'] }]);
  expect(host.servers[0]?.warnings).toEqual([{ warning: 'unused_key', message: 'not used: "dev"' }]);
});
