/** Reads calls that stand one after another: in a block, in a list, or in a reply that is nothing else. */
import type { Call } from './calls.ts';
import { fill, type Mark, markerHere, readSpace, type Steps } from './input.ts';
import type { NamedCall } from './named-call.ts';
import { type Outcome, objectCall } from './object-call.ts';
import { callName, pythonCall } from './python-call.ts';
import type { Repair } from './repairs.ts';
import { type CallForm, type Session, skipBrackets } from './session.ts';

/** `named`: a header of the format's own, then JSON arguments; one to a block. */
type ListForm = CallForm | 'named';

export interface ListOptions {
  /** The form that belongs here; another one is read too, and reported. */
  readonly form: ListForm;
  /** Reads a call of the form `named`. */
  readonly named?: NamedCall;
  /** Where the block began. */
  readonly mark: Mark;
  readonly open?: string;
  readonly close?: string;
  /** What may stand right behind the block, besides the next one. */
  readonly behind?: readonly string[];
  /** What stands here may be no call at all. */
  readonly tentative: boolean;
  /** A name that no offered tool has makes a tentative call one too. */
  readonly strangers?: boolean;
  /** Calls in a list need its brackets. */
  readonly brackets?: boolean;
  /** The opening bracket is behind us. */
  readonly inList?: boolean;
  /** Nothing closes the block but the bracket that closes the list, or the end of a call that stands alone. */
  readonly bracketEnds?: boolean;
  readonly repair?: Repair;
  /** What may stand behind a name and is no part of it. */
  readonly nameSuffix?: string;
  decided(): void;
}

export interface ListResult {
  /** How many calls were read, well or not. */
  readonly calls: number;
  /** What was read behind the last call and belongs to no call. */
  readonly rest: string;
  readonly closed: boolean;
}

export function callList(session: Session, options: ListOptions): Steps<ListResult> {
  return new CallList(session, options).read();
}

/** One list being read. A class, because V8 makes a hidden class for each generator function that is made anew. */
class CallList {
  private mark: Mark;
  private last: { call: Call; end: number } | undefined;
  private next: Mark | undefined;
  private gap = '';
  private count = 0;
  private inList = false;
  private doubled = false;
  private readonly session: Session;
  private readonly options: ListOptions;

  constructor(session: Session, options: ListOptions) {
    this.session = session;
    this.options = options;
    this.mark = options.mark;
    this.inList = options.inList ?? false;
  }

  *read(): Steps<ListResult> {
    const { options } = this;
    const { input } = this.session;
    const markers = [options.open, options.close].filter(one => one !== undefined);
    let closed = false;
    let listed = false;

    for (;;) {
      this.gap += yield* readSpace(input);
      if (!(yield* fill(input))) break;
      const { last } = this;
      const char = input.text[input.at] ?? '';
      const marker = markers.length > 0 ? yield* markerHere(input, markers) : undefined;
      if (marker !== undefined && marker === options.close) {
        if (!last) break;
        if (this.inList) last.call.repaired('missing-braces');
        input.at += marker.length;
        this.settle(input.position());
        closed = true;
        break;
      }
      if (marker !== undefined && !last) {
        input.at += marker.length;
        this.doubled = true;
        continue;
      }
      if (marker !== undefined) break;
      if (last && (char === '}' || char === ']' || (char === ')' && this.inList))) {
        if (char === ']' && this.inList) {
          this.inList = false;
          listed = true;
        } else last.call.repaired('extra-close');
        this.take();
        last.end = input.position();
        this.restart();
      } else if (last && options.named) break;
      else if (last && options.bracketEnds && !this.inList && (listed || !'{,;'.includes(char))) break;
      else if (last && (char === ',' || char === ';')) this.gap += this.take();
      else if (char === '[' && !this.inList) {
        this.inList = true;
        this.gap += this.take();
      } else if (char === '{' || options.named || /[A-Za-z_]/.test(char)) {
        if (!(yield* this.one(char))) break;
      } else {
        if (last && this.inList && this.gap.trim() === '' && '+-*/.%'.includes(char)) {
          last.call.fail('non_literal', 'A list of calls holds calls alone, nothing to compute with them.');
          yield* this.skipItem();
          last.end = input.position();
          this.restart();
          continue;
        }
        break;
      }
    }

    const { last } = this;
    if (last && !closed) {
      // What would part it from a next call is still its own.
      const separator = /^[\s,;]*[,;]/.exec(this.gap)?.[0];
      if (separator !== undefined && this.gap.slice(separator.length).trim() === '') {
        last.end += separator.length;
        this.gap = this.gap.slice(separator.length);
      }
      if (!last.call.cut && (this.inList || options.close !== undefined)) last.call.repaired('missing-close');
      this.settle(last.end);
    }
    return { calls: this.count, rest: closed ? '' : this.gap, closed };
  }

  private take(): string {
    const { input } = this.session;
    return input.text[input.at++] ?? '';
  }

  /** Ends the call before, which had to wait for what closes it. */
  private settle(end: number): void {
    const { last, mark } = this;
    const { input } = this.session;
    if (!last) return;
    last.call.end(end, () => input.since(mark).slice(0, end - mark.start));
    input.release(mark);
    this.last = undefined;
  }

  private restart(): void {
    const { input } = this.session;
    if (this.next) input.release(this.next);
    this.next = input.mark();
    this.gap = '';
  }

