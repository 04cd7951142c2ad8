/** `rawcall serve` as people start it. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { outcome, rawcall, start } from './rawcall.ts';

/** The address that it prints when the model is there. */
async function started(args: readonly string[], env = {}) {
  const child = start(['serve', '--port', '0', '--no-cache', ...args], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = outcome(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    printed += text;
  });
  while (!printed.includes('\n')) await once(child.stdout, 'data');
  return { child, ended, line: printed.trim(), url: /http:\S+/.exec(printed)?.[0] ?? '' };
}

const hello = {
  method: 'POST',
  body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 20 }),
};

test('it says where it listens, answers, and an interrupt ends it', async () => {
  const { child, ended, line, url } = await started([]);
  expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1 serves practice \(qwen\)$/);
  const health = await fetch(url.replace('/v1', '/health'));
  expect(await health.json()).toEqual({ status: 'ok' });
  const answer = await fetch(`${url}/chat/completions`, hello);
  expect(await answer.json()).toMatchObject({ object: 'chat.completion', model: 'practice' });
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
});

test('a name, a key and thoughts kept back', async () => {
  const { child, url } = await started(['--name', 'small', '--no-reasoning-content'], {
    RAWCALL_API_KEY: 'k',
  });
  expect((await fetch(`${url}/models`)).status).toBe(401);
  const models = await fetch(`${url}/models`, { headers: { authorization: 'Bearer k' } });
  expect(await models.json()).toMatchObject({ data: [{ id: 'small' }] });
  child.kill('SIGKILL');
});

test.each([
  [['--host', '0.0.0.0'], /Whoever reaches 0\.0\.0\.0 could use the model\. Give --api-key/],
  [['--port', 'x'], /whole number from 0 to 65535/],
  [['--queue', 'some'], /whole number from 0 on/],
  [['--parallel', '0'], /whole number from 1 on/],
  [['--host', '203.0.113.7', '--api-key', 'k'], /this machine has no such address/],
])('%j is refused', async (args, message) => {
  const { stderr, code } = await rawcall(['serve', '--port', '0', ...args], { env: { RAWCALL_API_KEY: '' } });
  expect(stderr).toMatch(message);
  expect(code).not.toBe(0);
});

test('--log-chats writes each chat into a file that nobody else can read, and on stderr where no file is named', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rawcall-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'chats.jsonl');
  await writeFile(file, '', { mode: 0o644 });
  const ask = async (args: readonly string[]) => {
    const { child, ended, url } = await started(args, { RAWCALL_API_KEY: 'a-secret' });
    await fetch(`${url}/chat/completions`, { ...hello, headers: { authorization: 'Bearer a-secret' } });
    child.kill('SIGINT');
    return (await ended).stderr;
  };
  const quiet = await ask(['--log-chats', file]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const written = await readFile(file, 'utf8');
  const told = await ask(['--log-chats']);
  for (const text of [written, told.split('\n').find(line => line.startsWith('{'))!]) {
    const { request, turns, sent } = JSON.parse(text);
    expect(request).toBe(hello.body);
    expect(turns[0].prompt[0]).toEqual({ control: '<|im_start|>' });
    expect(turns[0].completion.pieces.length).toBeGreaterThan(0);
    expect(JSON.parse(sent)).toMatchObject({ object: 'chat.completion' });
    expect(text).not.toContain('a-secret');
  }
  expect(quiet).not.toContain('chat.completion');
});

test('a log that cannot be written is told before a model is loaded', async () => {
  const { stderr, code } = await rawcall(['serve', '--port', '0', '--log-chats', '/nowhere/chats.jsonl']);
  expect(stderr).toMatch(/\/nowhere\/chats\.jsonl: it cannot be written/);
  expect(code).toBe(1);
});
