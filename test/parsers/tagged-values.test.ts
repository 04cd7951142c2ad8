/** Raw values between tags: where they end, what they are, and when they go out. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { glm, glm47 } from '../../parsers/glm.ts';
import type { JsonSchema, JsonValue, Parser, Piece, ToolCall } from '../../parsers/parser.ts';
import { qwenXml } from '../../parsers/qwen-xml.ts';
import { readCompletion } from '../../parsers/read.ts';
import { glm as glmTemplate } from '../../templates/glm.ts';
import { qwen3Coder } from '../../templates/qwen3-coder.ts';
import { textOf } from './syntax.ts';

const runs = { numRuns: 150 };
const text = { type: 'string' };
const note = {
  name: 'note',
  inputSchema: { type: 'object', properties: { path: text, body: text, count: { type: 'integer' } } },
};
const ping = { name: 'ping', inputSchema: { type: 'object', properties: {} } };
const tools = [note, ping];

function noted(body: string, more: Record<string, JsonValue> = {}): ToolCall {
  const args = { path: 'a.md', body, ...more };
  return { id: 'call_1', name: 'note', arguments: args, argumentsText: JSON.stringify(args) };
}
const example = (parser: Parser) =>
  textOf(parser.write([noted('x'), { ...noted(''), name: 'ping', arguments: {}, argumentsText: '{}' }]));

/** What a text about calls holds. Each part stands on lines of its own, or in the midst of one. */
const parts = (parser: Parser) => [
  example(parser),
  ...['Words.', '', '  indented', 'a < b', '```', '{"a": 1}'],
  ...['It is <tool_call>, then <function=ping>.', 'Close with </parameter> or </arg_value> there.'],
  ...[
    '<tool_call>\nis the tag',
    '</tool_call>\nis the other',
    '</parameter>\nends it',
    '<parameter=body>\nsays',
    '<tool_call>\n{"name": "ping"}\n</tool_call>',
    '<function=ping>\n</function>\n</tool_call>\nis half a call',
    '</parameter>\n</function>\nis how it ends',
    '<function=note>\n<parameter=path>\na\n</parameter>\n</function>',
    '<arg_key>path</arg_key> says',
    '</arg_value> ends it',
  ],
];

describe.each([qwenXml, glm, glm47])('$name', parser => {
  test('a text about calls is read back to the letter', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...parts(parser)), { maxLength: 6 }),
        fc.boolean(),
        (lines, alone) => {
          // A part that ends a text is told from the end of the value by what follows it, and so is a whole call there.
          const body = [...lines, alone ? example(parser) : 'The end.'].join('\n');
          const { calls, problems, repairs } = readCompletion(
            parser,
            textOf(parser.write([noted(body, { count: 3 })])),
            { tools },
          );
          expect({ problems, repairs }).toEqual({ problems: [], repairs: [] });
          expect(calls.map(call => call.arguments)).toEqual([{ path: 'a.md', body, count: 3 }]);
        },
      ),
      runs,
    );
  });

  test('a text goes out as it comes, but for what may belong to the tag behind it', () => {
    const body = 'One <b>bold</b> line.\n\n  Two: a < b, </arg, </param\n\tThree.';
    const whole = textOf(parser.write([noted(body)]));
    const start = whole.indexOf('One');
    for (let length = 0; length <= body.length; length++) {
      const reading = parser.start({ tools });
      const events = reading.push({ text: whole.slice(0, start + length) });
      const out = events.map(event => (event.type === 'call-delta' ? event.argumentsText : '')).join('');
      const said = JSON.parse(`"${out.slice('{"path":"a.md","body":"'.length)}"`) as string;
      expect(body.startsWith(said)).toBe(true);
      expect(body.slice(said.length, length)).toMatch(/^(?:\n[ \t]*)?(?:<[/\w]*)?$/);
    }
  });
});

/** The pieces as an engine gives them: tokens apart, text in bits. */
function generated(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap(piece =>
    piece.control ? [piece] : (piece.text.match(/.{1,3}/gs) ?? []).map(bit => ({ text: bit })),
  );
}

describe('where the tags are tokens', () => {
  const spelled = fc
    .array(fc.constantFrom(...glmTemplate.controlTokens, '\n', 'x', 'path', ' '), { maxLength: 12 })
    .map(all => all.join(''));

  test.each([glm, glm47])('$name: a text may spell any of them', parser => {
    fc.assert(
      fc.property(spelled, body => {
        const { calls, problems } = readCompletion(parser, generated(parser.write([noted(body)])), {
          tools,
          controlTokens: new Set(glmTemplate.controlTokens),
        });
        expect(problems).toEqual([]);
        expect(calls.map(call => call.arguments)).toEqual([{ path: 'a.md', body }]);
      }),
      runs,
    );
  });

  test('qwen-xml: a text may spell the outer ones, wherever it does', () => {
    const outer = ['<tool_call>', '</tool_call>', '<|im_end|>', '\n', 'x', '</function>'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...outer), { maxLength: 12 }), lines => {
        const body = `${lines.join('')}\n</tool_call>\n`;
        const { calls, problems } = readCompletion(qwenXml, generated(qwenXml.write([noted(body)])), {
          tools,
          controlTokens: new Set(qwen3Coder.controlTokens),
        });
        expect(problems).toEqual([]);
        expect(calls.map(call => call.arguments)).toEqual([{ path: 'a.md', body }]);
      }),
      runs,
    );
  });

  test('a stop token in a value cuts the call', () => {
    const [head = '', end = ''] = textOf(qwenXml.write([noted('one two')])).split(' two');
    const read = (stop: Piece) =>
      readCompletion(qwenXml, [{ text: head }, stop, { text: end }], {
        tools,
        controlTokens: new Set(['<|im_end|>']),
      });
    expect(read({ text: '<|im_end|>' }).calls[0]?.arguments.body).toBe('one<|im_end|>');
    const { calls, problems } = read({ text: '<|im_end|>', control: true });
    expect(calls).toEqual([]);
    expect(problems.map(({ problem }) => problem)).toEqual(['truncated', 'fabricated_result']);
  });
});

