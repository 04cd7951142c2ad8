/** The text of a completion as it comes in: what is not read yet, marks to go back to, and where control tokens stood. */

import { History } from './text-store.ts';

/** A step of reading. It yields where it needs more text, and goes on where it was when there is some. */
export type Steps<T = void> = Generator<void, T, void>;

/** A place that reading may go back to, or whose text is wanted later. */
export interface Mark {
  readonly start: number;
}

export interface Input {
  /** The text in hand. It is read by moving `at`; neither is kept from one piece to the next. */
  text: string;
  at: number;
  /** Where `text` begins in the completion; negative in the prefill. */
  base: number;
  ended: boolean;
  /** Characters handed over so far, those handed over again included: the measure of the work done. */
  visited: number;
  push(text: string, control: boolean): void;
  /** Whether all before this text is read and no character is split at its ends, so that it may be passed. */
  fits(text: string): boolean;
  /** Takes text that fits and is read already. */
  pass(text: string): void;
  end(): void;
  position(): number;
  mark(): Mark;
  /** What was read since the mark. */
  since(mark: Mark): string;
  release(mark: Mark): void;
  /** Goes back to the mark, plus so many characters, and releases it. */
  rewind(mark: Mark, plus?: number): void;
  /** Whether a marker that stands at this index counts: as a control token where the vocabulary has it as one, else by its text. */
  counts(marker: string, at?: number): boolean;
  isControlToken(marker: string): boolean;
}

export function createInput(controlTokens?: ReadonlySet<string>, prefillLength = 0): Input {
  /** In the order of their making. */
  let marks: Mark[] = [];
  const history = new History();
  const controls = new Set<number>();
  let surrogate = '';

  const input: Input = {
    text: '',
    at: 0,
    base: -prefillLength,
    ended: false,
    visited: 0,
    push(piece, control) {
      let text = piece;
      if (surrogate !== '') {
        text = surrogate + text;
        surrogate = '';
      }
      // Half a character waits for its other half, so that no delta ever splits one.
      const last = text.charCodeAt(text.length - 1);
      if (last >= 0xd800 && last <= 0xdbff) {
        surrogate = text.slice(-1);
        text = text.slice(0, -1);
      }
      append(text);
      if (control) controls.add(input.base + input.text.length - piece.length);
    },
    fits(text) {
      const last = text.charCodeAt(text.length - 1);
      return surrogate === '' && !(last >= 0xd800 && last <= 0xdbff) && input.at >= input.text.length;
    },
    pass(text) {
      input.visited += text.length;
      input.base += input.at;
      input.text = text;
      input.at = text.length;
      if (marks.length > 0) history.add(text);
    },
    end() {
      append(surrogate);
      surrogate = '';
      input.ended = true;
    },
    position: () => input.base + input.at,
    mark() {
      const mark = { start: input.base + input.at };
      if (marks.length === 0) history.begin(mark.start, input.text.slice(input.at));
      marks.push(mark);
      return mark;
    },
    since: mark => history.between(mark.start, input.base + input.at),
    release(mark) {
      const index = marks.indexOf(mark);
      if (index < 0) return;
      marks.splice(index, 1);
      if (index === 0 && marks.length > 0) history.drop(Math.min(...marks.map(one => one.start)));
    },
    rewind(mark, plus = 0) {
      const text = history.between(mark.start + plus, input.base + input.text.length);
      marks = [];
      input.visited += input.position() - mark.start;
      input.text = text;
      input.at = 0;
      input.base = mark.start + plus;
    },
    counts: (marker, at = input.at) => !controlTokens?.has(marker) || controls.has(input.base + at),
    isControlToken: marker => controlTokens?.has(marker) ?? false,
  };
  return input;

  function append(text: string): void {
    const { at } = input;
    input.visited += text.length + input.text.length - at;
    if (marks.length === 0 && controls.size > 0) {
      for (const start of controls) if (start < input.base + at) controls.delete(start);
    }
    input.base += at;
    input.text = at === input.text.length ? text : input.text.slice(at) + text;
    input.at = 0;
    if (marks.length > 0) history.add(text);
  }
}

/** Waits until there is a character to read. False at the end of the completion. */
export function* fill(input: Input): Steps<boolean> {
  while (input.at >= input.text.length) {
    if (input.ended) return false;
    yield;
  }
  return true;
}

/** The marker of these that stands here, the longest one; only so much text is awaited as one of them may still need. */
export function* markerHere(input: Input, markers: readonly string[]): Steps<string | undefined> {
  let candidates = markers.filter(marker => input.counts(marker));
  for (let length = 1; candidates.length > 0; length++) {
    while (input.text.length - input.at < length) {
      if (input.ended) return longest(candidates.filter(one => one.length < length));
      yield;
    }
    const last = input.text[input.at + length - 1];
    const next = candidates.filter(one => one.length < length || one[length - 1] === last);
    if (next.every(one => one.length <= length)) return longest(next);
    candidates = next;
  }
  return undefined;
}

function longest(markers: readonly string[]): string | undefined {
  return markers.reduce<string | undefined>(
    (best, one) => (best && best.length >= one.length ? best : one),
    undefined,
  );
}

/** Reads white space and gives it back. */
export function* readSpace(input: Input): Steps<string> {
  let space = '';
  while (yield* fill(input)) {
    const start = input.at;
    while (input.at < input.text.length && isSpace(input.text.charCodeAt(input.at))) input.at++;
    space += input.text.slice(start, input.at);
    if (input.at < input.text.length) break;
  }
  return space;
}

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
