/**
 * Finds where a raw value ends. A closing tag ends it only where what follows can follow: the next argument, the end of the
 * call, the end of the turn. Tags in the value itself, as in a text about calls, are matched with each other and are text.
 */
import { fill, markerHere, readSpace, type Steps } from './input.ts';
import type { Session } from './session.ts';
import {
  type Closing,
  closingOf,
  found,
  isClosing,
  mayFollow,
  type Opening,
  type TagKind,
  type Tags,
  tagHere,
} from './tags.ts';

/** A closing tag, and where it ends in the completion. */
export interface Closed {
  readonly kind: Closing;
  readonly end: number;
}

export interface ValueEnd {
  /** The value's own closing tag was missing. */
  readonly unclosed: boolean;
  /** The closing tags behind it. They are consumed, and so is the white space behind them. */
  readonly closed: readonly Closed[];
  /** The argument that follows where nothing closed this one; it is consumed up to its value. */
  readonly argument?: string;
}

export interface ValueOptions {
  add(text: string): void;
  /** Whether an argument of this name can only be the next one. */
  isNext(name: string): boolean;
  /** No tag opened the block that the call stands in, so none needs to close it before text goes on. */
  readonly bare: boolean;
}

const special = /[\n<]/g;

export class TaggedValue {
  private readonly session: Session;
  private readonly tags: Tags;
  private readonly options: ValueOptions;
  /** Tags that were opened in the value. */
  private readonly nest: Opening[] = [];
  /** The value began on a new line, so its tags do, too. */
  private onLines = false;
  /** The line so far holds nothing but white space. */
  private fresh = false;
  /** A line break and what indents the line behind it: part of the value only if the value goes on. */
  private held = '';

  constructor(session: Session, tags: Tags, options: ValueOptions) {
    this.session = session;
    this.tags = tags;
    this.options = options;
  }

  /** Reads from behind the opening tag. Undefined: the turn ended in the value. */
  *read(): Steps<ValueEnd | undefined> {
    const { input, stops } = this.session;
    // Letters that spell the end of a turn are text here: only the token is meant.
    const tokens = stops.filter(stop => input.isControlToken(stop));
    if (this.tags.lines && (yield* fill(input)) && input.text[input.at] === '\n') {
      input.at++;
      this.onLines = true;
      this.fresh = true;
    }
    while (yield* fill(input)) {
      special.lastIndex = input.at;
      const end = special.test(input.text) ? special.lastIndex - 1 : input.text.length;
      if (end > input.at) {
        const text = input.text.slice(input.at, end);
        input.at = end;
        this.text(text);
      } else if (input.text[input.at] === '\n') {
        input.at++;
        this.space('\n');
      } else {
        if (tokens.length > 0 && (yield* markerHere(input, tokens))) break;
        const tag = yield* tagHere(this.session, this.tags);
        if (tag === undefined) {
          input.at++;
          this.text('<');
        } else {
          const ended = isClosing(tag) ? yield* this.closing(tag) : yield* this.opening(tag);
          if (ended) return ended;
        }
      }
    }
    this.flush();
    return undefined;
  }

