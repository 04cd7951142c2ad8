/** What all parts of one reading share, and the syntax that they read. */
import type { Calls } from './calls.ts';
import { fill, type Input, type Mark, markerHere, type Steps } from './input.ts';
import type { LiteralReader } from './literal.ts';
import type { NamedCall } from './named-call.ts';
import type { ReadingContext, StopReason } from './parser.ts';
import type { Prose } from './prose.ts';
import type { Repair } from './repairs.ts';

/** A form of a call: `{"name": …}` or `name(argument=…)`. */
export type CallForm = 'object' | 'python';

/** A block that a marker opens anywhere in a reply. */
export interface Block {
  readonly open: string;
  readonly close?: string;
  /**
   * The marker stands around messages, not in one: as a control token it counts in code too, and code does not reach past it.
   */
  readonly frame?: boolean;
  /** Reads from behind the opening marker, which stands at the mark. False: it was no block; nothing is consumed for good. */
  read(session: Session, mark: Mark): Steps<boolean>;
}

/** What is peculiar to one call syntax. */
export interface Syntax {
  readonly name: string;
  readonly blocks: readonly Block[];
  /** Reads what a completion may begin with because the prompt holds the marker before it. */
  begin?(session: Session): Steps;
  /** The form that needs no marker at the beginning of a reply. */
  readonly unmarked?: CallForm;
  /** Reads a call of the format's own form that lost its markers, where a reply may be nothing else. */
  readonly bare?: NamedCall;
  /** The key of the arguments in a call object. */
  readonly argumentsKey: string;
  /** Where the context names none. */
  readonly stops: readonly string[];
  /** Markers that only a harness writes: what a model writes from there on is invented. */
  readonly results: readonly string[];
  /** `label`: what stands right behind the opening marker and is no thought. */
  readonly thinking: { readonly open: string; readonly close: string; readonly label?: string };
}

export interface Direct {
  readonly reader: LiteralReader;
  readonly add: AddJson;
  /** What the reader has read and not yet given out: the beginning of an escape. */
  pending: string;
}

export interface Session {
  readonly syntax: Syntax;
  readonly context: ReadingContext;
  readonly stops: readonly string[];
  readonly input: Input;
  readonly calls: Calls;
  prose: Prose;
  readonly thoughts: Prose;
  /** Why the completion ended, once it has. */
  reason: StopReason | undefined;
  /** The value that is being read. A piece that it takes whole goes straight to it. */
  direct: Direct | undefined;
  /** A repair that every call from here on needed. */
  everyCall: Repair | undefined;
  /** How often reading may still go back to look at a broken block again. It bounds the work. */
  retries: number;
}

/** Takes JSON text as it comes; `at` is where this very text stands in the completion, if it is known to. */
export type AddJson = (json: string, at?: number) => void;

/** Reads one literal to its end and hands over its JSON text as it comes. */
export function* readInto(session: Session, reader: LiteralReader, add: AddJson): Steps {
  const { input } = session;
  while (reader.state === 'open') {
    if (input.at < input.text.length) {
      input.at = reader.feed(input.text, input.at);
      if (reader.state !== 'open' || input.at === input.text.length) continue;
    }
    add(reader.take());
    if (input.ended) {
      reader.end();
      break;
    }
    session.direct = { reader, add, pending: '' };
    yield;
    session.direct = undefined;
  }
  add(reader.take());
}

/**
 * Skips to the end of so many open brackets, or to one of the markers, strings minded. False if the completion ends before.
 */
export function* skipBrackets(
  input: Input,
  openBrackets: number,
  markers: readonly string[] = [],
): Steps<boolean> {
  const firsts = markers.map(marker => marker[0]).join('');
  const proven = markers.filter(marker => input.isControlToken(marker));
  let depth = openBrackets;
  let quote = '';
  let escaped = false;
  while (depth > 0) {
    if (!(yield* fill(input))) return false;
    const char = input.text[input.at] ?? '';
    if (firsts.includes(char) && (yield* markerHere(input, quote === '' ? markers : proven))) return true;
    input.at++;
    if (escaped) escaped = false;
    else if (char === '\\') escaped = true;
    // A string that runs over its line is more likely an apostrophe.
    else if (quote !== '') quote = char === quote || char === '\n' ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
  }
  return true;
}

/** The control token that ends the turn, if one stands here. */
export function* stopHere({ input, stops }: Session): Steps<string | undefined> {
  return yield* markerHere(input, stops);
}
