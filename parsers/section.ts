/** Calls in a section: a marker opens it, each call stands between two markers of its own, and a marker closes it. */
import { emptyBlock } from './blocks.ts';
import { callList, type ListResult } from './call-list.ts';
import { fill, type Mark, markerHere, readSpace, type Steps } from './input.ts';
import type { NamedCall } from './named-call.ts';
import type { Repair } from './repairs.ts';
import type { Block, Session } from './session.ts';

export interface Section {
  readonly open: string;
  readonly close: string;
  readonly callOpen: string;
  readonly callClose: string;
  readonly call: NamedCall;
  /** Every call in a section of these marks needs it. */
  readonly repair?: Repair;
}

export function sectionBlock(section: Section): Block {
  const { open, close, callOpen } = section;
  return {
    open,
    close,
    *read(session, mark) {
      const { input, prose } = session;
      const words = yield* wordsBefore(section, session);
      if (words === undefined) return yield* emptyBlock(session, mark, { open, close, until: [callOpen] });
      if (words.trim() !== '') {
        prose.block();
        prose.add(words);
        prose.block();
      }
      input.release(mark);
      const last = yield* calls(section, session);
      if (yield* markerHere(input, [close])) input.at += close.length;
      else if (last.closed && (session.reason === undefined || session.reason === 'stop')) {
        const start = Math.max(0, mark.start);
        session.calls.repaired('missing-close', { start, end: Math.max(start, mark.start + open.length) });
      }
      prose.block();
      prose.add(last.rest);
      return true;
    },
  };
}

/** A call without a section. */
export function loneCallBlock(section: Section): Block {
  return {
    open: section.callOpen,
    close: section.callClose,
    *read(session, mark) {
      const { rest } = yield* oneCall({ ...section, repair: 'missing-open' }, session, mark);
      session.prose.block();
      session.prose.add(rest);
      return true;
    },
  };
}

/** Reads what a section begins with before its first call. Undefined: no call follows. */
function* wordsBefore(section: Section, session: Session): Steps<string | undefined> {
  const { input, syntax, stops } = session;
  const { open, close, callOpen } = section;
  const markers = [callOpen, open, close, ...stops, ...syntax.results];
  const mark = input.mark();
  while (yield* fill(input)) {
    const marker = yield* markerHere(input, markers);
    if (marker === undefined) input.at++;
    else {
      const words = input.since(mark);
      input.release(mark);
      return marker === callOpen ? words : undefined;
    }
  }
  input.release(mark);
  return undefined;
}

/** Reads the calls of a section, the first of which stands here. */
function* calls(section: Section, session: Session): Steps<ListResult> {
  const { input } = session;
  for (;;) {
    const mark = input.mark();
    input.at += section.callOpen.length;
    const last = yield* oneCall(section, session, mark);
    const space = yield* readSpace(input);
    const more = (yield* fill(input)) && (yield* markerHere(input, [section.callOpen]));
    if (!more || last.rest.trim() !== '') return { ...last, rest: last.rest + space };
  }
}

/** Reads one call from behind its marker, which stands at the mark. A marker without a call is a broken one. */
function* oneCall(section: Section, session: Session, mark: Mark): Steps<ListResult> {
  const { close, callOpen, callClose, call, repair } = section;
  const result = yield* callList(session, {
    form: 'named',
    named: call,
    mark,
    open: callOpen,
    close: callClose,
    behind: [close, ...session.stops],
    tentative: false,
    ...(repair === undefined ? {} : { repair }),
    decided() {},
  });
  if (result.calls > 0) return result;
  yield* emptyBlock(session, mark, { open: callOpen, close: callClose, until: [close], meant: true });
  return { calls: 1, rest: '', closed: true };
}