  /** A tag that opens something counts for one of the value's own only where it looks like the beginning of a call. */
  private *opening(kind: Opening): Steps<ValueEnd | undefined> {
    const { input } = this.session;
    const counts = this.fresh || !this.onLines;
    if (kind === 'argument' && counts) return yield* this.argument(this.nest.length === 0);
    input.at += this.length(kind);
    this.say(this.tags.texts[kind] ?? '');
    if (!counts) return undefined;
    if (kind === 'block') {
      this.space(yield* readSpace(input));
      if (/[[{]/.test(input.text[input.at] ?? '')) {
        this.nest.push(kind);
        return undefined;
      }
    }
    const named = kind === 'call' || this.tags.texts.call === undefined;
    if (named && !(yield* this.head())) return undefined;
    this.space(yield* readSpace(input));
    const next = yield* found(this.session, this.tags);
    const opens = named ? next === 'argument' || isClosing(next) : next === 'call';
    if (opens) this.nest.push(kind);
    return undefined;
  }

  /** Reads the name of a call in the value. */
  private *head(): Steps<boolean> {
    const { input } = this.session;
    const mark = input.mark();
    const head = yield* this.tags.head(this.session);
    this.say(input.since(mark));
    input.release(mark);
    return typeof head === 'object' && !head.strays && head.argument === undefined;
  }

  /**
   * Reads the tag that opens an argument: the call's next one, where it may be that, or else one of the value's own. `before`:
   * the closing tag before it, and the white space between them.
   */
  private *argument(mayEnd: boolean, before?: readonly [string, string]): Steps<ValueEnd | undefined> {
    const { input } = this.session;
    const mark = input.mark();
    let odd = false;
    input.at += this.length('argument');
    const name = yield* this.tags.argumentName(this.session, () => {
      odd = true;
    });
    const text = input.since(mark);
    input.release(mark);
    const whole = name !== undefined && !odd;
    const alone = !this.onLines || ((yield* fill(input)) && input.text[input.at] === '\n');
    if (mayEnd && whole && alone && this.options.isNext(name))
      return { unclosed: before === undefined, closed: [], argument: name };
    if (before) {
      this.say(before[0]);
      this.space(before[1]);
    }
    this.say(text);
    // No argument stands right in another: then the other was only spoken of.
    if (whole && this.nest.at(-1) !== 'argument') this.nest.push('argument');
    return undefined;
  }

  /** Looks on from a closing tag as long as closing tags follow, and decides what they close: this value, or tags in it. */
  private *closing(first: Closing): Steps<ValueEnd | undefined> {
    const { input } = this.session;
    const chain: Closed[] = [];
    let text = '';
    let kind = first;
    let inner = this.leave(kind);
    const began = inner;
    for (;;) {
      text += this.tags.texts[kind];
      input.at += this.length(kind);
      chain.push({ kind, end: input.position() });
      const space = yield* readSpace(input);
      const next = yield* found(this.session, this.tags);
      // Behind other text on its line, a closing tag is more likely a word.
      const likely = chain.length > 1 || inner || this.fresh || !this.onLines || space.includes('\n');
      const follows = likely && next !== 'text' && next !== 'end' && mayFollow[kind].includes(next);
      if (follows && isClosing(next)) {
        text += space;
        kind = next;
        inner &&= this.leave(kind);
        continue;
      }
      const ends =
        next === 'end' ||
        follows ||
        (next === 'text' && likely && first === 'argument-end' && !began && this.whole(kind));
      const unclosed = first !== 'argument-end';
      if (!inner && ends) return { unclosed, closed: unclosed ? chain : chain.slice(1) };
      // A tag of the value's own was closed, or one that was only spoken of was taken for one: the next name tells.
      if (inner && this.nest.length === 0 && kind === 'argument-end' && next === 'argument')
        return yield* this.argument(true, [text, space]);
      this.say(text);
      this.space(space);
      return undefined;
    }
  }

  /** Whether text may go on behind this tag. */
  private whole(kind: Closing): boolean {
    return kind === 'block-end' || (this.options.bare && kind === 'call-end');
  }

  /** Closes a tag of the value's own. False: none is open that it could close. */
  private leave(kind: Closing): boolean {
    const open = this.nest.at(-1);
    if (open === undefined || closingOf[open] !== kind) return false;
    this.nest.pop();
    return true;
  }

  private length(kind: TagKind): number {
    return this.tags.texts[kind]?.length ?? 0;
  }

  private text(text: string): void {
    if (text === '') return;
    if (this.fresh && /^[ \t]*$/.test(text)) this.held += text;
    else this.say(text);
  }

  private space(text: string): void {
    const line = this.tags.lines ? text.lastIndexOf('\n') : -1;
    if (line < 0) this.text(text);
    else {
      this.say(text.slice(0, line));
      this.held = text.slice(line);
      this.fresh = true;
    }
  }

  private say(text: string): void {
    this.flush();
    this.fresh = false;
    this.options.add(text);
  }

  private flush(): void {
    this.options.add(this.held);
    this.held = '';
  }
}
