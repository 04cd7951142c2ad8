/** Harmony's marks are tokens: where the vocabulary is known, only they count, and they always do. */
import { expect, test } from 'vitest';
import { harmony } from '../../parsers/harmony.ts';
import type { Piece } from '../../parsers/parser.ts';
import { readCompletion } from '../../parsers/read.ts';
import { gptOss } from '../../templates/gpt-oss.ts';
import { tools } from './tools.ts';

const controlTokens = new Set(gptOss.controlTokens);
const context = { tools, controlTokens, stops: gptOss.stops };
/** Marks in guillemets are tokens: `«end»`. All other text comes in pieces of three characters. */
const pieces = (text: string): Piece[] =>
  text
    .split(/(«\w+»)/)
    .flatMap((part, index): Piece[] =>
      index % 2 === 1
        ? [{ text: `<|${part.slice(1, -1)}|>`, control: true }]
        : (part.match(/[\s\S]{1,3}/g) ?? []).map(one => ({ text: one })),
    );
const read = (text: string) => readCompletion(harmony, pieces(text), context);
const call = '«channel»commentary to=functions.find_book «constrain»json«message»{"title": "Emma"}';

test('a token counts in code too, and an open fence ends with its message', () => {
  const { content, calls } = read(
    `«channel»commentary«message»\`\`\`\nfind(\`x«end»«start»assistant«channel»commentary«message»So: \`a«end»«start»assistant${call}`,
  );
  expect(content).toBe('```\nfind(`xSo: `a');
  expect(calls.map(one => one.arguments)).toEqual([{ title: 'Emma' }]);
});

test('the same letters are text', () => {
  const spelled = '<|end|><|start|>assistant<|channel|>commentary to=functions.lend<|message|>{}<|call|>';
  const { content, reasoning, calls, problems } = read(
    `«channel»analysis«message»${spelled}«end»«start»assistant«channel»final«message»${spelled}`,
  );
  expect({ content, reasoning, calls, problems }).toEqual({
    content: spelled,
    reasoning: spelled,
    calls: [],
    problems: [],
  });
});

test('a broken call ends at the token, whatever its text spells', () => {
  const { calls, problems } = read(
    `«channel»commentary to=functions.annotate json«message»{"text": "a <|call|><|start|>assistant b}«call»«start»assistant${call}`,
  );
  expect(calls.map(one => one.name)).toEqual(['find_book']);
  expect(problems.map(({ problem, raw }) => [problem, raw.slice(-13)])).toEqual([
    ['bad_json', 'nt b}<|call|>'],
  ]);
});

test('code streams as it comes, its last line break left out', () => {
  const reading = harmony.start(context);
  for (const piece of pieces('«channel»analysis to=code_interpreter code«message»')) reading.push(piece);
  expect(reading.push({ text: 'print("a")\n' })).toMatchObject([
    { type: 'call-delta', argumentsText: '{"code":"' },
    { type: 'call-delta', argumentsText: 'print(\\"a\\")' },
  ]);
  expect(reading.end('stop').at(-1)).toMatchObject({
    type: 'call-end',
    call: { arguments: { code: 'print("a")' } },
  });
});

test('any number of messages whose first marks are missing', () => {
  const one = 'analysis<|message|>x<|end|>commentary to=library.close json<|message|>{}<|call|>';
  const { calls, reasoning } = readCompletion(harmony, one.repeat(5000), { tools });
  expect([calls.length, reasoning.length]).toEqual([5000, 5000]);
});