const any = true as JsonSchema;
const integer = { type: 'integer' };

test.each<[schema: JsonSchema, written: string, value: JsonValue | undefined]>([
  [text, ' 5 ', ' 5 '],
  [text, '"5"', '"5"'],
  [{ enum: ['on', 'off'] }, 'on', 'on'],
  [{ enum: [1, 2] }, '2', 2],
  [{ type: ['string', 'null'] }, 'null', null],
  [{ type: ['string', 'null'] }, 'None', null],
  [{ type: ['string', 'null'] }, 'none', 'none'],
  [{ type: 'string', nullable: true }, 'None of it', 'None of it'],
  [{ anyOf: [integer, { type: 'null' }] }, 'None', null],
  [{ anyOf: [integer, { type: 'null' }] }, '7.0', 7],
  [{ anyOf: [integer, text] }, '7', 7],
  [{ anyOf: [integer, text] }, '007', '007'],
  [{ anyOf: [integer, text] }, '7 bells', '7 bells'],
  [{ anyOf: [integer, text] }, '7.5', '7.5'],
  [{ anyOf: [{ enum: ['7'] }, integer] }, '7', '7'],
  [{ anyOf: [{ const: '7' }, integer] }, '7', '7'],
  [{ description: 'A count.', $ref: '#/$defs/count' }, '7', 7],
  [{ type: 'string', anyOf: [{ minLength: 1 }, { pattern: '^x' }] }, '7', '7'],
  [{ anyOf: [{ type: 'object' }, text] }, '{"a": 1}', { a: 1 }],
  [{ anyOf: [{ type: 'object' }, text] }, '{a: 1}', '{a: 1}'],
  [{ anyOf: [{ type: 'object' }, text] }, '[1]', '[1]'],
  [{ $ref: '#/$defs/count' }, '-3', -3],
  [{ $ref: '#/$defs/counts' }, '["1", 2.0]', [1, 2]],
  [{ type: 'boolean' }, 'False', false],
  [{ type: 'boolean' }, '0', undefined],
  [{ type: 'number' }, '1_000.5', 1000.5],
  [{ type: 'number' }, 'NaN', undefined],
  [{ type: 'array' }, '(1, True)', [1, true]],
  [{ type: 'array' }, 'a, b', undefined],
  [integer, '', undefined],
  [any, '[1, {"a": null}]', [1, { a: null }]],
  [any, '"text"', 'text'],
  [any, '[draft] text', '[draft] text'],
  [any, 'true enough', 'true enough'],
  [any, `true${' '.repeat(20)}`, true],
  [any, ' nul l', ' nul l'],
  [any, 'truest', 'truest'],
  [any, 'None', 'None'],
  [any, '-', '-'],
  [any, '12 May', '12 May'],
  [any, '', ''],
])('by the schema %j, %j is %j', (schema, written, value) => {
  const tool = {
    name: 'set',
    inputSchema: {
      type: 'object',
      properties: { value: schema },
      $defs: { count: integer, counts: { type: 'array', items: integer } },
    },
  };
  for (const line of ['\n', '']) {
    const completion = `<tool_call>\n<function=set>\n<parameter=value>${line}${written}${line}</parameter>\n</function>\n</tool_call>`;
    for (const pieces of [[completion], [...completion]]) {
      const { calls, problems } = readCompletion(
        qwenXml,
        pieces.map(piece => ({ text: piece })),
        { tools: [tool] },
      );
      expect(calls.map(call => call.arguments.value)).toEqual(value === undefined ? [] : [value]);
      expect(problems.map(({ problem }) => problem)).toEqual(value === undefined ? ['bad_arguments'] : []);
    }
  }
});

test.each<[string, JsonSchema]>([
  [
    'a choice of what is required',
    { properties: { value: text }, anyOf: [{ required: ['value'] }, { required: ['other'] }] },
  ],
  ['a part of it', { allOf: [{ properties: { value: text } }, { properties: { other: integer } }] }],
  ['a reference', { $ref: '#/$defs/own', $defs: { own: { properties: { value: text } } } }],
  [
    'itself, beside a reference',
    { $ref: '#/$defs/own', properties: { value: text }, $defs: { own: { properties: {} } } },
  ],
  [
    'one of its forms',
    {
      oneOf: [
        { properties: { value: text }, required: ['value'] },
        { properties: { other: integer }, required: ['other'] },
      ],
    },
  ],
  ['all members without a name', { additionalProperties: text }],
  ['nothing: a tool that does not have it', { properties: { other: integer } }],
])('a number is text where the schema says so in %s', (_, schema) => {
  const inputSchema = { type: 'object', ...(schema as object) };
  const completion =
    '<tool_call>\n<function=set>\n<parameter=value>\n5\n</parameter>\n</function>\n</tool_call>';
  const { calls, problems } = readCompletion(qwenXml, completion, { tools: [{ name: 'set', inputSchema }] });
  expect(problems).toEqual([]);
  expect(calls.map(call => call.arguments)).toEqual([{ value: '5' }]);
});
