/** Puts replies back into a rendering as the model wrote them, where the template would write them anew. */
import type { Piece } from '../../parsers/parser.ts';
import type { Turn } from '../../templates/turns.ts';
import type { Segment } from './marks.ts';

export type Chunk = Segment | { readonly pieces: readonly Piece[] };

/** What is known of how a template frames a reply. */
export interface ReplyFrame {
  /** From the end of a user's text to where a reply begins. */
  readonly afterUser: string;
  /** From the end of a result; undefined where the template shows none. */
  readonly afterResult: string | undefined;
  /** What ends a reply. */
  readonly ends: readonly string[];
  /** True where the name of the tool that was called is repeated before its result, behind the reply's end. */
  readonly repeatsName: boolean;
}

/**
 * A reply stands between its opening, which is looked for before its first text, and its end behind the last one. Returns the
 * turns, too, whose place was not found.
 */
export function putBack(
  segments: readonly Segment[],
  turns: readonly Turn[],
  { afterUser, afterResult, ends, repeatsName }: ReplyFrame,
): { readonly chunks: readonly Chunk[]; readonly missed: readonly number[] } {
  const chunks: Chunk[] = [...segments];
  const missed: number[] = [];
  for (const [at, turn] of [...turns.entries()].reverse()) {
    if (turn.role !== 'assistant' || !turn.completion) continue;
    const several = (turn.toolCalls ?? []).length > 1;
    const place = repeatsName && several ? undefined : placeOf(at);
    if (!place) {
      missed.push(at);
      continue;
    }
    const { first, last, before, after } = place;
    chunks.splice(first, last - first + 1, ...filled(before), { pieces: turn.completion }, ...filled(after));
  }
  return { chunks, missed };

  function placeOf(turn: number) {
    const own = (chunk: Chunk | undefined) => chunk !== undefined && 'text' in chunk && chunk.turn === turn;
    const from = chunks.findIndex(own);
    if (from < 0) return undefined;
    let to = from;
    for (;;) {
      const step = own(chunks[to + 1])
        ? 1
        : templateText(chunks[to + 1]) !== undefined && own(chunks[to + 2])
          ? 2
          : 0;
      if (step === 0 || (repeatsName && endIn(chunks[to + 1]) >= 0)) break;
      to += step;
    }
    if (!repeatsName && to !== chunks.findLastIndex(own)) return undefined;

    const before = from === 0 ? '' : templateText(chunks[from - 1]);
    const after = to === chunks.length - 1 ? '' : templateText(chunks[to + 1]);
    const opening = turns[turn - 1]?.role === 'results' ? afterResult : afterUser;
    if (before === undefined || after === undefined || opening === undefined) return undefined;
    const opens = before.lastIndexOf(opening);
    const end = after === '' ? 0 : endIn(chunks[to + 1]);
    if (opens < 0 || end < 0) return undefined;
    return {
      first: Math.max(0, from - 1),
      last: Math.min(chunks.length - 1, to + 1),
      before: before.slice(0, opens + opening.length),
      after: after.slice(end),
    };
  }

  function endIn(chunk: Chunk | undefined): number {
    const text = templateText(chunk) ?? '';
    const found = ends.map(end => text.indexOf(end)).filter(at => at >= 0);
    return found.length === 0 ? -1 : Math.min(...found);
  }
}

function templateText(chunk: Chunk | undefined): string | undefined {
  return chunk && 'text' in chunk && chunk.origin === 'template' ? chunk.text : undefined;
}

function filled(text: string): Segment[] {
  return text === '' ? [] : [{ text, origin: 'template', turn: -1 }];
}