  /** False: nothing that is a call stands here; what was looked at is in the gap. */
  private *one(char: string): Steps<boolean> {
    const { session, options } = this;
    const { input, calls } = session;
    const start = input.mark();
    const { tentative } = options;
    const form: ListForm = char === '{' ? 'object' : options.named ? 'named' : 'python';
    let name: string | undefined;
    if (form === 'python') {
      name = yield* callName(session);
      if (name === undefined) {
        this.gap += input.since(start);
        input.release(start);
        return false;
      }
      const { nameSuffix } = options;
      if (nameSuffix && name.endsWith(nameSuffix) && !calls.tool(name))
        name = name.slice(0, -nameSuffix.length);
    }
    const before = this.last;
    const span = before ? (this.next ?? start) : this.mark;
    const call = calls.open(span.start);
    const decided = () => {
      if (before) this.settle(before.end);
      options.decided();
    };
    const how = {
      tentative,
      decided,
      strangers: options.strangers ?? false,
      ...(options.close === undefined ? {} : { close: options.close }),
    };
    if (!tentative) {
      // Nothing will be given back, so its text is kept only once.
      if (start !== span && form !== 'named') input.release(start);
      decided();
    }
    const outcome: Outcome =
      name !== undefined
        ? yield* pythonCall(session, call, name, how)
        : options.named && form === 'named'
          ? yield* options.named(session, call)
          : yield* objectCall(session, call, how);
    if (outcome === 'not-a-call') {
      calls.drop();
      this.gap += input.since(start);
      input.release(start);
      return false;
    }
    if (session.everyCall) call.repaired(session.everyCall);
    if (this.doubled) call.repaired('doubled-marker');
    this.doubled = false;
    if (options.repair) call.repaired(options.repair);
    if (form !== options.form) call.repaired('foreign-call');
    else if (options.brackets && !this.inList) call.repaired('missing-brackets');
    if (start !== span) input.release(start);
    this.mark = span;
    this.next = undefined;
    const last = { call, end: input.position() };
    this.last = last;
    this.count++;
    // A quote taken for one inside a string may have been the beginning of the next block's.
    if (outcome === 'read' && call.needed('inner-quote') && this.swallowed() !== undefined) call.broken();
    if (call.failed) yield* this.recover(call, form);
    last.end = input.position();
    this.restart();
    return true;
  }

  /** Goes on behind a broken call: behind the marker that closes its block, or behind its last bracket. */
  private *recover(call: Call, form: ListForm): Steps {
    const { session } = this;
    const { input, calls } = session;
    const { open, close, behind: after = [] } = this.options;
    if (call.openBrackets === 0 && !call.cut) return;
    // A string that was never closed may have swallowed what comes after the block.
    const behind = this.swallowed();
    if (behind !== undefined && session.retries > 0 && !calls.holding) {
      session.retries--;
      if (call.cut) call.broken();
      const { start } = this.mark;
      input.rewind(this.mark);
      this.mark = input.mark();
      this.next = undefined;
      yield* this.skipTo(start + behind);
      return;
    }
    const ends = [open, close, ...after, ...session.stops].filter(one => one !== undefined);
    if (close === undefined) {
      if (form !== 'python' && !call.cut)
        yield* skipBrackets(input, call.openBrackets, open === undefined ? [] : ends);
      return;
    }
    while (yield* fill(input)) {
      if (input.text[input.at] === '<' || input.text[input.at] === close[0]) {
        const found = yield* markerHere(input, ends);
        if (found !== undefined) return;
      }
      input.at++;
    }
  }

  private swallowed(): number | undefined {
    const { open, close, behind = [] } = this.options;
    const { input, reason } = this.session;
    if (open === undefined) return undefined;
    if (close !== undefined) return swallowedClose(input.since(this.mark), close, [open, ...behind]);
    // Without a closing marker a call that was cut looks the same as one that was never closed.
    return reason === undefined || reason === 'stop'
      ? swallowedOpen(input.since(this.mark), open)
      : undefined;
  }

  private *skipTo(position: number): Steps {
    const { input } = this.session;
    while (input.position() < position && (yield* fill(input))) {
      input.at = Math.min(input.text.length, input.at + position - input.position());
    }
  }

  /** Skips to the comma or the bracket that ends this item of the list. */
  private *skipItem(): Steps {
    const { input } = this.session;
    while (yield* fill(input)) {
      const char = input.text[input.at] ?? '';
      if (char === ',' || char === ']') return;
      input.at++;
      if ('([{'.includes(char)) yield* skipBrackets(input, 1);
    }
  }
}

/** Where a closing marker stands that looks like one: on a line of its own, or right before what may stand behind it. */
function swallowedClose(raw: string, close: string, behind: readonly string[]): number | undefined {
  for (let at = raw.indexOf(close); at >= 0; at = raw.indexOf(close, at + 1)) {
    const after = raw.slice(at + close.length, at + close.length + 64).trimStart();
    const ends = after === '' || behind.some(marker => after.startsWith(marker));
    if (ends || /\n\s*$/.test(raw.slice(Math.max(0, at - 64), at))) return at;
  }
  return undefined;
}

/** Where the next opening marker stands that looks like one: right behind a bracket or a quote that closes something. */
function swallowedOpen(raw: string, open: string): number | undefined {
  for (let at = raw.indexOf(open, open.length); at >= 0; at = raw.indexOf(open, at + 1)) {
    if (/[}\])"]\s*$/.test(raw.slice(Math.max(0, at - 64), at))) return at;
  }
  return undefined;
}
