/** What the laws need to know of a call syntax, and completions made from it. */
import fc from 'fast-check';
import type { Parser as Grammar } from 'parsimmon';
import type { StrictCall } from '../../parsers/grammar.ts';
import type {
  JsonObject,
  JsonValue,
  ParseEvent,
  Parser,
  Piece,
  ReadingContext,
  StopReason,
  ToolCall,
  ToolDefinition,
} from '../../parsers/parser.ts';

export interface SyntaxUnderTest {
  readonly name: string;
  readonly parser: Parser;
  readonly grammar: Grammar<StrictCall[]>;
  /** Names that the syntax can write. */
  readonly names: fc.Arbitrary<string>;
  /** Names of arguments that the syntax can write. Absent: any text. */
  readonly keys?: RegExp;
  /** Values do not say what types they have, so that they are read by the tools' schemas. */
  readonly typed?: true;
  /** The end of a call: what is cut off in it, or before it, is no call. Absent: a closing brace. */
  readonly end?: string;
  /** What a completion in this syntax is likely to hold. */
  readonly fragments: readonly string[];
  /** Markers that are never text, and are in no call. */
  readonly markers: readonly string[];
  /** How a call of this place is read again, where the syntax has ids. */
  asRead?(call: ToolCall, index: number): ToolCall;
  /** For a format of messages: their headers to the letter, which are in no event. */
  readonly frames?: RegExp;
}

export const identifiers = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/);
/** Names that stand without quotes before their call's arguments. */
export const headerNames = fc
  .tuple(identifiers, fc.constantFrom('', '.', '-', ':', '/'), identifiers)
  .map(parts => parts.join(''));
export const commonFragments = [
  ...[
    '\n',
    ' ',
    '\t',
    '"',
    "'",
    '`',
    '```',
    '```json\n',
    '\n```\n',
    '\\',
    '\\"',
    '\\n',
    '\\u00e9',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    ',',
    ':',
    ';',
    '=',
  ],
  ...[
    '1',
    '-2.5',
    '007',
    '1/6',
    'true',
    'True',
    'null',
    'None',
    'word',
    '"text"',
    "'it's'",
    '"""',
    '**',
    '<think>',
    '</think>',
    '<',
    '<|',
    '😀',
    'é',
  ],
  ...[
    'Some words. ',
    '"name": ',
    '"city": "Oslo"',
    '{"name": "get_weather", ',
    '"arguments": {',
    '"parameters": {',
    'get_weather(city="Oslo")',
  ],
];

const values = fc.jsonValue({ maxDepth: 4 });
const anyKeys = fc.oneof(identifiers, fc.string({ unit: 'grapheme' }));
const argumentObjects = (keys: fc.Arbitrary<string>) =>
  fc.dictionary(keys, values, { maxKeys: 5 }).map(value => JSON.parse(JSON.stringify(value)) as JsonObject);

export function callsOf(syntax: SyntaxUnderTest): fc.Arbitrary<ToolCall[]> {
  const call = fc.record({
    name: syntax.names,
    args: argumentObjects(syntax.keys ? fc.oneof(identifiers, fc.stringMatching(syntax.keys)) : anyKeys),
  });
  const sizes = { minLength: 1, maxLength: 4 };
  // A tool has one schema, so it is called with one set of types.
  const list = syntax.typed
    ? fc.uniqueArray(call, { ...sizes, selector: one => one.name })
    : fc.array(call, sizes);
  return list.map(calls =>
    calls.map(({ name, args }, index) => ({
      id: `call_${index + 1}`,
      name,
      arguments: args,
      argumentsText: JSON.stringify(args),
    })),
  );
}

/** Tools whose schemas say the types that these arguments have. */
export function toolsOf(calls: readonly ToolCall[]): ToolDefinition[] {
  return calls.map(({ name, arguments: args }) => ({
    name,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(args).map(([key, value]) => [key, { type: typeOf(value) }]),
      ),
    },
  }));
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Completions that are nearly right, in every way that the fragments can be put together. */
export function completionsOf(syntax: SyntaxUnderTest): fc.Arbitrary<string> {
  const fragments = fc.array(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...syntax.fragments) }, fc.string({ maxLength: 6 })),
    {
      maxLength: 14,
    },
  );
  const written = callsOf(syntax).map(calls => written_(syntax, calls));
  const mutated = fc
    .tuple(written, fc.nat(), fc.nat(12), fc.constantFrom('', ...syntax.fragments))
    .map(([text, at, length, put]) => {
      const from = at % (text.length + 1);
      return text.slice(0, from) + put + text.slice(from + length);
    });
  return fc.oneof(
    fragments.map(parts => parts.join('')),
    mutated,
    fc
      .tuple(fragments, written, fragments)
      .map(([before, text, after]) => before.slice(0, 3).join('') + text + after.slice(0, 4).join('')),
  );
}

function written_(syntax: SyntaxUnderTest, calls: readonly ToolCall[]): string {
  return textOf(syntax.parser.write(calls));
}

export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(piece => piece.text).join('');
}

/** Cut in pieces at these places. */
export function cut(text: string, places: readonly number[]): Piece[] {
  const sorted = [...new Set(places.map(place => (text.length === 0 ? 0 : place % text.length)))].sort(
    (a, b) => a - b,
  );
  return [...sorted, text.length].map((end, index) => ({
    text: text.slice(index === 0 ? 0 : sorted[index - 1], end),
  }));
}

export function eventsOf(
  parser: Parser,
  pieces: readonly Piece[],
  context: ReadingContext = {},
  reason: StopReason = 'stop',
): ParseEvent[] {
  const reading = parser.start(context);
  const events = pieces.flatMap(piece => reading.push(piece));
  return [...events, ...reading.end(reason)];
}

/** Neighbouring deltas of one kind as one: where they are cut is the only thing that pieces may change. */
export function merged(events: readonly ParseEvent[]): ParseEvent[] {
  const out: ParseEvent[] = [];
  for (const event of events) {
    const last = out.at(-1);
    if (event.type === 'call-delta' && last?.type === 'call-delta' && last.index === event.index) {
      out[out.length - 1] = { ...last, argumentsText: last.argumentsText + event.argumentsText };
    } else if (
      (event.type === 'text-delta' || event.type === 'reasoning-delta') &&
      last?.type === event.type
    ) {
      out[out.length - 1] = { ...last, text: last.text + event.text };
    } else out.push(event);
  }
  return out;
}
