/** The laws that every call syntax keeps, whatever a model writes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CountedReading } from '../../parsers/create-parser.ts';
import { spacedJson } from '../../parsers/json-text.ts';
import type { ParseEvent, ReadingContext } from '../../parsers/parser.ts';
import { readCompletion } from '../../parsers/read.ts';
import { expectAccounted } from './accounting.ts';
import { callsOf, completionsOf, cut, eventsOf, merged, textOf, toolsOf } from './syntax.ts';
import { syntaxes } from './syntaxes/index.ts';

const weather = {
  name: 'get_weather',
  inputSchema: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      hours: { type: 'array', items: { type: 'integer' } },
    },
    required: ['city'],
  },
};
const contexts: fc.Arbitrary<ReadingContext> = fc.constantFrom<ReadingContext>(
  {},
  { tools: [weather] },
  { tools: [] },
  { tools: [weather], bareCalls: 'anywhere' },
  { tools: [weather], prefill: '<think>\n' },
);
const reasons = fc.constantFrom('stop' as const, 'length' as const);
/** `npm run fuzz` multiplies the runs. */
const times = Number(process.env.RAWCALL_FUZZ ?? 1);
const runs = { numRuns: 150 * times };

describe.each(syntaxes)('$name', syntax => {
  const { parser } = syntax;
  const completions = completionsOf(syntax);

  test('any split gives the same events, and deltas join to the arguments', () => {
    fc.assert(
      fc.property(
        completions,
        fc.array(fc.nat(), { maxLength: 8 }),
        contexts,
        reasons,
        (text, places, context, reason) => {
          const whole = merged(eventsOf(parser, [{ text }], context, reason));
          expect(merged(eventsOf(parser, cut(text, places), context, reason))).toEqual(whole);
          const characters = [...Array(text.length).keys()];
          expect(merged(eventsOf(parser, cut(text, characters), context, reason))).toEqual(whole);
          for (const event of whole)
            if (event.type === 'call-end') expect(joined(whole, event.index)).toBe(event.call.argumentsText);
        },
      ),
      runs,
    );
  });

  test('every character comes out: as text, in a span, or as a marker', () => {
    fc.assert(
      fc.property(completions, contexts, reasons, (text, context, reason) => {
        const events = merged(eventsOf(parser, [{ text }], context, reason));
        expectAccounted(text, events, syntax, context);
      }),
      runs,
    );
  });

  test('the work grows with the length, whatever is written', () => {
    fc.assert(
      fc.property(completions, fc.integer({ min: 1, max: 5 }), (text, size) => {
        const long = text.repeat(20);
        const reading = parser.start({ tools: [weather] }) as CountedReading;
        for (let at = 0; at < long.length; at += size) reading.push({ text: long.slice(at, at + size) });
        reading.end('stop');
        expect(reading.visited).toBeLessThanOrEqual(30 * long.length + 1000);
      }),
      { numRuns: 50 * times },
    );
  });

  test('what we write is read back, and is in the grammar', () => {
    fc.assert(
      fc.property(callsOf(syntax), calls => {
        const text = textOf(parser.write(calls));
        const context = syntax.typed ? { tools: toolsOf(calls) } : {};
        const { calls: read, problems, repairs, content } = readCompletion(parser, text, context);
        expect({ problems, repairs, content }).toEqual({ problems: [], repairs: [], content: '' });
        expect(read).toEqual(calls.map((call, index) => syntax.asRead?.(call, index) ?? call));
        // A grammar knows no schemas.
        const untyped = syntax.typed ? readCompletion(parser, text).calls : calls;
        expect(syntax.grammar.tryParse(text).map(plain)).toEqual(untyped.map(plain));
      }),
      runs,
    );
  });

  test('where the grammar reads a completion, so do we, and mend nothing', () => {
    fc.assert(
      fc.property(completions, text => {
        const strict = syntax.grammar.parse(text);
        if (!strict.status) return;
        const { calls, repairs } = readCompletion(parser, text);
        expect(calls.map(plain)).toEqual(strict.value.map(plain));
        expect(repairs).toEqual([]);
      }),
      runs,
    );
  });

  test('a cut call never runs', () => {
    fc.assert(
      fc.property(callsOf(syntax), fc.nat(), reasons, ([call], at, reason) => {
        if (!call) return;
        const text = textOf(parser.write([call]));
        const end = text.lastIndexOf(syntax.end ?? '}');
        const { calls } = readCompletion(parser, text.slice(0, at % (end + 1)), {}, reason);
        expect(calls).toEqual([]);
      }),
      runs,
    );
  });

  test('nesting has no limit', () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const call = { id: 'call_1', name: 'f', arguments: {}, argumentsText: `{"a":${deep}}` };
    const read = readCompletion(parser, textOf(parser.write([call])), {
      tools: [{ name: 'f', inputSchema: { type: 'object' } }],
    });
    expect(read.calls[0]?.argumentsText === call.argumentsText).toBe(true);
  });

  test('the first character of an argument goes out with its piece', () => {
    const call = { id: 'call_1', name: 'get_weather', arguments: {}, argumentsText: '{"city":"ØSLO"}' };
    const text = textOf(parser.write([call]));
    const reading = parser.start({ tools: [weather] });
    reading.push({ text: text.slice(0, text.indexOf('Ø')) });
    expect(reading.push({ text: 'Ø' })).toEqual([{ type: 'call-delta', index: 0, argumentsText: 'Ø' }]);
  });
});

function joined(events: readonly ParseEvent[], index: number): string {
  return events
    .map(event => (event.type === 'call-delta' && event.index === index ? event.argumentsText : ''))
    .join('');
}

function plain({ name, argumentsText }: { readonly name: string; readonly argumentsText: string }) {
  return { name, argumentsText: spacedJson(argumentsText) };
}
