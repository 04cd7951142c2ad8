/** What people hand in as messages and tools, and what they are told when it is wrong. */
import { describe, expect, test } from 'vitest';
import { RawcallError } from '../../parsers/error.ts';
import { parseMessages, parseTools } from '../../templates/messages.ts';

function failure(read: () => unknown): RawcallError {
  try {
    read();
  } catch (error) {
    if (RawcallError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const asked = { role: 'user', content: 'Hi' };
const called = (...calls: object[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const call = (id?: string, args: unknown = '{}') => ({
  ...(id === undefined ? {} : { id }),
  type: 'function',
  function: { name: 'f', arguments: args },
});

describe('messages', () => {
  test('the roles; a developer is a system', () => {
    expect(
      parseMessages([{ role: 'developer', content: 'a' }, { role: 'system', content: 'b' }, asked]),
    ).toEqual([{ role: 'system', content: 'a' }, { role: 'system', content: 'b' }, asked]);
  });

  test('content in parts', () => {
    const content = [{ type: 'text', text: 'a' }, 'b', { type: 'input_text', text: 'c' }];
    expect(parseMessages([{ role: 'user', content }])).toEqual([{ role: 'user', content: 'a\nb\nc' }]);
  });

  test('calls keep the exact text of their arguments, and results find their calls', () => {
    const text = '{"n": 12345678901234567890, "x": 1.0}';
    const [, assistant, second, first] = parseMessages([
      asked,
      called(call('a', text), call('b', { k: [1] })),
      { role: 'tool', tool_call_id: 'b', content: { ok: true, list: [1, 'ö'] } },
      { role: 'tool', tool_call_id: 'a', content: 'done' },
    ]);
    expect(assistant).toMatchObject({
      content: '',
      toolCalls: [
        { id: 'a', name: 'f', argumentsText: text },
        { id: 'b', argumentsText: '{"k":[1]}', arguments: { k: [1] } },
      ],
    });
    expect(second).toEqual({
      role: 'tool',
      callId: 'b',
      name: 'f',
      content: '{"ok": true, "list": [1, "ö"]}',
    });
    expect(first).toMatchObject({ callId: 'a', content: 'done' });
  });

  test.each([
    [null, ''],
    [[], '[]'],
    [[1, { a: 2 }], '[1, {"a": 2}]'],
    [[{ type: 'text', text: 'x' }], 'x'],
    [7, '7'],
  ])('a result of %j is written %j', (content, written) => {
    expect(
      parseMessages([asked, called(call('a')), { role: 'tool', tool_call_id: 'a', content }])[2],
    ).toMatchObject({
      content: written,
    });
  });

  test('missing ids are filled, also around ids that are there', () => {
    const messages = parseMessages([
      asked,
      called(call(), call('call_2'), call()),
      { role: 'tool', content: '1' },
      { role: 'tool', content: '2' },
      { role: 'tool', content: '3' },
    ]);
    const ids = messages.map(one => (one.role === 'tool' ? one.callId : ''));
    expect(new Set(ids.slice(2)).size).toBe(3);
    expect(messages[1]).toMatchObject({ toolCalls: ids.slice(2).map(id => ({ id })) });
  });

  test('ids may come again in a later message', () => {
    const round = [called(call('call_1')), { role: 'tool', tool_call_id: 'call_1', content: '1' }];
    expect(parseMessages([asked, ...round, ...round])).toHaveLength(5);
  });

  test.each(['reasoning', 'reasoning_content'])('%s is reasoning', field => {
    expect(parseMessages([{ role: 'assistant', content: 'x', [field]: 'why' }])).toEqual([
      { role: 'assistant', content: 'x', reasoning: 'why' },
    ]);
  });

  test.each<[string, unknown, string]>([
    ['no array', {}, 'messages'],
    ['no message', [], 'messages'],
    ['no object', [asked, 'hi'], 'messages[1]'],
    ['unknown role', [asked, { role: 'robot', content: '' }], 'messages[1].role'],
    ['no role', [{ content: 'x' }], 'messages[0].role'],
    ['no content', [{ role: 'user' }], 'messages[0].content'],
    ['an object for content', [{ role: 'user', content: {} }], 'messages[0].content'],
    ['an image', [{ role: 'user', content: [{ type: 'image_url' }] }], 'messages[0].content[0].type'],
    ['a part without text', [{ role: 'user', content: [{ type: 'text' }] }], 'messages[0].content[0].text'],
    [
      'reasoning that is no text',
      [{ role: 'assistant', content: '', reasoning: 1 }],
      'messages[0].reasoning',
    ],
    ['a result first', [{ role: 'tool', tool_call_id: 'a', content: '' }], 'messages[0].tool_call_id'],
    [
      'a result of another call',
      [asked, called(call('a')), { role: 'tool', tool_call_id: 'z', content: '' }],
      'messages[2].tool_call_id',
    ],
    [
      'a result twice',
      [
        called(call('a')),
        { role: 'tool', tool_call_id: 'a', content: '' },
        { role: 'tool', tool_call_id: 'a', content: '' },
      ],
      'messages[2].tool_call_id',
    ],
    [
      'a result after a user',
      [called(call('a')), asked, { role: 'tool', tool_call_id: 'a', content: '' }],
      'messages[2].tool_call_id',
    ],
    ['an id twice', [called(call('a'), call('a'))], 'messages[0].tool_calls[1].id'],
    [
      'arguments that are no JSON',
      [called(call('a', '{"a":'))],
      'messages[0].tool_calls[0].function.arguments',
    ],
    ['arguments that are a list', [called(call('a', '[1]'))], 'messages[0].tool_calls[0].function.arguments'],
    ['arguments that are a number', [called(call('a', 3))], 'messages[0].tool_calls[0].function.arguments'],
    ['a call without a name', [called({ id: 'a', function: {} })], 'messages[0].tool_calls[0].function.name'],
    ['an old call', [{ role: 'assistant', function_call: { name: 'f' } }], 'messages[0].function_call'],
  ])('%s: bad_messages that names the place', (_, json, where) => {
    const error = failure(() => parseMessages(json));
    expect(error.code).toBe('bad_messages');
    expect(error.details.where).toBe(where);
    expect(error.message).toContain(`${where} is `);
  });

  test('the message says what is there and what may be', () => {
    expect(failure(() => parseMessages([{ role: 'robot', content: '' }], 'chat')).message).toBe(
      'chat[0].role is "robot"; it must be "system", "developer", "user", "assistant" or "tool".',
    );
    expect(
      failure(() => parseMessages([asked, called(call('a')), { role: 'tool', tool_call_id: 'b' }])).message,
    ).toBe('messages[2].tool_call_id is "b"; it must be the id of an open call, and these are open: "a".');
  });
});

describe('tools', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };

  test.each([
    ['the chat API’s', { type: 'function', function: { name: 'f', description: 'd', parameters: schema } }],
    ['flat', { name: 'f', description: 'd', parameters: schema }],
    ['MCP’s', { name: 'f', description: 'd', inputSchema: schema, title: 'F' }],
  ])('%s shape', (_, tool) => {
    expect(parseTools([tool])).toEqual([{ name: 'f', description: 'd', inputSchema: schema }]);
  });

  test('no description, no schema', () => {
    expect(
      parseTools([
        { type: 'function', function: { name: 'f' } },
        { name: 'g', parameters: null },
      ]),
    ).toEqual([
      { name: 'f', inputSchema: { type: 'object', properties: {} } },
      { name: 'g', inputSchema: { type: 'object', properties: {} } },
    ]);
  });

  test('an output schema and hints are kept, and so is a named dialect', () => {
    const tool = {
      name: 'f',
      inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', items: [{}], definitions: {} },
      outputSchema: schema,
      annotations: { readOnlyHint: true },
    };
    expect(parseTools([tool])).toEqual([tool]);
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'tools'],
    ['no object', ['f'], 'tools[0]'],
    ['another type', [{ type: 'web_search' }], 'tools[0].type'],
    ['no name', [{ description: 'd' }], 'tools[0].name'],
    ['an empty name', [{ type: 'function', function: { name: '' } }], 'tools[0].function.name'],
    ['a description that is no text', [{ name: 'f', description: 1 }], 'tools[0].description'],
    ['a schema that is no object', [{ name: 'f', parameters: 'x' }], 'tools[0].parameters'],
    ['a schema of a list', [{ name: 'f', inputSchema: { type: 'array' } }], 'tools[0].inputSchema.type'],
    [
      'a schema that is none',
      [{ name: 'f', inputSchema: { properties: { a: { type: 'text' } } } }],
      'tools[0].inputSchema',
    ],
    ['a name twice', [{ name: 'f' }, { name: 'g' }, { name: 'f' }], 'tools[2] (its name)'],
  ])('%s: bad_tools that names the place', (_, json, where) => {
    const error = failure(() => parseTools(json));
    expect(error.code).toBe('bad_tools');
    expect(error.details.where).toBe(where);
  });

  test('a schema’s problem is named with its place', () => {
    const tools = [{ name: 'f', inputSchema: { properties: { a: { type: 'text' } } } }];
    expect(failure(() => parseTools(tools)).message).toContain(
      'tools[0].inputSchema.properties.a.type must be',
    );
  });
});
