/** In every format: what we write is read by its tokens, and the same letters without them are words. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spacedJson } from '../../parsers/json-text.ts';
import type { ToolCall } from '../../parsers/parser.ts';
import { readCompletion } from '../../parsers/read.ts';
import { formats } from '../../src/format.ts';
import { cut, identifiers, textOf, toolsOf } from '../parsers/syntax.ts';

const values = fc.oneof(fc.stringMatching(/^[a-z]( ?[a-z"\\{}[\],:])*$/), fc.integer(), fc.boolean());
const written: fc.Arbitrary<ToolCall[]> = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom('alpha', 'beta', 'gamma'),
      args: fc.dictionary(identifiers, values, { maxKeys: 3, noNullPrototype: true }),
    }),
    { selector: one => one.name, minLength: 1 },
  )
  .map(list =>
    list.map(({ name, args }, index) => ({
      id: `call_${index + 1}`,
      name,
      arguments: args,
      argumentsText: JSON.stringify(args),
    })),
  );
const plain = ({ name, argumentsText }: { readonly name: string; readonly argumentsText: string }) => [
  name,
  spacedJson(argumentsText),
];

/** Their calls are words, with a token around them or with none. */
const spelled = ['llama3', 'llama3-json', 'qwen3-coder', 'qwen3.5'];

describe.each(formats)('$name', ({ name, parser, template }) => {
  const { stops } = template;
  const controlTokens = new Set(template.controlTokens);

  test('the tokens are read, however the text between them is cut', () => {
    fc.assert(
      fc.property(written, fc.array(fc.nat(), { maxLength: 6 }), (list, places) => {
        const pieces = parser
          .write(list)
          .flatMap(piece => (piece.control ? [piece] : cut(piece.text, places)));
        const last = { text: stops[0] ?? '', control: true };
        const read = readCompletion(parser, [...pieces, last], {
          controlTokens,
          stops,
          tools: toolsOf(list),
        });
        expect(read).toMatchObject({ content: '', problems: [], repairs: [] });
        expect(read.calls.map(plain)).toEqual(list.map(plain));
      }),
      { numRuns: 100 },
    );
  });

  test('a call in a code fence is read, with the stop right behind the fence too', () => {
    const call = { id: 'call_1', name: 'alpha', arguments: { one: 1 }, argumentsText: '{"one":1}' };
    const tools = toolsOf([call]);
    const fenced = '```json\n{"name": "alpha", "arguments": {"one": 1}}\n```';
    for (const between of ['', '\n']) {
      const pieces = [{ text: fenced + between }, { text: stops[0] ?? '', control: true }];
      const read = readCompletion(parser, pieces, { controlTokens, stops, tools });
      expect(read).toMatchObject({
        calls: [{ name: 'alpha', arguments: { one: 1 } }],
        content: '',
        problems: [],
      });
    }
  });

  test.skipIf(spelled.includes(name))('their letters alone are words', () => {
    fc.assert(
      fc.property(written, list => {
        const text = `It is written ${textOf(parser.write(list))}`;
        const read = readCompletion(parser, text, { controlTokens, stops });
        expect(read).toMatchObject({ content: text, calls: [], problems: [], repairs: [] });
      }),
      { numRuns: 50 },
    );
  });
});
