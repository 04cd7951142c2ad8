/**
 * The tags of calls whose values are raw text, as Qwen3-Coder and GLM write them. Nothing in a value is escaped, so a value may
 * hold every one of these tags; `tagged-value.ts` says where it ends.
 */
import type { Call } from './calls.ts';
import { fill, markerHere, type Steps } from './input.ts';
import { type Session, stopHere } from './session.ts';

export type Opening = 'block' | 'call' | 'argument';
export type Closing = 'block-end' | 'call-end' | 'argument-end';
export type TagKind = Opening | Closing;

/** The tags of one syntax. */
export interface Tags {
  /** The text of each tag; of one with a name in it, what stands before the name. Where no tag opens a call, the block does. */
  readonly texts: Readonly<Partial<Record<TagKind, string>>> &
    Readonly<Record<'block' | 'block-end', string>>;
  /** A value stands on lines of its own, and the line break on either side is no part of it. */
  readonly lines: boolean;
  /** Reads what names the call, from behind the tag that opens it to where its arguments begin. Undefined: nothing does. */
  head(session: Session): Steps<Head | 'cut' | undefined>;
  /** Reads from behind the tag that opens an argument to where its value begins: the argument's name. */
  argumentName(session: Session, repaired: Call['repaired']): Steps<string | undefined>;
}

export interface Head {
  readonly name: string | undefined;
  /** The first argument, where its name stood right behind the call's. */
  readonly argument?: string;
  /** Text stood behind the name that is no part of a call. */
  readonly strays?: boolean;
}

const kinds: readonly TagKind[] = ['block', 'block-end', 'call', 'call-end', 'argument', 'argument-end'];

export const closingOf = {
  block: 'block-end',
  call: 'call-end',
  argument: 'argument-end',
} as const satisfies Record<Opening, Closing>;

/** What may stand behind a closing tag. Behind the whole block there may be text, too. */
export const mayFollow: Readonly<Record<Closing, readonly TagKind[]>> = {
  'argument-end': ['argument', 'call-end', 'block-end', 'call', 'block'],
  'call-end': ['block-end', 'call', 'block'],
  'block-end': ['call', 'block'],
};

export function isClosing(kind: string): kind is Closing {
  return kind in mayFollow;
}

/** The tag that stands here. It is not consumed. */
export function* tagHere({ input }: Session, { texts }: Tags): Steps<TagKind | undefined> {
  const marker = yield* markerHere(
    input,
    kinds.map(kind => texts[kind]).filter(text => text !== undefined),
  );
  return marker === undefined ? undefined : kinds.find(kind => texts[kind] === marker);
}

/** What stands here between the tags: another tag, text, or the end of the turn. It is not consumed. */
export function* found(session: Session, tags: Tags): Steps<TagKind | 'text' | 'end'> {
  if (!(yield* fill(session.input)) || (yield* stopHere(session))) return 'end';
  return (yield* tagHere(session, tags)) ?? 'text';
}

/** Reads up to one of these characters, which must all be ASCII. It is not consumed. */
export function* readUntil({ input }: Session, characters: RegExp): Steps<string> {
  const parts: string[] = [];
  while (yield* fill(input)) {
    const rest = input.text.slice(input.at);
    const end = rest.search(characters);
    parts.push(end < 0 ? rest : rest.slice(0, end));
    input.at += end < 0 ? rest.length : end;
    if (end >= 0) break;
  }
  return parts.join('');
}
