// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are the config file's own.
/** Servers of a config on the command line: over HTTP, with mistakes, with things to tell. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fixture } from '../mcp/helpers.ts';
import { listening, serve } from '../mcp/http-server.ts';
import { rawcall, temporaryFolder } from './rawcall.ts';

function configWith(mcpServers: unknown): string {
  const file = path.join(temporaryFolder(), 'servers.json');
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
}

test('a server over HTTP is called with what the environment has, which is shown nowhere', async () => {
  const keys: unknown[] = [];
  await using web = await listening(exchange => {
    keys.push(exchange.request.headers['x-key']);
    if (exchange.message.method === 'tools/call')
      exchange.response.writeHead(500).end(`no: ${exchange.request.headers['x-key']}`);
    else serve(exchange);
  });
  const config = configWith({ web: { url: web.server.url, headers: { 'X-Key': '${RAWCALL_TEST_KEY}' } } });
  const env = { RAWCALL_TEST_KEY: 'hunter2' };
  const called = await rawcall(['mcp', 'call', 'web', 'work', '--mcp-config', config], { env });
  expect(called.code).toBe(1);
  expect(called.stdout + called.stderr).toContain('no: ${RAWCALL_TEST_KEY}');
  expect(called.stdout + called.stderr).not.toContain('hunter2');
  expect(new Set(keys)).toEqual(new Set(['hunter2']));
});

test('mistakes in entries, and what is said by servers that run, are told once each', async () => {
  const { command, args } = fixture('noise');
  const config = configWith({
    both: { command: 'x', url: 'https://example.com/mcp' },
    noisy: { command, args, description: 'for another program' },
  });
  const { json } = await rawcall(['run', 'Say hi.', '--mcp-config', config, '--json', '--max-tokens', '4']);
  const told = json().filter(({ type }) => /^server-/.test(type));
  expect(told).toEqual(
    expect.arrayContaining([
      {
        type: 'server-failed',
        server: 'both',
        message: expect.stringMatching(/servers\.json:1:\d+: the server "both" has both/),
      },
      { type: 'server-warning', server: 'noisy', warning: 'unused_key', message: 'not used: "description"' },
      {
        type: 'server-warning',
        server: 'noisy',
        warning: 'stdout_noise',
        message: expect.stringContaining('Welcome to the noise server!'),
      },
    ]),
  );
  expect(told).toHaveLength(3);
});
