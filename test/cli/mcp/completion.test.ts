/** What Tab offers in a chat, and the values that are asked for on a terminal, with server-everything. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lines } from '../../../src/cli/lines.ts';
import { askValues } from '../../../src/cli/mcp/ask-values.ts';
import { chatCompleter } from '../../../src/cli/mcp/completion.ts';
import { openHost } from '../../../src/mcp/host.ts';
import { everythingScript } from './servers.ts';

const host = openHost([{ name: 'every', command: process.execPath, args: [everythingScript()], env: {} }]);
beforeAll(() => host.ready, 120_000);
afterAll(() => host.close());

const complete = chatCompleter(host, ['/help', '/tools']);

describe('Tab', () => {
  test.each([
    ['/', ['/help', '/tools', '/every:'], '/'],
    ['/e', ['/every:'], '/e'],
    ['/every:arg', ['/every:args-prompt'], '/every:arg'],
    ['What is @e', ['@every:'], '@e'],
    [
      'What is @every:demo://resource/dynamic/',
      [
        '@every:demo://resource/dynamic/text/{resourceId=',
        '@every:demo://resource/dynamic/blob/{resourceId=',
      ],
      '@every:demo://resource/dynamic/',
    ],
    ['@every:demo://nothing', [], '@every:demo://nothing'],
    ['no mention, no command', [], 'no mention, no command'],
    ['/help me', [], '/help me'],
  ])('%s', async (line, candidates, replaced) => {
    expect(await complete(line)).toEqual([candidates, replaced]);
  });

  test("lists a server's resources", async () => {
    const [candidates] = await complete('@every:demo://resource/static');
    expect(candidates).toHaveLength(7);
  });

  test('asks the server for the values of a template', async () => {
    const before = '@every:demo://resource/dynamic/text/{resourceId=';
    expect(await complete(`${before}3`)).toEqual([[`${before}3`], `${before}3`]);
  });
});

/** A terminal on which those lines are typed, each after a Tab. */
function typing(...typed: readonly string[]) {
  const left = [...typed];
  const offered: string[][] = [];
  const questions: string[] = [];
  const lines: Lines = {
    terminal: true,
    async next(question, _signal, completer) {
      questions.push(question);
      const line = left.shift();
      if (completer && line !== undefined) offered.push((await completer(line.slice(0, 1)))[0]);
      return line;
    },
    aside: tell => tell(),
    forgetTyped() {},
    close() {},
  };
  return { lines, offered, questions };
}

describe('values', () => {
  const features = host.features('every')!;
  const wanted = [
    { name: 'department', description: 'Choose one.', required: true },
    { name: 'name', required: true },
    { name: 'note', required: false },
  ];
  const target = { prompt: 'completable-prompt' };

  test("are asked for one by one, with the server's own behind Tab, which know those before", async () => {
    const { lines, offered, questions } = typing('Engineering', '', 'Alice', '');
    const values = await askValues(wanted, {}, { lines, features, target });
    expect(values).toEqual({ department: 'Engineering', name: 'Alice' });
    expect(questions).toEqual(['department (Choose one.): ', 'name: ', 'name: ', 'note, or nothing: ']);
    expect(offered.slice(0, 3)).toEqual([['Engineering'], ['Alice', 'Bob', 'Charlie'], ['Alice']]);
  });

  test('are not asked for where they are given', async () => {
    const { lines, questions } = typing('x');
    const given = { department: 'Sales', name: 'Eve' };
    expect(await askValues(wanted, given, { lines, features, target })).toEqual({ ...given, note: 'x' });
    expect(questions).toHaveLength(1);
  });

  test('are none where the input ends', async () => {
    const { lines } = typing('Sales');
    expect(await askValues(wanted, {}, { lines, features, target })).toBeUndefined();
  });
});
