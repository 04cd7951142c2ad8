/** Gemma's turns: a call, its result and what the model says to it are one turn, however a conversation came about. */
import { expect, test } from 'vitest';
import type { ToolCall } from '../../parsers/parser.ts';
import { functiongemma } from '../../templates/functiongemma.ts';
import { gemma4 } from '../../templates/gemma4.ts';
import { promptText } from '../../templates/prompt.ts';
import type { Message, RenderOptions } from '../../templates/template.ts';

const tools = [{ name: 'now', inputSchema: { type: 'object' } }];
const now: ToolCall = { id: 'a', name: 'now', arguments: {}, argumentsText: '{}' };
const user: Message = { role: 'user', content: 'When?' };
const calls: Message = { role: 'assistant', content: '', toolCalls: [now] };
const result: Message = { role: 'tool', callId: 'a', name: 'now', content: 'noon' };
const declared = '<|tool>declaration:now{description:<|"|><|"|>,parameters:{type:<|"|>OBJECT<|"|>}}<tool|>';
const called =
  '<|turn>model\n<|tool_call>call:now{}<tool_call|><|tool_response>response:now{value:<|"|>noon<|"|>}<tool_response|>';
const quiet = '<|channel>thought\n<channel|>';

const render = (messages: readonly Message[], options?: RenderOptions, offered = tools) =>
  promptText(gemma4.render({ messages, tools: offered }, options)).replace(
    `<|turn>system\n${declared}<turn|>\n`,
    '…',
  );

test('the model goes on in the turn of its call', () => {
  expect(render([user, calls, result])).toBe(`<bos>…<|turn>user\nWhen?<turn|>\n${called}`);
  expect(render([user, calls, result, { role: 'assistant', content: 'Noon.' }, user])).toBe(
    `<bos>…<|turn>user\nWhen?<turn|>\n${called}Noon.<turn|>\n<|turn>user\nWhen?<turn|>\n<|turn>model\n${quiet}`,
  );
});

test('a turn that is still open is closed before another one', () => {
  expect(render([user, calls, result, user])).toContain(`${called}<turn|>\n<|turn>user\n`);
  expect(render([user, calls, user])).toContain(
    'No result: this call was not answered.<|"|>}<tool_response|><turn|>\n<|turn>user\n',
  );
  expect(render([user, calls, result], { schema: 'tail' })).toBe(
    `<bos><|turn>user\nWhen?<turn|>\n${called}<turn|>\n…<|turn>model\n${quiet}`,
  );
});

test('thinking is turned on at the top of the system turn, and off by an empty thought', () => {
  expect(render([user], { thinking: true }, [])).toBe(
    '<bos><|turn>system\n<|think|>\n<turn|>\n<|turn>user\nWhen?<turn|>\n<|turn>model\n',
  );
  expect(render([user], { thinking: false }, [])).toBe(
    `<bos><|turn>user\nWhen?<turn|>\n<|turn>model\n${quiet}`,
  );
});

test('a completion stands behind the empty thought that it was generated behind, and needs none where it thought', () => {
  const says = (...completion: { text: string; control?: boolean }[]): Message => ({
    role: 'assistant',
    content: '',
    completion,
  });
  expect(render([user, says({ text: 'Noon.' }), user], {}, [])).toContain(
    `<|turn>model\n${quiet}Noon.<turn|>`,
  );
  const thought = says(
    { text: '<|channel>', control: true },
    { text: 'thought\nHm.\n' },
    { text: '<channel|>', control: true },
  );
  expect(render([user, thought, user], {}, [])).toContain(
    '<|turn>model\n<|channel>thought\nHm.\n<channel|><turn|>',
  );
});

test('arguments called as a schema’s own words are declared', () => {
  const properties = {
    type: { type: 'string' },
    description: { type: ['integer', 'null'], description: 'D' },
  };
  const prompt = promptText(
    gemma4.render({ messages: [user], tools: [{ name: 'f', inputSchema: { type: 'object', properties } }] }),
  );
  expect(prompt).toContain(
    'properties:{description:{description:<|"|>D<|"|>,nullable:true,type:<|"|>INTEGER<|"|>},type:{type:<|"|>STRING<|"|>}}',
  );
});

test('FunctionGemma: the sentence that turns calling on goes wherever the tools go, and nowhere else', () => {
  const sentence =
    'You are a model that can do function calling with the following functions<start_function_declaration>';
  const prompt = (messages: readonly Message[], options?: RenderOptions) =>
    promptText(functiongemma.render({ messages, tools }, options));
  const brief: Message = { role: 'system', content: 'Be brief.' };
  expect(prompt([brief, user])).toContain(`<start_of_turn>developer\nBe brief.\n${sentence}`);
  expect(prompt([user])).toContain(`<start_of_turn>developer\n${sentence}`);
  expect(prompt([brief, user], { schema: 'user' })).toContain(`<start_of_turn>user\n${sentence}`);
  expect(prompt([brief, user], { schema: 'none' })).not.toContain('function');
});
