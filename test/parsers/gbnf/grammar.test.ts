/** What grammars promise beside their schemas: which calls there are, what is reported, and how large they get. */
import { describe, expect, test } from 'vitest';
import type { ToolDefinition } from '../../../parsers/parser.ts';
import { qwenXml } from '../../../parsers/qwen-xml.ts';
import { toolCallJson } from '../../../parsers/tool-call-json.ts';
import { nameMarkers } from '../../../src/engine/llama/grammar.ts';
import { readGbnf } from './gbnf.ts';
import { matchGbnf } from './match.ts';

const grammarOf = toolCallJson.grammar!;
const call = (name: string, args: string) =>
  `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${args}}\n</tool_call>`;
const allows = (gbnf: string, text: string) => matchGbnf(readGbnf(gbnf), text).whole;
const tool = (name: string, properties: object, more: object = {}): ToolDefinition => ({
  name,
  inputSchema: { type: 'object', properties, ...more },
});

describe('calls', () => {
  const tools = [tool('add', { n: { type: 'integer' } }), tool('add_all', {}), tool('say "hi"', {})];

  test('of the given tools, each with its own arguments', () => {
    const { gbnf } = grammarOf(tools);
    expect(allows(gbnf, call('add', '{"n": 1}'))).toBe(true);
    expect(allows(gbnf, call('add_all', '{}'))).toBe(true);
    expect(allows(gbnf, call('say "hi"', '{}'))).toBe(true);
    for (const text of [call('add_all', '{"n": 1}'), call('other', '{}'), call('ad', '{}'), 'Hello', ''])
      expect(allows(gbnf, text)).toBe(false);
  });

  test('one or several', () => {
    const two = `${call('add', '{}')}\n${call('add_all', '{}')}`;
    expect(allows(grammarOf(tools).gbnf, two)).toBe(true);
    expect(allows(grammarOf(tools, { parallel: false }).gbnf, two)).toBe(false);
  });

  test('of one tool alone', () => {
    const { gbnf } = grammarOf(tools, { only: ['add_all'] });
    expect(allows(gbnf, call('add_all', '{}'))).toBe(true);
    expect(allows(gbnf, call('add', '{}'))).toBe(false);
  });

  test('in the spacing that models know, and no other', () => {
    const { gbnf } = grammarOf([tool('f', { a: {} })]);
    expect(allows(gbnf, call('f', '{"a": [1, {"b": 2}]}'))).toBe(true);
    for (const args of ['{"a":1}', '{"a": [1,2]}', '{ "a": 1}', '{"a": 1,}'])
      expect(allows(gbnf, call('f', args))).toBe(false);
  });

  test.each([
    ['no tools', []],
    ['no arguments that fit', [{ name: 'f', inputSchema: false }]],
  ])('%s: nothing to call is an error', (_, none) => {
    expect(() => grammarOf(none)).toThrow(expect.objectContaining({ code: 'nothing_to_call' }));
    expect(() => grammarOf(tools, { only: ['none'] })).toThrow(/no tool "none"/);
  });
});

