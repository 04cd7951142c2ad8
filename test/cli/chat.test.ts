/** `rawcall chat` over a pipe. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { flagQuestion, rawcall, temporaryFolder } from './rawcall.ts';

const calc = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server calc'];

test('a question a line, answers on stdout, calls on stderr', async () => {
  const { code, stdout, stderr } = await rawcall(['chat', ...calc], {
    stdin: 'What is 31 plus 11?\n\nWhat is 5 plus 4?\n',
  });
  expect(stderr.match(/^→ add/gm)).toHaveLength(2);
  expect(stdout.trimEnd().split('\n')).toHaveLength(2);
  expect(code).toBe(0);
});

test('--json: a run for each line, and the second reuses what the first evaluated', async () => {
  const { json } = await rawcall(['chat', ...calc, '--json'], {
    stdin: 'What is 31 plus 11?\nWhat is 5 plus 4?\n',
  });
  const events = json();
  const runs = events.filter(({ type }) => type === 'run-end');
  expect(runs).toHaveLength(2);
  const second = events.slice(events.indexOf(runs[0]));
  expect(second.find(({ type }) => type === 'usage').reused).toBeGreaterThan(0);
});

test('slash commands', async () => {
  const saved = path.join(temporaryFolder(), 'saved.json');
  const { code, stdout, stderr } = await rawcall(['chat', ...calc, '--format', 'hermes'], {
    stdin: [
      '/prompt',
      '/usage',
      '/tools',
      'What is 31 plus 11?',
      '/prompt',
      '/usage',
      `/save ${saved}`,
      '/save',
      '/system Be brief.',
      '/system',
      '/toosl',
      '/xyz',
      '/reset',
      '/help',
      '/quit',
      'What is 1 plus 1?',
    ].join('\n'),
  });
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  for (const told of [
    'No prompt was written yet.',
    'No turn was taken yet.',
    'add  Add two numbers.',
    '⟦<|im_start|>⟧user\nWhat is 31 plus 11?⟦<|im_end|>⟧',
    'turn 1: ',
    /next prompt, without its question: \d+ tokens \(\d+ tools, \d+ questions, .* are free\n/,
    `Saved to ${saved}.`,
    '/save FILE',
    'Be brief.\n',
    'There is no command /toosl. Did you mean /tools?',
    'There is no command /xyz. /help lists them.',
    'starts anew',
    '/quit       leave',
  ])
    expect(stderr).toMatch(told);

  const dialogue = JSON.parse(readFileSync(saved, 'utf8'));
  expect(dialogue.messages.map(({ role }: { role: string }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
  ]);
  const rendered = await rawcall(['render', saved, '--format', 'hermes']);
  expect(rendered.code).toBe(0);
  expect(rendered.stdout).toContain('What is 31 plus 11?');
});

test('approvals come from the next line', async () => {
  const args = ['chat', '--mcp-command', 'rawcall', '--mcp-args', 'mcp-server materials', '--json'];
  const { json } = await rawcall(args, { stdin: `${flagQuestion}\nn not now\nHello!\n` });
  const events = json();
  expect(events.find(({ type }) => type === 'approval-end')).toMatchObject({
    allowed: false,
    reason: 'not now',
  });
  expect(events.filter(({ type }) => type === 'run-start').at(-1).question).toBe('Hello!');
});
