/** What gpt-oss's own template has no form for. */
import { describe, expect, test } from 'vitest';
import { gptOss } from '../../templates/gpt-oss.ts';
import { promptText } from '../../templates/prompt.ts';
import type { Message, RenderOptions } from '../../templates/template.ts';
import { typescriptTools } from '../../templates/typescript-tools.ts';

const user: Message = { role: 'user', content: 'Q' };
const callsTwo: Message = {
  role: 'assistant',
  content: 'I look.',
  reasoning: 'Both.',
  toolCalls: ['a', 'b'].map(id => ({ id, name: `tool_${id}`, arguments: {}, argumentsText: '{"x":1.0}' })),
};
const results: Message[] = ['a', 'b'].map(id => ({
  role: 'tool',
  callId: id,
  name: `tool_${id}`,
  content: `${id}"`,
}));
const render = (messages: Message[], options?: RenderOptions) =>
  promptText(gptOss.render({ messages, tools: [] }, options)).split('<|message|>Q<|end|>')[1];

test('thought, preamble and calls of one message, then their results', () => {
  expect(render([user, callsTwo, ...results])).toBe(
    '<|start|>assistant<|channel|>analysis<|message|>Both.<|end|>' +
      '<|start|>assistant<|channel|>commentary<|message|>I look.<|end|>' +
      '<|start|>assistant to=functions.tool_a<|channel|>commentary json<|message|>{"x": 1.0}<|call|>' +
      '<|start|>assistant to=functions.tool_b<|channel|>commentary json<|message|>{"x": 1.0}<|call|>' +
      '<|start|>functions.tool_a to=assistant<|channel|>commentary<|message|>"a\\""<|end|>' +
      '<|start|>functions.tool_b to=assistant<|channel|>commentary<|message|>"b\\""<|end|>' +
      '<|start|>assistant',
  );
});

test('a thought goes once a reply came of it, the preamble stays', () => {
  const prompt = render([
    user,
    callsTwo,
    ...results,
    { role: 'assistant', content: 'A.', reasoning: 'Now.' },
    user,
  ]);
  expect(prompt).not.toContain('analysis');
  expect(prompt).toContain('commentary<|message|>I look.<|end|>');
  expect(prompt).toContain('<|start|>assistant<|channel|>final<|message|>A.<|end|>');
});

test('a later system message is the developer’s', () => {
  expect(render([user, { role: 'system', content: 'In verse.' }])).toBe(
    '<|start|>developer<|message|># Instructions\n\nIn verse.\n\n<|end|><|start|>assistant',
  );
});

const control = (text: string) => ({ text: `<|${text}|>`, control: true });
const header = (to: string) => [control('channel'), { text: `commentary${to}` }, control('message')];

test.each([
  ['a reply', [{ text: 'A.' }], 'A.<|end|>'],
  ['a reply with its end', [{ text: 'A.' }, control('return')], 'A.<|end|>'],
  ['a call', [...header(' to=functions.f'), { text: '{}' }], '{}<|call|>'],
  ['a call with its end', [...header(' to=functions.f'), { text: '{}' }, control('call')], '{}<|call|>'],
  ['a recipient in the role', [{ text: ' to' }, { text: '=f' }, ...header(''), { text: '{}' }], '{}<|call|>'],
  [
    'a reply behind a call that failed',
    [...header(' to=x'), { text: '1' }, control('end'), control('start'), ...header(''), { text: 'A to=b' }],
    'A to=b<|end|>',
  ],
])('%s as it was generated gets the token that ends it', (_, completion, text) => {
  const prompt = render([user, { role: 'assistant', content: '', completion }], { generationPrompt: false });
  expect(prompt?.startsWith('<|start|>assistant')).toBe(true);
  expect(prompt?.endsWith(text)).toBe(true);
});

test.each([
  [{ date: '09 Nov 2026' }, '2024-06\nCurrent date: 2026-11-09\n\nReasoning: medium\n'],
  [{ date: 'today', thinking: true }, '2024-06\nCurrent date: today\n\nReasoning: medium\n'],
  [{ thinking: false }, '2024-06\n\nReasoning: low\n'],
])('%o', (options, text) => {
  expect(promptText(gptOss.render({ messages: [user], tools: [] }, options))).toContain(text);
});

describe('types', () => {
  const typeOf = (schema: object) =>
    typescriptTools('functions', [{ name: 'f', inputSchema: { type: 'object', properties: { a: schema } } }])
      .split('(_: {\n')[1]
      ?.split(',\n})')[0];

  test.each<[string, object]>([
    ['a?: any', {}],
    ['a?: any', { $ref: '#/$defs/x' }],
    ['a?: string | null', { type: 'string', nullable: true }],
    ['a?: "x" | "y", // default: x', { type: 'string', enum: ['x', 'y'], default: 'x' }],
    ['a?: string | null, // default: null', { type: ['string', 'null'], default: null }],
    ['a?: number, // default: 2.5', { type: 'integer', default: 2.5 }],
    ['a?: any[]', { type: 'array' }],
    ['a?: string[] | null', { type: 'array', items: { type: 'string' }, nullable: true }],
    ['a?: number[][]', { type: 'array', items: { type: 'array', items: { type: 'number' } } }],
    ['a?: object[]', { type: 'array', items: { type: 'object' } }],
    ['a?: any[]', { type: 'array', items: { type: ['object', 'object'] } }],
    [
      'a?: string | \nnumber// A count. ',
      { oneOf: [{ type: 'string' }, { type: 'number', description: 'A count. ' }] },
    ],
    [
      'a?: {\nb: \n                boolean, c?: \n                object}',
      {
        type: 'object',
        properties: { b: { type: 'boolean' }, c: { type: 'object' } },
        required: ['b'],
      },
    ],
  ])('%s', (text, schema) => {
    expect(typeOf(schema)).toBe(text);
  });

  test('a list of what takes many words is a list of anything', () => {
    const properties = Object.fromEntries(['one', 'two', 'three'].map(name => [name, { type: 'string' }]));
    expect(typeOf({ type: 'array', items: { type: 'object', properties } })).toBe('a?: any[]');
  });
});
