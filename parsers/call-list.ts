/** Reads calls that stand one after another: in a block, in a list, or in a reply that is nothing else. */
import type { Call } from './calls.ts';
import { fill, type Mark, markerHere, readSpace, type Steps } from './input.ts';
import { type Outcome, objectCall } from './object-call.ts';
import { callName, pythonCall } from './python-call.ts';
import type { Repair } from './repairs.ts';
import { type CallForm, type Session, skipBrackets } from './session.ts';

export interface ListOptions {
  /** The form that belongs here; the other one is read too, and reported. */
  readonly form: CallForm;
  /** Where the block began. */
  readonly mark: Mark;
  readonly open?: string;
  readonly close?: string;
  /** What stands here may be no call at all. */
  readonly tentative: boolean;
  /** A name that no offered tool has makes a tentative call one too. */
  readonly strangers?: boolean;
  /** Calls in a list need its brackets. */
  readonly brackets?: boolean;
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

export function* callList(session: Session, options: ListOptions): Steps<ListResult> {
  const { input, calls } = session;
  const markers = [options.open, options.close].filter(one => one !== undefined);
  let mark = options.mark;
  let last: { call: Call; end: number } | undefined;
  let next: Mark | undefined;
  let gap = '';
  let read = 0;
  let inList = false;
  let closed = false;
  let doubled = false;

  for (;;) {
    gap += yield* readSpace(input);
    if (!(yield* fill(input))) break;
    const char = input.text[input.at] ?? '';
    const marker = markers.length > 0 ? yield* markerHere(input, markers) : undefined;
    if (marker !== undefined && marker === options.close) {
      if (!last) break;
      input.at += marker.length;
      settle(input.position());
      closed = true;
      break;
    }
    if (marker !== undefined && !last) {
      input.at += marker.length;
      doubled = true;
      continue;
    }
    if (marker !== undefined) break;
    if (last && (char === '}' || char === ']' || (char === ')' && inList))) {
      if (char === ']' && inList) inList = false;
      else last.call.repaired('extra-close');
      take();
      last.end = input.position();
      restart();
    } else if (last && (char === ',' || char === ';')) gap += take();
    else if (char === '[' && !inList) {
      inList = true;
      gap += take();
    } else if (char === '{' || /[A-Za-z_]/.test(char)) {
      if (!(yield* one(char))) break;
    } else {
      if (last && inList && gap.trim() === '' && '+-*/.%'.includes(char)) {
        last.call.fail('non_literal', 'A list of calls holds calls alone, nothing to compute with them.');
        yield* skipItem();
        last.end = input.position();
        restart();
        continue;
      }
      break;
    }
  }

  if (last && !closed) {
    if (!last.call.cut && (inList || options.close !== undefined)) last.call.repaired('missing-close');
    settle(last.end);
  }
  return { calls: read, rest: closed ? '' : gap, closed };

  function take(): string {
    return input.text[input.at++] ?? '';
  }

  /** Ends the call before, which had to wait for what closes it. */
  function settle(end: number): void {
    if (!last) return;
    const from = mark;
    last.call.end(end, () => input.since(from).slice(0, end - from.start));
    input.release(from);
    last = undefined;
  }

  function restart(): void {
    if (next) input.release(next);
    next = input.mark();
    gap = '';
  }

  /** False: nothing that is a call stands here; what was looked at is in the gap. */
  function* one(char: string): Steps<boolean> {
    const start = input.mark();
    const { tentative } = options;
    const form: CallForm = char === '{' ? 'object' : 'python';
    let name: string | undefined;
    if (form === 'python') {
      name = yield* callName(session);
      if (name === undefined) {
        gap += input.since(start);
        input.release(start);
        return false;
      }
      const { nameSuffix } = options;
      if (nameSuffix && name.endsWith(nameSuffix) && !calls.tool(name))
        name = name.slice(0, -nameSuffix.length);
    }
    const before = last;
    const span = before ? (next ?? start) : mark;
    const call = calls.open(span.start);
    const decided = () => {
      if (before) settle(before.end);
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
      if (start !== span) input.release(start);
      decided();
    }
    const outcome: Outcome =
      name === undefined
        ? yield* objectCall(session, call, how)
        : yield* pythonCall(session, call, name, how);
    if (outcome === 'not-a-call') {
      calls.drop();
      gap += input.since(start);
      input.release(start);
      return false;
    }
    if (session.everyCall) call.repaired(session.everyCall);
    if (doubled) call.repaired('doubled-marker');
    doubled = false;
    if (options.repair) call.repaired(options.repair);
    if (form !== options.form) call.repaired('foreign-call');
    else if (options.brackets && !inList) call.repaired('missing-brackets');
    if (start !== span) input.release(start);
    mark = span;
    next = undefined;
    last = { call, end: input.position() };
    read++;
    // A quote taken for one inside a string may have been the beginning of the next block's.
    if (outcome === 'read' && call.needed('inner-quote') && swallowed() !== undefined) call.broken();
    if (call.failed) yield* recover(call, form);
    last.end = input.position();
    restart();
    return true;
  }

  /** Goes on behind a broken call: behind the marker that closes its block, or behind its last bracket. */
  function* recover(call: Call, form: CallForm): Steps {
    if (options.close === undefined || options.open === undefined) {
      if (form === 'object' && !call.cut && call.openBrackets > 0)
        yield* skipBrackets(input, call.openBrackets);
      return;
    }
    const { open, close } = options;
    if (call.openBrackets === 0 && !call.cut) return;
    // A string that was never closed may have swallowed what comes after the block.
    const behind = swallowed();
    if (behind !== undefined && session.retries > 0 && !calls.holding) {
      session.retries--;
      if (call.cut) call.broken();
      const { start } = mark;
      input.rewind(mark);
      mark = input.mark();
      next = undefined;
      yield* skipTo(start + behind);
      return;
    }
    while (yield* fill(input)) {
      if (input.text[input.at] === '<' || input.text[input.at] === open[0]) {
        const found = yield* markerHere(input, [open, close, ...session.stops]);
        if (found !== undefined) return;
      }
      input.at++;
    }
  }

  function swallowed(): number | undefined {
    const { open, close } = options;
    return open === undefined || close === undefined
      ? undefined
      : swallowedClose(input.since(mark), open, close);
  }

  function* skipTo(position: number): Steps {
    while (input.position() < position && (yield* fill(input))) {
      input.at = Math.min(input.text.length, input.at + position - input.position());
    }
  }

  /** Skips to the comma or the bracket that ends this item of the list. */
  function* skipItem(): Steps {
    while (yield* fill(input)) {
      const char = input.text[input.at] ?? '';
      if (char === ',' || char === ']') return;
      input.at++;
      if ('([{'.includes(char)) yield* skipBrackets(input, 1);
    }
  }
}

/** Where a closing marker stands that looks like one: on a line of its own, or right before the next block. */
function swallowedClose(raw: string, open: string, close: string): number | undefined {
  for (let at = raw.indexOf(close); at >= 0; at = raw.indexOf(close, at + 1)) {
    const after = raw.slice(at + close.length, at + close.length + 64).trimStart();
    if (/\n\s*$/.test(raw.slice(Math.max(0, at - 64), at)) || after === '' || after.startsWith(open))
      return at;
  }
  return undefined;
}
