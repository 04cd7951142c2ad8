/** The laws that every call syntax keeps, whatever a model writes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CountedReading } from '../../parsers/create-parser.ts';
import { spacedJson } from '../../parsers/json-text.ts';
import type { ParseEvent, ReadingContext } from '../../parsers/parser.ts';
import { readCompletion } from '../../parsers/read.ts';
import {
  callsOf,
  completionsOf,
  cut,
  eventsOf,
  merged,
  type SyntaxUnderTest,
  textOf,
  toolsOf,
} from './syntax.ts';
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
        const said = events.map(event => ('text' in event ? bare(event.text, syntax) : '')).join('');
        expect(bare(outsideSpans(text, events), syntax)).toBe(said);
        for (const event of events) {
          if (event.type === 'call-failed')
            expect(text.slice(event.span.start, event.span.end)).toBe(
              context.prefill && event.span.start === 0 ? text.slice(0, event.span.end) : event.raw,
            );
        }
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

/** What no call, no problem and no repair covers. */
function outsideSpans(text: string, events: readonly ParseEvent[]): string {
  const characters = [...Array(text.length).keys()].map(at => text[at] ?? '');
  for (const event of events) {
    const covers =
      event.type === 'call-end' ||
      event.type === 'call-failed' ||
      (event.type === 'repaired' && event.index < 0);
    if (covers) characters.fill('\0', event.span.start, event.span.end);
  }
  return characters.join('');
}

/** Without markers and white space, which beside a block are no text, and without what stands around messages. */
function bare(text: string, { markers, frames }: SyntaxUnderTest): string {
  const unframed = frames ? text.replace(frames, '') : text;
  return markers.reduce((rest, marker) => rest.replaceAll(marker, ''), unframed).replace(/[\0\t-\r ]/g, '');
}
