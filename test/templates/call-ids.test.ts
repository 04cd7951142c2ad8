/** Where results stand under the ids of their calls, and what stands around them. */
import { expect, test } from 'vitest';
import { kimiK2 as kimiParser } from '../../parsers/kimi-k2.ts';
import { mistralV3 as v3Parser } from '../../parsers/mistral.ts';
import { mistralCallId } from '../../parsers/mistral-id.ts';
import type { Parser, Piece } from '../../parsers/parser.ts';
import { readCompletion } from '../../parsers/read.ts';
import { deepseek, deepseekV31 } from '../../templates/deepseek.ts';
import { kimiK2 } from '../../templates/kimi-k2.ts';
import { mistralV3, mistralV11 } from '../../templates/mistral.ts';
import { promptText } from '../../templates/prompt.ts';
import type { AssistantMessage, Message } from '../../templates/template.ts';

const user: Message = { role: 'user', content: 'Two books?' };
const result = (callId: string, content: string): Message => ({
  role: 'tool',
  callId,
  name: 'find',
  content,
});
const call = (id: string) => ({ id, name: 'find', arguments: {}, argumentsText: '{}' });

/** The message that a model's text comes to. */
function generated(parser: Parser, text: string): AssistantMessage {
  const completion: Piece[] = [{ text }];
  return { role: 'assistant', content: '', completion, toolCalls: readCompletion(parser, completion).calls };
}

test('Kimi: a call has the id that the model wrote, odd or not, and others are counted over the conversation', () => {
  const text =
    '<|tool_calls_section_begin|><|tool_call_begin|>find:9<|tool_call_argument_begin|>{}<|tool_call_end|>' +
    '<|tool_call_begin|>find:9<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>';
  const reply = generated(kimiParser, text);
  const [one, two] = reply.toolCalls ?? [];
  const messages: Message[] = [
    user,
    { role: 'assistant', content: '', toolCalls: [call('a')] },
    result('a', 'A'),
    reply,
    result(one?.id ?? '', 'B'),
    result(two?.id ?? '', 'C'),
    { role: 'assistant', content: '', toolCalls: [call('b'), call('functions.find:77')] },
    result('b', 'D'),
    result('functions.find:77', 'E'),
  ];
  const prompt = promptText(kimiK2.render({ messages, tools: [] }));
  expect([...prompt.matchAll(/## Return of (.*)\n(.)/g)].map(([, id, content]) => [content, id])).toEqual([
    ['A', 'functions.find:0'],
    ['B', 'find:9'],
    ['C', 'find:9'],
    ['D', 'functions.find:3'],
    ['E', 'functions.find:77'],
  ]);
  for (const id of ['functions.find:0', 'functions.find:3', 'functions.find:77'])
    expect(prompt).toContain(`<|tool_call_begin|>${id}<|tool_call_argument_begin|>`);
});

test('Mistral: a result has the id that its call has in the prompt', () => {
  const reply = generated(v3Parser, '[TOOL_CALLS][{"name": "find", "arguments": {}, "id": "q8Zt0pLm2"}]');
  const messages: Message[] = [
    user,
    reply,
    result(reply.toolCalls?.[0]?.id ?? '', 'A'),
    { role: 'assistant', content: '', toolCalls: [call('call_7')] },
    result('call_7', 'B'),
  ];
  const mapped = mistralCallId({ id: 'call_7' });
  const v3 = promptText(mistralV3.render({ messages, tools: [] }));
  expect(v3).toContain('[TOOL_RESULTS]{"content": A, "call_id": "q8Zt0pLm2"}[/TOOL_RESULTS]');
  expect(v3).toContain(`"id": "${mapped}"}]</s>[TOOL_RESULTS]{"content": B, "call_id": "${mapped}"}`);
  const v11 = promptText(mistralV11.render({ messages: messages.slice(3), tools: [] }));
  expect(v11).toContain(`find[CALL_ID]${mapped}[ARGS]{}</s>[TOOL_RESULTS]${mapped}[TOOL_CONTENT]B`);
});

test('Mistral v3: the system text is in the last user turn, or in the first where the schemas stand at the beginning', () => {
  const messages: Message[] = [
    { role: 'system', content: 'Be brief.' },
    user,
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'Which?' },
  ];
  const tools = [{ name: 'find', inputSchema: { type: 'object' } }];
  const list =
    '[AVAILABLE_TOOLS][{"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}][/AVAILABLE_TOOLS]';
  expect(promptText(mistralV3.render({ messages, tools }))).toBe(
    `<s>[INST]Two books?[/INST]Yes.</s>${list}[INST]Be brief.\n\nWhich?[/INST]`,
  );
  expect(promptText(mistralV3.render({ messages, tools }, { schema: 'system' }))).toBe(
    `<s>${list}[INST]Be brief.\n\nTwo books?[/INST]Yes.</s>[INST]Which?[/INST]`,
  );
});

test('DeepSeek: a reply after results goes on in the same turn, and nothing is begun for it', () => {
  const messages: Message[] = [
    user,
    { role: 'assistant', content: '', toolCalls: [call('a')] },
    result('a', 'A'),
  ];
  const tools = [{ name: 'find', inputSchema: { type: 'object' } }];
  for (const template of [deepseek, deepseekV31]) {
    const asked = { messages: [user], tools };
    const answered = { messages, tools };
    const prefill = template.prefill?.({}, asked) ?? [];
    expect(prefill).toEqual(template.prefill?.());
    expect(prefill).not.toEqual([]);
    const begun = `<｜Assistant｜>${prefill.map(piece => piece.text).join('')}`;
    expect(promptText(template.render(asked)).endsWith(begun)).toBe(true);
    expect(template.prefill?.({}, answered)).toEqual([]);
    expect(promptText(template.render(answered))).toMatch(/<｜tool▁outputs?▁end｜>$/);
    expect(promptText(template.render(answered, { schema: 'tail' })).endsWith(begun)).toBe(true);
    expect(template.prefill?.({ schema: 'tail' }, answered)).toEqual(prefill);
  }
});

test('DeepSeek V3.1: its tools, as its model card tells them', () => {
  const tools = [{ name: 'find', description: 'Finds.', inputSchema: { type: 'object' } }];
  const messages: Message[] = [{ role: 'system', content: 'Be brief.' }, user];
  const prompt = promptText(deepseekV31.render({ messages, tools }, { thinking: true }));
  expect(prompt).toMatch(
    /^<｜begin▁of▁sentence｜>Be brief\.\n\n## Tools\nYou have access to the following tools:\n\n### find\nDescription: Finds\.\n\nParameters: \{"type": "object"\}\n\nIMPORTANT: /,
  );
  expect(prompt.endsWith('without separators or spaces<｜User｜>Two books?<｜Assistant｜><think>')).toBe(
    true,
  );
});
