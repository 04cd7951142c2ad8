/** What the official templates of Granite and Phi-4-mini have no form for. */
import { expect, test } from 'vitest';
import { granite3 } from '../../templates/granite.ts';
import { granite4, granite41 } from '../../templates/granite4.ts';
import { phi4Mini } from '../../templates/phi4.ts';
import { promptText } from '../../templates/prompt.ts';
import type { Message, RenderOptions, Template } from '../../templates/template.ts';

const user: Message = { role: 'user', content: 'Q' };
const tool = { name: 'f', description: 'Does it.', inputSchema: { type: 'object', properties: {} } };
const called: Message[] = [
  user,
  {
    role: 'assistant',
    content: 'Hm.',
    toolCalls: [{ id: 'a', name: 'f', arguments: {}, argumentsText: '{"n":1.0}' }],
  },
  { role: 'tool', callId: 'a', name: 'f', content: 'R' },
];
const render = (template: Template, messages: Message[], options?: RenderOptions, tools = [tool]) =>
  promptText(template.render({ messages, tools }, options));

test('Granite 3 is told to think only where it has no tools, which is how it was trained', () => {
  const frames = '<think></think> and write your response between <response></response>';
  expect(render(granite3, [user], { thinking: true }, [])).toContain(frames);
  expect(render(granite3, [user], { thinking: true })).not.toContain(frames);
  expect(render(granite3, [user], {}, [])).not.toContain(frames);
  expect(render(granite3, [user], { thinking: true, schema: 'none' })).toContain(frames);
});

test('the mark in Granite 3’s instruction is the token', () => {
  const prompt = granite3.render({ messages: [user], tools: [tool] });
  expect(prompt.filter(piece => 'control' in piece && piece.control === '<|tool_call|>')).toHaveLength(1);
});

test('Granite 3: the tools before the reply, and in the user’s turn', () => {
  const json = JSON.stringify(
    [{ type: 'function', function: { name: 'f', description: 'Does it.', parameters: tool.inputSchema } }],
    null,
    4,
  );
  expect(render(granite3, [user], { schema: 'tail' })).toMatch(
    /user<\|end_of_role\|>Q<\|end_of_text\|>\n<\|start_of_role\|>available_tools/,
  );
  expect(render(granite3, [user], { schema: 'user' })).toContain(
    `user<|end_of_role|>${json}\n\nQ<|end_of_text|>`,
  );
});

test.each([
  [granite4, '<|start_of_role|>system<|end_of_role|>You are a helpful assistant. Please ensure'],
  [granite41, '<|start_of_role|>user<|end_of_role|>Q'],
])('$name without a system text', (template, opening) => {
  expect(render(template, [user], {}, []).startsWith(opening)).toBe(true);
});

test('Phi-4-mini: the card’s system text and its shape of tools where there is no system text', () => {
  expect(render(phi4Mini, called)).toBe(
    '<|system|>You are a helpful assistant with some tools.' +
      '<|tool|>[{"name": "f", "description": "Does it.", "parameters": {"type": "object", "properties": {}}}]<|/tool|><|end|>' +
      '<|user|>Q<|end|><|assistant|>Hm.<|tool_call|>[{"name": "f", "arguments": {"n": 1.0}}]<|/tool_call|><|end|>' +
      '<|tool_response|>R<|end|><|assistant|>',
  );
});

test('Phi-4-mini: no tools, no system turn', () => {
  expect(render(phi4Mini, [user], { schema: 'none' })).toBe('<|user|>Q<|end|><|assistant|>');
});

test('Phi-4-mini: the tools before the reply, and in the user’s turn', () => {
  expect(render(phi4Mini, [user], { schema: 'tail' })).toMatch(
    /^<\|user\|>Q<\|end\|><\|system\|><\|tool\|>\[.*]<\|\/tool\|><\|end\|><\|assistant\|>$/,
  );
  expect(render(phi4Mini, [user], { schema: 'user' })).toMatch(
    /^<\|user\|><\|tool\|>\[.*]<\|\/tool\|>Q<\|end\|><\|assistant\|>$/,
  );
});
