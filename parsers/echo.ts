/** A block whose body a model writes a second time, bare, right behind it, as LFM2 does. */
import { fill, isSpace, markerHere, readSpace, type Steps } from './input.ts';
import type { Block, Session } from './session.ts';

/** The block, and what only repeats it letter for letter: that is left out and reported. */
export function dropEcho(block: Block): Block {
  const { open, close = '' } = block;
  return {
    ...block,
    *read(session, mark) {
      const { input } = session;
      const whole = input.mark();
      const { retries } = session;
      const isBlock = yield* block.read(session, mark);
      // Going back forgets all marks before: reading did so, or a reply that is still undecided would lose its own.
      if (!isBlock || retries !== session.retries || session.calls.holding) return isBlock;
      const body = input.since(whole);
      input.release(whole);
      const calls = body.endsWith(close) ? body.slice(0, -close.length).trim() : '';
      if (calls !== '') yield* echo(session, calls, { open, close });
      return true;
    },
  };
}

function* echo(session: Session, body: string, { open, close }: { open: string; close: string }): Steps {
  const { input, calls, prose } = session;
  const mark = input.mark();
  yield* readSpace(input);
  const start = input.position();
  if (!(yield* fill(input))) return input.rewind(mark);
  // The echo may have lost its first bracket; then only the closing marker proves it.
  const whole = input.text[input.at] === body[0];
  const expected = whole ? body : body.slice(1).trimStart();
  for (let at = 0; at < expected.length; ) {
    if (!(yield* fill(input)) || input.text[input.at] !== expected[at]) return input.rewind(mark);
    while (at < expected.length && input.at < input.text.length && input.text[input.at] === expected[at]) {
      input.at++;
      at++;
    }
  }
  // What goes on, such as a link's address behind its brackets, is a text of its own.
  const goesOn = yield* fill(input);
  const marker = goesOn ? yield* markerHere(input, [close, open, ...session.stops]) : undefined;
  const ends = !goesOn || marker !== undefined || isSpace(input.text.charCodeAt(input.at));
  if (!ends || (!whole && marker !== close)) return input.rewind(mark);
  if (marker === close) input.at += close.length;
  calls.repaired('echo', { start: Math.max(0, start), end: Math.max(0, input.position()) });
  input.release(mark);
  prose.block();
}
