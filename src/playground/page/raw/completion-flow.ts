/** A raw completion as a flow of tokens, tied to what was read of it. */
import type { Piece } from '../../../../parsers/parser.ts';
import type { RawCompletion, ReadSpan } from '../../protocol.ts';
import type { Flow, Range, TokenFacts } from './flow.ts';

export interface CompletionFlow extends Flow {
  /** The tokens of each span of the completion, in their order. */
  readonly ranges: readonly Range[];
  /** The spans, by their numbers, that a token lies in. */
  spansAt(token: number): readonly number[];
}

export function completionFlow({ pieces, spans }: RawCompletion): CompletionFlow {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of pieces) {
    starts.push(length);
    length += text.length;
  }
  const endOf = (at: number) => starts[at + 1] ?? length;
  const ranges = spans.map(({ span }) => ({
    start: firstAbove(starts, span.start) - 1,
    end: Math.max(firstAbove(starts, span.start), firstAtLeast(starts, span.end)),
  }));
  const covering: number[][] = pieces.map(() => []);
  for (const [number, { start, end }] of ranges.entries())
    for (let at = start; at < end; at++) covering[at]?.push(number);
  const spansAt = (at: number) => covering[at] ?? [];
  const most = (at: number) =>
    spansAt(at)
      .filter(number => spans[number]!.kind !== 'repair')
      .sort((left, right) => overlap(right, at) - overlap(left, at))[0];

  function overlap(number: number, at: number): number {
    const { start, end } = spans[number]!.span;
    return Math.min(end, endOf(at)) - Math.max(start, starts[at]!);
  }

  return {
    ranges,
    spansAt,
    tokens: pieces.map(({ text, control }, at) => {
      const number = most(at);
      const kind = number === undefined ? 'passed' : spans[number]!.kind;
      const mended = spansAt(at).some(number => spans[number]!.kind === 'repair');
      return { text, looks: `${control ? 'control ' : ''}read-${kind}${mended ? ' mended' : ''}` };
    }),
    facts(at) {
      const parts = spansAt(at).map(number => spanWords(spans[number]!));
      return pieceFacts(pieces, at, parts.length > 0 ? parts : ['passed over']);
    },
    margin: at => ({ words: String(at), looks: '' }),
    landmarks: [...new Set(ranges.map(({ start }) => start))].sort((left, right) => left - right),
  };
}

/** What is written and not read yet. */
export function writtenFlow(pieces: readonly Piece[]): Flow {
  return {
    tokens: pieces.map(({ text, control }) => ({ text, looks: control ? 'control' : 'read-passed' })),
    facts: at => pieceFacts(pieces, at, []),
    margin: at => ({ words: String(at), looks: '' }),
    landmarks: [],
  };
}

function pieceFacts(pieces: readonly Piece[], at: number, parts: readonly string[]): TokenFacts {
  const { text, tokens = [], control } = pieces[at]!;
  const ids = tokens.length > 0 ? [`${tokens.length > 1 ? 'ids' : 'id'} ${tokens.join(', ')}`] : [];
  return { text, notes: [...ids, `position ${at}`, ...(control ? ['control token'] : []), ...parts] };
}

/** In a few words what was read. */
export function spanWords(span: ReadSpan): string {
  switch (span.kind) {
    case 'text':
      return 'text';
    case 'reasoning':
      return 'reasoning';
    case 'call':
      return `call of ${span.call.name}`;
    case 'problem':
      return `problem ${span.problem}`;
    case 'repair':
      return `repair ${span.repair}`;
  }
}

/** How many of the rising numbers are at most this one. */
function firstAbove(numbers: readonly number[], than: number): number {
  return firstAtLeast(numbers, than + 1);
}

/** How many of the rising numbers are less than this one. */
function firstAtLeast(numbers: readonly number[], than: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < than) low = middle + 1;
    else high = middle;
  }
  return low;
}
