/** `rawcall` alone: a greeting on a terminal, help elsewhere. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rawcall, temporaryFolder } from './rawcall.ts';
import { onTerminal } from './terminal.ts';

test('on a pipe, rawcall alone prints the help and fails, as a script should notice', async () => {
  const { code, stdout, stderr } = await rawcall([]);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('Usage: rawcall');
});

test('on a pipe, rawcall welcome says what there is and what comes next', async () => {
  const folder = temporaryFolder();
  writeFileSync(
    path.join(folder, 'rawcall.json'),
    JSON.stringify({
      model: 'practice.gguf',
      mcpServers: { calc: { command: 'rawcall', args: ['mcp-server', 'calc'] } },
    }),
  );
  const { code, stdout } = await rawcall(['welcome', '--gpu', 'off'], { cwd: folder, env: { HOME: folder } });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^model +\/.*practice\.gguf$/m);
  expect(stdout).toMatch(/^stored +none yet$/m);
  expect(stdout).toMatch(/^servers +calc$/m);
  expect(stdout).toMatch(/^GPU +none; \d+ cores? of the CPU will compute$/m);
  expect(stdout).toMatch(/^settings +\/.*rawcall\.json$/m);
  expect(stdout).toContain('rawcall models recommend');
});

test('models of other programs are found', async () => {
  const folder = temporaryFolder();
  const blobs = path.join(folder, 'blobs');
  mkdirSync(blobs);
  const sha256 = 'c'.repeat(64);
  writeFileSync(path.join(blobs, `sha256-${sha256}`), 'GGUF');
  const catalog = path.join(folder, 'catalog.yaml');
  writeFileSync(
    catalog,
    JSON.stringify({
      models: [
        {
          ...{ name: 'mine', title: 'Mine', makers: 'me', licence: { name: 'MIT' } },
          ...{ parameters: 1, context: 64, format: 'hermes' },
          files: { Q8_0: { bytes: 4, sha256, sources: ['https://example.com/mine.gguf'] } },
        },
      ],
    }),
  );
  const env = { HOME: folder, OLLAMA_MODELS: folder };
  const { stdout } = await rawcall(['welcome', '--catalog', catalog, '--gpu', 'off'], { cwd: folder, env });
  expect(stdout).toMatch(/^elsewhere +mine:Q8_0 \(Ollama\)$/m);
});

test('a terminal is greeted, asked again after a slip, and given a config that works', async () => {
  const folder = temporaryFolder();
  const { shown, code } = await onTerminal(
    '',
    [
      [/What first\?/, '9\r'],
      [/none of the 4[\s\S]*What first\?/, '4\r'],
    ],
    folder,
  );
  expect(shown).toContain('chat on the practice model');
  expect(shown).toContain('the adapter smollm2-tools, the smallest that calls any tools');
  expect(shown).toContain('9 is none of the 4 choices.');
  expect(shown).toContain(`Wrote ${path.join(folder, 'rawcall.json')}`);
  expect(code).toBe(0);
  const config = JSON.parse(readFileSync(path.join(folder, 'rawcall.json'), 'utf8'));
  expect(config.mcpServers.calc).toEqual({ command: 'rawcall', args: ['mcp-server', 'calc'] });
  const { json } = await rawcall(
    ['run', 'What is 31 plus 11?', '--json', '--approve', 'auto', '--no-record'],
    { cwd: folder },
  );
  expect(json().find(({ type }) => type === 'call-end').call).toMatchObject({ name: 'add' });
});

test('Enter leaves, and nothing is written', async () => {
  const folder = temporaryFolder();
  const { code } = await onTerminal('', [[/What first\?/, '\r']], folder);
  expect(code).toBe(0);
  expect(existsSync(path.join(folder, 'rawcall.json'))).toBe(false);
});

test('the first choice is a chat on the practice model, with the calculator at hand', async () => {
  const folder = temporaryFolder();
  const { shown } = await onTerminal(
    '',
    [
      [/What first\?/, '1\r'],
      [/\/help lists commands[\s\S]*> /, 'What is 31 plus 11?\r'],
      [/42\./, '/quit\r'],
    ],
    folder,
  );
  expect(shown).toContain('→ add(a=31, b=11)');
  expect(shown).toContain('31 plus 11 is 42.');
});
