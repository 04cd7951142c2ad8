/** Lists that mostly begin as the last one of their lane did: only what is new is written, so that a long dialogue stays short. */
import type { Prompt } from '../../templates/template.ts';
import type { Continued, RecordedEvent, Timed, TranscriptEntry } from './transcript.ts';

/** Each is asked of every event, in their order. */
export function eventPacker(): (event: RecordedEvent & Timed) => TranscriptEntry {
  const prompts = byLane(() => continuer<Prompt[number]>(samePiece));
  const idLists = byLane(() => continuer<number>(Object.is));
  return event => {
    if (event.type !== 'turn-start') return event;
    const { prompt, ids, ...rest } = event;
    return {
      ...rest,
      prompt: prompts(rest.lane)(prompt),
      ...(ids ? { ids: idLists(rest.lane)(ids) } : {}),
    };
  };
}

/** Undefined: a prompt continues what was never written. */
export function eventUnpacker(): (entry: TranscriptEntry) => (RecordedEvent & Timed) | undefined {
  const prompts = byLane(() => joiner<Prompt[number]>());
  const idLists = byLane(() => joiner<number>());
  return entry => {
    if (entry.type !== 'turn-start') return entry;
    const { prompt: packed, ids: packedIds, ...rest } = entry;
    const prompt = prompts(rest.lane)(packed);
    const ids = packedIds && idLists(rest.lane)(packedIds);
    if (!prompt || (packedIds && !ids)) return undefined;
    return { ...rest, prompt, ...(ids ? { ids } : {}) };
  };
}

function byLane<One>(create: () => One): (lane: string) => One {
  const lanes = new Map<string, One>();
  return lane => {
    const one = lanes.get(lane) ?? create();
    lanes.set(lane, one);
    return one;
  };
}

/** What each list adds to the one before it. */
export function continuer<Item>(
  same: (left: Item, right: Item) => boolean,
): (list: readonly Item[]) => Continued<Item> {
  let before: readonly Item[] = [];
  return list => {
    const most = Math.min(before.length, list.length);
    let keep = 0;
    while (keep < most && same(before[keep]!, list[keep]!)) keep++;
    before = list;
    return { keep, add: list.slice(keep) };
  };
}

/** The way back. Undefined: it keeps more than there was. */
export function joiner<Item>(): (packed: Continued<Item>) => readonly Item[] | undefined {
  let before: readonly Item[] = [];
  return ({ keep, add }) => {
    if (keep > before.length) return undefined;
    before = [...before.slice(0, keep), ...add];
    return before;
  };
}

export function samePiece(left: Prompt[number], right: Prompt[number]): boolean {
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
