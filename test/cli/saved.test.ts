/** `rawcall chat --save` and `--resume`: a dialogue outlives its process. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { flagQuestion, type Outcome, outcome, rawcall, start, temporaryFolder } from './rawcall.ts';

const calc = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server calc'];
const chat = ['chat', ...calc, '--json'];

/** The prompts of a chat's last run. */
function lastPrompts({ json }: Outcome): unknown[] {
  const events = json();
  const from = events.findLastIndex(({ type }) => type === 'run-start');
  return events.slice(from).flatMap(({ type, prompt }) => (type === 'turn-start' ? [prompt] : []));
}

const rolesIn = (file: string) =>
  JSON.parse(readFileSync(file, 'utf8')).messages.map(({ role }: { role: string }) => role);
const exchange = ['user', 'assistant', 'tool', 'assistant'];

test('a dialogue that is resumed goes on with the very prompt that it would have had', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'talk.json');
  const unbroken = await rawcall(chat, { stdin: 'What is 31 plus 11?\nWhat is 5 plus 4?\n' });

  expect((await rawcall([...chat, '--save', file], { stdin: 'What is 31 plus 11?\n' })).code).toBe(0);
  expect(rolesIn(file)).toEqual(exchange);
  expect(readdirSync(folder)).toEqual(['talk.json']);
  expect((await rawcall(['render', file, '--format', 'qwen'])).stdout).toContain('31 plus 11 is 42.');

  const resumed = await rawcall([...chat, '--resume', file, '--save', file], {
    stdin: 'What is 5 plus 4?\n',
  });
  expect(lastPrompts(resumed)).toEqual(lastPrompts(unbroken));
  expect(rolesIn(file)).toEqual([...exchange, ...exchange]);

  // Another format has other markers, so that the replies are written anew.
  const other = await rawcall([...chat, '--resume', file, '--format', 'llama3'], { stdin: 'Hello!\n' });
  const [prompt = []] = lastPrompts(other);
  expect(JSON.stringify(prompt)).toContain('[add(a=31, b=11)]');
  expect(JSON.stringify(prompt)).not.toContain('"tokens"');
});

test('what an interrupt broke off is in the file, and no file is replaced', async () => {
  const file = path.join(temporaryFolder(), 'talk.json');
  const args = ['chat', '--mcp-command', 'rawcall', '--mcp-args', 'mcp-server materials', '--json'];
  const child = start([...args, '--save', file]);
  const ended = outcome(child);
  const asked = new Promise<void>(resolve => {
    child.stdout.on('data', text => {
      if (String(text).includes('"approval-start"')) resolve();
    });
  });
  child.stdin.write(`${flagQuestion}\n`);
  await asked;
  child.kill('SIGINT');
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), 20_000);
  child.stdin.end();
  expect((await ended).code).toBe(130);
  expect(rolesIn(file).slice(0, 2)).toEqual(['user', 'assistant']);
  const { messages } = JSON.parse(readFileSync(file, 'utf8'));
  expect(messages[0].content).toBe(flagQuestion);
  expect(messages[1].tool_calls[0].function.name).toBe('flag_material');

  const before = readFileSync(file);
  const again = await rawcall([...args, '--save', file], { stdin: 'Hello!\n' });
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain(`--resume ${file}`);
  expect(readFileSync(file)).toEqual(before);
});