describe('members', () => {
  const schema = { d: {}, c: {}, b: {}, a: {} };
  const { gbnf } = grammarOf([tool('f', schema, { required: ['c', 'a'] })]);

  test('required ones first, any of the others, in the order of the schema, none twice', () => {
    for (const names of ['ca', 'cad', 'cab', 'cadb'])
      expect(allows(gbnf, call('f', `{${[...names].map(name => `"${name}": 1`).join(', ')}}`))).toBe(true);
    for (const names of ['', 'c', 'ac', 'cabd', 'dca', 'cadd', 'caa', 'cadbx'])
      expect(allows(gbnf, call('f', `{${[...names].map(name => `"${name}": 1`).join(', ')}}`))).toBe(false);
  });

  test('a name that JavaScript would put first stands where the schema has it', () => {
    const inputSchema = JSON.parse('{"type": "object", "properties": {"x": {}, "1": {}}, "required": ["x"]}');
    const numbered = grammarOf([{ name: 'f', inputSchema }]).gbnf;
    expect(allows(numbered, call('f', '{"x": 1, "1": 2}'))).toBe(true);
  });

  test('no other member has the name of a declared one, in no spelling', () => {
    const open = grammarOf([
      tool('f', { name: { type: 'integer' }, '"': {} }, { additionalProperties: true }),
    ]).gbnf;
    for (const key of ['nam', 'names', 'n', '', 'x"', '\\\\', 'Name'])
      expect(allows(open, call('f', `{${JSON.stringify(key)}: "x"}`))).toBe(true);
    for (const key of ['"name"', '"n\\u0061me"', '"\\""'])
      expect(allows(open, call('f', `{"x": 1, ${key}: 1}`))).toBe(false);
  });
});

describe('reports', () => {
  test('what can not be said is relaxed there and nowhere else', () => {
    const { gbnf, relaxed } = grammarOf([
      tool('write', {
        to: { type: 'string', pattern: '^(?!\\.)\\S+$' },
        cc: { type: 'string', pattern: '^\\S+$' },
      }),
      tool('list', {}),
    ]);
    expect(relaxed).toEqual([{ tool: 'write', path: '/properties/to', keyword: 'pattern' }]);
    expect(allows(gbnf, call('write', '{"to": "a b", "cc": "ab"}'))).toBe(true);
    expect(allows(gbnf, call('write', '{"to": "a b", "cc": "a b"}'))).toBe(false);
    expect(allows(gbnf, call('list', '{}'))).toBe(true);
  });

  test.each<[string, object, string, string]>([
    ['a reference to nowhere', { $ref: '#/nowhere' }, '', '$ref'],
    ['a type that is none', { type: 'file' }, '', 'type'],
    ['a count that is none', { type: 'string', minLength: '3' }, '', 'minLength'],
    ['a list that is none', { anyOf: 'x' }, '', 'anyOf'],
    [
      'more choices than can be written',
      { allOf: Array(4).fill({ anyOf: [{}, { a: 1 }, { b: 1 }, { c: 1 }] }) },
      '/allOf/3',
      'anyOf',
    ],
  ])('%s is relaxed', (_, x, path, keyword) => {
    const { gbnf, relaxed } = grammarOf([tool('f', { x })]);
    expect(relaxed).toContainEqual({ tool: 'f', path: `/properties/x${path}`, keyword });
    expect(allows(gbnf, call('f', '{"x": "y"}'))).toBe(true);
  });

  test.each<[string, unknown]>([
    ['false', false],
    ['an empty list', { enum: [] }],
    ['values of another type', { type: 'string', enum: [1, 2] }],
    ['bounds that exclude each other', { type: 'integer', exclusiveMinimum: 2, maximum: 2 }],
    ['types that exclude each other', { allOf: [{ type: 'string' }, { type: 'null' }] }],
    ['a choice of nothing', { anyOf: [false, { not: {}, enum: [] }] }],
    [
      'an object that needs itself',
      {
        $ref: '#/properties/x/$defs/self',
        $defs: {
          self: {
            type: 'object',
            properties: { self: { $ref: '#/properties/x/$defs/self' } },
            required: ['self'],
          },
        },
      },
    ],
    ['a schema that is itself', { anyOf: [{ $ref: '#/properties/x' }] }],
  ])('%s: the member is left out, or the tool where it is required', (_, x) => {
    const good = tool('good', {});
    const { gbnf, impossible } = grammarOf([tool('f', { x, y: {} }), good]);
    expect(impossible).toContainEqual({ tool: 'f', path: '/properties/x' });
    expect(allows(gbnf, call('f', '{"y": 1}'))).toBe(true);
    expect(matchGbnf(readGbnf(gbnf), call('f', '{"x": ').slice(0, -14)).begins).toBe(false);
    const needed = grammarOf([tool('f', { x }, { required: ['x'] }), good]);
    expect(needed.impossible).toContainEqual({ tool: 'f', path: '' });
    expect(needed.gbnf).not.toContain('"f');
  });

  test('a recursive schema that comes to an end', () => {
    const node = {
      type: 'object',
      properties: { value: {}, left: { $ref: '#/properties/tree' } },
      required: ['value'],
    };
    const { gbnf, relaxed, impossible } = grammarOf([
      tool('f', { tree: { anyOf: [node, { type: 'null' }] } }),
    ]);
    expect([relaxed, impossible]).toEqual([[], []]);
    expect(allows(gbnf, call('f', '{"tree": {"value": 1, "left": {"value": 2, "left": null}}}'))).toBe(true);
  });
});

