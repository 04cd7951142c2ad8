/** What tokens settle in Gemma's calls, and texts that its own marks are in. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { functiongemma } from '../../parsers/functiongemma.ts';
import { gemma4 } from '../../parsers/gemma4.ts';
import type { Piece } from '../../parsers/parser.ts';
import { readCompletion } from '../../parsers/read.ts';
import { textOf } from './syntax.ts';
import { tools } from './tools.ts';

const control = (text: string): Piece => ({ text, control: true });

describe.each([
  {
    parser: functiongemma,
    open: '<start_function_call>',
    close: '<end_function_call>',
    quote: '<escape>',
    stop: '<start_function_response>',
  },
  { parser: gemma4, open: '<|tool_call>', close: '<tool_call|>', quote: '<|"|>', stop: '<|tool_response>' },
])('$parser.name', ({ parser, open, close, quote, stop }) => {
  const controlTokens = new Set([open, close, quote, stop]);
  const read = (pieces: readonly Piece[], more = {}) =>
    readCompletion(parser, pieces, { tools, controlTokens, ...more });
  const call = (...value: Piece[]) => [
    control(open),
    { text: 'call:annotate{text:' },
    control(quote),
    ...value,
    control(quote),
    { text: '}' },
    control(close),
  ];

  test('the letters of a mark in a string are text, where the token is another thing', () => {
    const text = `a${quote}b${close}c${open}`;
    const { calls, problems, repairs } = read(call({ text }));
    expect(calls.map(one => one.arguments)).toEqual([{ text }]);
    expect({ problems, repairs }).toEqual({ problems: [], repairs: [] });
    // Letter by letter, as a model spells them.
    const spelled = read(call(...[...text].map(letter => ({ text: letter }))));
    expect(spelled.calls).toEqual(calls);
  });

  test('the letters of the markers in a reply are text', () => {
    const text = `${open}call:library.close{}${close}`;
    expect(read([{ text }])).toMatchObject({ calls: [], content: text, problems: [] });
  });

  test('a token that ends the call ends a string that was not closed, and the next call is read', () => {
    const broken = [
      control(open),
      { text: 'call:annotate{text:' },
      control(quote),
      { text: 'Em}' },
      control(close),
    ];
    const { calls, problems } = read([...broken, ...call({ text: 'x' }), control(stop)]);
    expect(calls.map(one => one.arguments)).toEqual([{ text: 'x' }]);
    expect(problems).toMatchObject([{ problem: 'bad_json', raw: textOf(broken) }]);
    expect(problems[0]?.message).toContain(`Expected ${quote} at the end of a string`);
  });

  test('a token without a call behind it is a broken call', () => {
    const { calls, problems, content } = read([
      control(open),
      { text: 'Hm.' },
      control(close),
      { text: 'So.' },
    ]);
    expect({ calls, content }).toEqual({ calls: [], content: 'So.' });
    expect(problems.map(({ problem, raw }) => [problem, raw])).toEqual([['bad_json', `${open}Hm.${close}`]]);
  });

  test('without tools a text needs its marks', () => {
    const text = `${open}call:f{a:word,b:1}${close}`;
    const { calls, problems } = readCompletion(parser, text);
    expect(calls).toEqual([]);
    expect(problems.map(one => one.message)).toEqual([
      `A text stands between two ${quote}, found \`word\` without them.`,
    ]);
  });

  test('calls whose texts hold the marks are read again, as text and as pieces', () => {
    const texts = fc
      .array(fc.constantFrom(quote, open, close, stop, '"', "'", '\\', '\n', '{', '}', ',', ':', 'a', '<'), {
        maxLength: 6,
      })
      .map(parts => parts.join(''));
    const values = fc.oneof(
      texts,
      fc.array(texts, { maxLength: 3 }),
      fc.dictionary(texts, texts, { maxKeys: 3 }),
    );
    fc.assert(
      fc.property(fc.dictionary(texts, values, { maxKeys: 3 }), args => {
        const argumentsText = JSON.stringify(args);
        const written = parser.write([{ id: 'call_1', name: 'f', arguments: {}, argumentsText }]);
        for (const again of [
          readCompletion(parser, textOf(written)),
          readCompletion(parser, written, { controlTokens }),
        ]) {
          expect(again.problems).toEqual([]);
          expect(again.repairs).toEqual([]);
          expect(again.calls.map(one => one.argumentsText)).toEqual([argumentsText]);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('every mark that is written is a control piece, and no text is one', () => {
    const argumentsText = JSON.stringify({ a: `x${open}`, 'b c': [1, 'y'] });
    const written = parser.write([{ id: 'call_1', name: 'f', arguments: {}, argumentsText }]);
    expect(written.filter(piece => piece.control).map(piece => piece.text)).toEqual([
      open,
      ...[quote, quote, quote, quote, quote, quote],
      close,
    ]);
    expect(textOf(written)).toBe(
      `${open}call:f{a:${quote}x${open}${quote},${quote}b c${quote}:[1,${quote}y${quote}]}${close}`,
    );
  });

  test('a number keeps its digits', () => {
    const text = `${open}call:f{n:12345678901234567890123,x:-1.50,y:[1e400]}${close}`;
    const { calls } = readCompletion(parser, text);
    expect(calls[0]?.argumentsText).toBe('{"n":12345678901234567890123,"x":-1.50,"y":[1e400]}');
  });
});
