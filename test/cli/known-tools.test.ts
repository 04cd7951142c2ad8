/** The tools of servers from one start to the next. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fixture } from '../mcp/helpers.ts';
import { tool } from '../mcp/misbehaving.ts';
import { rawcall, temporaryFolder } from './rawcall.ts';

const script = fixture('misbehaving').args[0]!;

/** A server whose program is a file of its own, so that it can be written again, and which waits for a file when it starts. */
function server() {
  const folder = temporaryFolder();
  const program = path.join(folder, 'server.mjs');
  const go = path.join(folder, 'go');
  const wait = `import { access } from 'node:fs/promises';
while (!(await access(${JSON.stringify(go)}).then(() => true, () => false))) await new Promise(done => setTimeout(done, 20));
`;
  const offer = (...names: string[]) => {
    const told = JSON.stringify({ pages: [names.map(name => tool(`a_${name}`))] });
    writeFileSync(
      program,
      `${wait}process.argv[2] = ${JSON.stringify(told)};\n${readFileSync(script, 'utf8')}`,
    );
  };
  offer('first');
  const flags = ['--mcp-command', process.execPath, '--mcp-args', program, '--tools', 'all'];
  const env = { RAWCALL_CACHE: folder };
  const run = async (...args: string[]) => {
    const { json, stderr } = await rawcall(['run', 'Hello!', '--json', ...flags, ...args], { env });
    const { prompt } = json().find(({ type }) => type === 'turn-start');
    const shown = JSON.stringify(prompt);
    return { stderr, tools: ['first', 'second'].filter(name => shown.includes(`a_${name}`)) };
  };
  const cache = (...args: string[]) => rawcall(['cache', ...args], { env });
  return {
    offer,
    run,
    cache,
    letStart: (starts: boolean) => (starts ? writeFileSync(go, '') : rmSync(go)),
  };
}

test('are offered at the next start without a wait for the server, unless its program is another one, or with --no-cache', async () => {
  const { offer, run, cache, letStart } = server();
  letStart(true);
  expect(await run()).toEqual({ stderr: '', tools: ['first'] });
  expect((await cache()).stdout).toContain('The tools of 1 server');
  // It would be waited for for ever.
  letStart(false);
  expect(await run()).toEqual({ stderr: '', tools: ['first'] });
  letStart(true);
  offer('first', 'second');
  expect((await run()).tools).toEqual(['first', 'second']);
  expect((await run('--no-cache')).tools).toEqual(['first', 'second']);
  expect((await cache('clear')).stdout).toContain('and the tools of 2 servers');
  expect((await cache('--json')).json().at(-1)).toMatchObject({ servers: 0 });
});