test('a name that a syntax has no way to write is left out, and said to be', () => {
  const tools = [tool('f', { 'a>b': {}, c: {} }), tool('no<name', {})];
  const { gbnf, impossible } = qwenXml.grammar!(tools);
  expect(impossible).toEqual([
    { tool: 'f', path: '/properties/a>b' },
    { tool: 'no<name', path: '' },
  ]);
  expect(gbnf).toContain('c');
  expect(gbnf).not.toMatch(/a>b|no<name/);
});

describe('control words', () => {
  /** As the engine sees it: the words of this vocabulary that stand whole in a literal. */
  const vocabulary = {
    markerPattern: /<tool_call>|<\/tool_call>|\[INST\]/g,
    markerId: () => 7,
  } as unknown as Parameters<typeof nameMarkers>[1];
  const named = (properties: object, name = 'f') => {
    const { gbnf } = grammarOf([tool(name, properties)]);
    return nameMarkers(gbnf, vocabulary).grammar.match(/<\[7\]>/g);
  };

  test('are tokens around a call, and letters in what a tool says', () => {
    expect(named({})).toHaveLength(2);
    const words = { enum: ['<tool_call>', 'a [INST] b', '</tool_call>'] };
    expect(named({ x: words, '<tool_call>': { const: '<tool_call>' } }, '[INST]')).toHaveLength(2);
  });
});

describe('size', () => {
  test('counts beyond what llama.cpp takes do not grow a grammar', () => {
    const big = tool('f', {
      text: { type: 'string', minLength: 5000, maxLength: 100_000 },
      list: {
        type: 'array',
        items: { type: 'array', items: {}, minItems: 200, maxItems: 10_000 },
        maxItems: 250,
      },
      code: { type: 'string', pattern: '^(?:[a-z]{100}-){200}$' },
      least: { type: 'integer', minimum: -(2 ** 53), maximum: 2 ** 63 },
    });
    expect(grammarOf([big]).gbnf.length).toBeLessThan(5000);
  });

  test('fifty tools cost what one does: a text is followed in a few ways at once', () => {
    const many = Array.from({ length: 50 }, (_, index) =>
      tool(`tool_${index}`, { a: {}, b: { enum: Array.from({ length: 200 }, (_, at) => `value ${at}`) } }),
    );
    const { ways, whole } = matchGbnf(
      readGbnf(grammarOf(many).gbnf),
      call('tool_37', '{"a": "text", "b": "value 150"}'),
    );
    expect(whole).toBe(true);
    expect(ways).toBeLessThan(16);
  });

  test('the same tools, and equal ones, get the same grammar', () => {
    const tools = [tool('f', { a: { type: 'integer' } })];
    const first = grammarOf(tools);
    expect(grammarOf(tools)).toBe(first);
    expect(grammarOf(JSON.parse(JSON.stringify(tools)) as ToolDefinition[])).toBe(first);
    expect(grammarOf(tools, { parallel: false })).not.toBe(first);
    expect(grammarOf([tool('f', { a: {} })])).not.toBe(first);
  });
});
