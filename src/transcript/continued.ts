/** Lists that mostly begin as the last one of their lane did: only what is new is written, so that a long dialogue stays short. */
import type { Prompt } from '../../templates/template.ts';
import type { Continued, RecordedEvent, Timed, TranscriptEntry } from './transcript.ts';

/** Each is asked of every event, in their order. */
export function eventPacker(): (event: RecordedEvent & Timed) => TranscriptEntry {
  const prompts = new Map<string, Prompt>();
  const idLists = new Map<string, readonly number[]>();
  return event => {
    if (event.type !== 'turn-start') return event;
    const { prompt, ids, ...rest } = event;
    return {
      ...rest,
      prompt: continued(prompts, rest.lane, prompt, samePiece),
      ...(ids ? { ids: continued(idLists, rest.lane, ids, Object.is) } : {}),
    };
  };
}

/** Undefined: a prompt continues what was never written. */
export function eventUnpacker(): (entry: TranscriptEntry) => (RecordedEvent & Timed) | undefined {
  const prompts = new Map<string, Prompt>();
  const idLists = new Map<string, readonly number[]>();
  return entry => {
    if (entry.type !== 'turn-start') return entry;
    const { prompt: packed, ids: packedIds, ...rest } = entry;
    const prompt = whole(prompts, rest.lane, packed);
    const ids = packedIds && whole(idLists, rest.lane, packedIds);
    if (!prompt || (packedIds && !ids)) return undefined;
    return { ...rest, prompt, ...(ids ? { ids } : {}) };
  };
}

function continued<Item>(
  last: Map<string, readonly Item[]>,
  lane: string,
  list: readonly Item[],
  same: (left: Item, right: Item) => boolean,
): Continued<Item> {
  const before = last.get(lane) ?? [];
  const most = Math.min(before.length, list.length);
  let keep = 0;
  while (keep < most && same(before[keep]!, list[keep]!)) keep++;
  last.set(lane, list);
  return { keep, add: list.slice(keep) };
}

function whole<Item>(
  last: Map<string, readonly Item[]>,
  lane: string,
  { keep, add }: Continued<Item>,
): readonly Item[] | undefined {
  const before = last.get(lane) ?? [];
  if (keep > before.length) return undefined;
  const list = [...before.slice(0, keep), ...add];
  last.set(lane, list);
  return list;
}

function samePiece(left: Prompt[number], right: Prompt[number]): boolean {
  if (left === right) return true;
  const words =
    'control' in left
      ? 'control' in right && left.control === right.control
      : 'text' in right && left.origin === right.origin && left.text === right.text;
  return words && sameIds(left.tokens, right.tokens);
}

function sameIds(left: readonly number[] | undefined, right: readonly number[] | undefined): boolean {
  if (left === right) return true;
  return left?.length === right?.length && left?.every((id, at) => id === right?.[at]) === true;
}
