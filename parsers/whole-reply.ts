/**
 * A reply that is nothing but calls, bare or in code fences, is read as calls. Until that is certain nothing goes out, but for
 * the form that a syntax has without any marker: that one goes out as soon as it has shown to be a call.
 */
import { callList } from './call-list.ts';
import { fill, markerHere, readSpace, type Steps } from './input.ts';
import { createProse } from './prose.ts';
import { type CallForm, type Session, stopHere } from './session.ts';

/** Tries from here on. False: it is no such reply, and nothing was consumed. */
export function* wholeReply(session: Session): Steps<boolean> {
  const { input, calls, syntax, prose } = session;
  const mark = input.mark();
  const before = calls.count;
  let fence = 0;
  let fenced = false;
  const held = calls.hold();

  for (;;) {
    yield* readSpace(input);
    if (!(yield* fill(input)) || (fence === 0 && (yield* stopHere(session)))) {
      if (calls.count === before) break;
      return accept('');
    }
    const char = input.text[input.at] ?? '';
    if (char === '`') {
      const ticks = yield* fenceLine(session);
      if (ticks < 3 || (fence > 0 && ticks < fence)) break;
      fence = fence > 0 ? 0 : ticks;
      fenced = true;
      continue;
    }
    if (fence > 0) {
      const open = yield* markerHere(
        input,
        syntax.blocks.map(block => block.open),
      );
      const block = syntax.blocks.find(one => one.open === open);
      if (open !== undefined && block) {
        const inner = input.mark();
        const everyCall = session.everyCall;
        session.everyCall = 'fenced-call';
        // Words beside the calls are not said before it is certain that they are.
        let said = '';
        session.prose = createProse(text => {
          said += text;
        });
        input.at += open.length;
        const isBlock = yield* block.read(session, inner);
        session.everyCall = everyCall;
        session.prose.flush();
        session.prose = prose;
        if (!isBlock || said.trim() !== '') break;
        continue;
      }
    }
    const lone = /[A-Za-z_]/.test(char);
    const named = lone ? syntax.bare : undefined;
    if (!(char === '{' || char === '[' || (lone && syntax.unmarked === 'python') || named)) break;

    const inner = input.mark();
    const listed: CallForm = lone || (char === '[' && (yield* pythonList(session))) ? 'python' : 'object';
    const form = named ? 'named' : listed;
    const unmarked = fence === 0 && form === syntax.unmarked;
    const result = yield* callList(session, {
      form,
      ...(named ? { named } : {}),
      mark: inner,
      tentative: true,
      strangers: unmarked && !lone,
      brackets: form === 'python',
      ...(unmarked ? {} : { repair: fence > 0 ? 'fenced-call' : 'bare-call' }),
      decided() {
        if (unmarked && !lone) held.commit();
      },
    });
    if (result.calls === 0) break;
    if (!held.open) return accept(result.rest);
    if (
      lone &&
      !named &&
      fence === 0 &&
      (/\n/.test(result.rest) || input.ended || (yield* stopHere(session)))
    )
      return accept(result.rest);
    if (result.rest.trim() !== '' && !/^[\s,;]*$/.test(result.rest)) break;
  }
  held.abandon();
  input.rewind(mark);
  return false;

  function accept(rest: string): true {
    // The fences themselves are in no call's span.
    const end = input.position() - rest.length;
    if (fenced) calls.repaired('fenced-call', { start: Math.max(0, mark.start), end: Math.max(0, end) });
    held.commit();
    input.release(mark);
    prose.block();
    prose.add(rest);
    return true;
  }
}

/** Reads calls amid text, where that is allowed. False: there were none; what was read has gone out as text. */
export function* bareCalls(session: Session): Steps<boolean> {
  const { input, calls, prose, syntax } = session;
  const mark = input.mark();
  const held = calls.hold();
  const form: CallForm = input.text[input.at] === '[' && (yield* pythonList(session)) ? 'python' : 'object';
  const result = yield* callList(session, {
    form,
    mark,
    tentative: true,
    ...(form === syntax.unmarked ? {} : { repair: 'bare-call' }),
    decided: held.commit,
  });
  if (result.calls > 0) prose.block();
  else {
    held.abandon();
    input.release(mark);
  }
  prose.add(result.rest);
  return true;
}

/** Reads a line of backticks and, where a fence opens, its language. How many backticks there were, or 0 where it is no fence. */
export function* fenceLine(session: Session): Steps<number> {
  const { input } = session;
  let ticks = 0;
  let info = '';
  while (yield* fill(input)) {
    const char = input.text[input.at] ?? '';
    if (char === '`' && info === '') ticks++;
    else if (char === '\n') break;
    else if (/[\w \t\r+-]/.test(char) && info.length < 24) info += char;
    else return (yield* stopHere(session)) ? ticks : 0;
    input.at++;
  }
  return ticks;
}

/** Whether `[` begins a list of `name(…)` rather than one of objects. */
function* pythonList(session: Session): Steps<boolean> {
  const { input } = session;
  for (let ahead = 1; ; ahead++) {
    while (input.text.length - input.at <= ahead) {
      if (input.ended || ahead > 256) return false;
      yield;
    }
    const char = input.text[input.at + ahead] ?? '';
    if (!/\s/.test(char)) return /[A-Za-z_]/.test(char);
    if (ahead > 256) return false;
  }
}
