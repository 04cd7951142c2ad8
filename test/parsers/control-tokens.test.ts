/** Markers that are control tokens of the vocabulary count only as such; call ids come from whoever asks. */
import { expect, test } from 'vitest';
import type { Piece } from '../../parsers/parser.ts';
import { readCompletion } from '../../parsers/read.ts';
import { toolCallJson } from '../../parsers/tool-call-json.ts';
import { tools } from './tools.ts';

const controlTokens = new Set(['<tool_call>', '</tool_call>', '<|im_end|>', '<think>', '</think>']);
const body = '\n{"name": "find_book", "arguments": {"title": "Emma"}}\n';
const control = (text: string): Piece => ({ text, control: true });

test('the token opens a call', () => {
  const pieces = [
    { text: 'Yes. ' },
    control('<tool_call>'),
    { text: body },
    control('</tool_call>'),
    control('<|im_end|>'),
  ];
  const { calls, content, problems } = readCompletion(toolCallJson, pieces, { tools, controlTokens });
  expect(calls.map(call => call.arguments)).toEqual([{ title: 'Emma' }]);
  expect({ content, problems }).toEqual({ content: 'Yes.', problems: [] });
});

test('the same letters are text', () => {
  const text = `Yes. <tool_call>${body}</tool_call> <|im_end|> <think>`;
  const { calls, content, problems } = readCompletion(toolCallJson, text, { tools, controlTokens });
  expect({ calls, content, problems }).toEqual({ calls: [], content: text, problems: [] });
});

test('the token without a call behind it is a broken call, and the next one is read', () => {
  const pieces = [
    ...[control('<tool_call>'), { text: '\nhm\n' }, control('</tool_call>'), { text: '\n' }],
    ...[control('<tool_call>'), { text: body }, control('</tool_call>')],
  ];
  const { calls, problems } = readCompletion(toolCallJson, pieces, { tools, controlTokens });
  expect(calls).toHaveLength(1);
  expect(problems.map(({ problem, raw }) => [problem, raw])).toEqual([
    ['bad_json', '<tool_call>\nhm\n</tool_call>'],
  ]);
});

test('the prompt’s own markers count', () => {
  const pieces = [{ text: 'Hm.\n' }, control('</think>'), { text: '\n\nSure.' }];
  const { reasoning, content } = readCompletion(toolCallJson, pieces, {
    controlTokens,
    prefill: '<think>\n',
  });
  expect({ reasoning, content }).toEqual({ reasoning: 'Hm.', content: 'Sure.' });
});

test('a call that the prompt began goes on', () => {
  const { calls } = readCompletion(
    toolCallJson,
    'find_book", "arguments": {"title": "Emma"}}\n</tool_call>',
    {
      tools,
      prefill: '<tool_call>\n{"name": "',
    },
  );
  expect(calls[0]?.argumentsText).toBe('{"title":"Emma"}');
});

test('ids are the caller’s, and an offset reaches from a problem to its text', () => {
  const text = `Well. <tool_call>{"name": "shred"}</tool_call>`;
  const { problems } = readCompletion(toolCallJson, text, {
    tools,
    callId: (index, name) => `${name}#${index}`,
  });
  expect(problems[0]).toMatchObject({
    id: 'shred#0',
    name: 'shred',
    problem: 'unknown_tool',
    span: { start: 6, end: text.length },
  });
  expect(problems[0]?.message).toContain('There is no tool named shred. The tools are: find_book, lend');
});

test('the model is told in words what does not fit', () => {
  const text = '<tool_call>{"name": "lend", "arguments": {"book": "x", "extend": 3}}</tool_call>';
  const { problems } = readCompletion(toolCallJson, text, { tools });
  expect(problems[0]?.message).toBe(
    'The arguments of lend do not fit: reader is required; book must be an integer; extend must be a boolean.',
  );
});

test('a schema that does not compile stands in nobody’s way', () => {
  const odd = {
    name: 'odd',
    inputSchema: { type: 'object', properties: { a: { pattern: '(' } }, $ref: 'http://nowhere.example/x' },
  };
  const text = '<tool_call>{"name": "odd", "arguments": {"a": 1}}</tool_call>';
  expect(readCompletion(toolCallJson, text, { tools: [odd] }).calls).toHaveLength(1);
});
