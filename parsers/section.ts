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
}

/** The section, and a call without one. */
export function sectionBlocks(section: Section): readonly Block[] {
  const { open, close, callOpen, callClose } = section;
  return [
    {
      open,
      close,
      *read(session, mark) {
        const last = yield* calls(section, session, mark);
        if (last === undefined) return yield* emptyBlock(session, mark, { open, close, until: [callOpen] });
        const { input, prose } = session;
        if (yield* markerHere(input, [close])) input.at += close.length;
        else if (last.closed && (session.reason === undefined || session.reason === 'stop')) {
          const start = Math.max(0, mark.start);
          session.calls.repaired('missing-close', { start, end: Math.max(start, mark.start + open.length) });
        }
        prose.block();
        prose.add(last.rest);
        return true;
      },
    },
    {
      open: callOpen,
      close: callClose,
      *read(session, mark) {
        const { rest } = yield* oneCall(section, session, mark, 'missing-open');
        session.prose.block();
        session.prose.add(rest);
        return true;
      },
    },
  ];
}

/** Reads the calls of a section that was opened at the mark, which the first one releases. Undefined: there is none. */
function* calls(section: Section, session: Session, opening: Mark): Steps<ListResult | undefined> {
  const { input } = session;
  let last: ListResult | undefined;
  for (;;) {
    const space = yield* readSpace(input);
    const here = (yield* fill(input)) && (yield* markerHere(input, [section.callOpen]));
    if (!here) return last && { ...last, rest: last.rest + space };
    input.release(opening);
    const mark = input.mark();
    input.at += section.callOpen.length;
    last = yield* oneCall(section, session, mark);
    if (last.rest.trim() !== '') return last;
  }
}

/** Reads one call from behind its marker, which stands at the mark. A marker without a call is a broken one. */
function* oneCall(section: Section, session: Session, mark: Mark, repair?: Repair): Steps<ListResult> {
  const { close, callOpen, callClose, call } = section;
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
  if (result.calls === 0)
    yield* emptyBlock(session, mark, { open: callOpen, close: callClose, until: [close], meant: true });
  return result.calls === 0 ? { calls: 1, rest: '', closed: true } : result;
}
