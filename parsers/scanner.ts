/** Walks over a completion: text flows out, and markers hand over to whatever reads what stands behind them. */
import { type CodeState, codeState } from './code.ts';
import { fill, markerHere, readSpace, type Steps } from './input.ts';
import { reasoning } from './reasoning.ts';
import type { Block, Session } from './session.ts';
import { readTail } from './tail.ts';
import { bareCalls, wholeReply } from './whole-reply.ts';

/** What the steps below share. They stand on their own, because V8 makes a hidden class for each generator function made anew. */
interface Walk {
  readonly session: Session;
  readonly code: CodeState;
  readonly closes: readonly string[];
}

export function* scan(session: Session): Steps {
  const { input, calls, prose, syntax, stops, context } = session;
  const { open: thinkOpen, close: thinkClose } = syntax.thinking;
  const closes = syntax.blocks.map(block => block.close).filter(close => close !== undefined);
  const opens = syntax.blocks.map(block => block.open);
  const markers = [...new Set([...stops, thinkOpen, thinkClose, ...opens, ...closes, ...syntax.results])];
  const anywhere = context.bareCalls === 'anywhere' ? '{[' : '';
  const special = charactersRegExp(
    [...new Set([...markers.map(marker => marker[0]), '`', ...anywhere])].join(''),
  );
  const code = codeState();
  const walk: Walk = { session, code, closes };
  let tried = false;
  if (syntax.begin) yield* syntax.begin(session);

  while (yield* fill(input)) {
    if (!tried && !prose.said && calls.count === 0) {
      // Space at the beginning of a reply is text only if text follows.
      prose.add(yield* readSpace(input));
      if (!(yield* fill(input))) break;
      if (/[`{[A-Za-z_]/.test(input.text[input.at] ?? '')) {
        tried = true;
        if (yield* wholeReply(session)) continue;
        if (!(yield* fill(input))) break;
      }
    }
    special.lastIndex = input.at;
    const found = special.test(input.text) ? special.lastIndex - 1 : input.text.length;
    if (found > input.at) {
      const text = input.text.slice(input.at, found);
      input.at = found;
      prose.add(text);
      code.text(text);
      continue;
    }
    const char = input.text[input.at] ?? '';
    if (char === '`') {
      yield* backticks(walk);
      continue;
    }
    const marker = yield* markerHere(input, markers);
    if (marker === undefined) {
      if (anywhere.includes(char) && !code.inside && (yield* bareCalls(session))) continue;
      say(walk, char);
    } else if (yield* handle(walk, marker)) return;
  }
  prose.flush();
}

/** True: the turn is over. */
function* handle(walk: Walk, marker: string): Steps<boolean> {
  const { session, code, closes } = walk;
  const { input, calls, prose, syntax, stops } = session;
  const { open: thinkOpen, close: thinkClose } = syntax.thinking;
  if (stops.includes(marker) || (syntax.results.includes(marker) && calls.count > 0 && !code.inside)) {
    prose.flush();
    yield* readTail(session);
    return true;
  }
  const block = syntax.blocks.find(one => one.open === marker);
  if (block?.frame && input.isControlToken(marker)) code.leave();
  if (code.unproven) yield* proveCode(walk);
  if (code.inside) {
    say(walk, marker);
    return false;
  }
  if (block) yield* readBlock(walk, block);
  else if (marker === thinkOpen && (prose.lineIsBlank || input.isControlToken(marker))) {
    const start = input.position();
    input.at += marker.length;
    prose.block();
    yield* reasoning(session, start);
  } else if (closes.includes(marker) || marker === thinkClose) {
    const start = input.position();
    input.at += marker.length;
    const end = input.position();
    // A prompt that turns thinking off may end with the mark that closes a thought.
    if (end > 0) calls.repaired('orphan-close', { start: Math.max(0, start), end });
    prose.block();
  } else say(walk, marker);
  return false;
}

function* readBlock(walk: Walk, block: Block): Steps {
  const { input } = walk.session;
  const mark = input.mark();
  input.at += block.open.length;
  if (yield* block.read(walk.session, mark)) return;
  // Not a block: its marker was a word of the text.
  input.rewind(mark);
  say(walk, block.open);
}

function say({ session, code }: Walk, text: string): void {
  session.input.at += text.length;
  session.prose.add(text);
  code.text(text);
}

function* backticks({ session, code }: Walk): Steps {
  const { input, prose } = session;
  const begins = prose.lineIsBlank;
  let count = 0;
  while ((yield* fill(input)) && input.text[input.at] === '`') {
    input.at++;
    count++;
  }
  prose.add('`'.repeat(count));
  code.ticks(count, begins);
}

/** Looks ahead whether backticks close on this line what backticks opened. */
function* proveCode({ session: { input }, code }: Walk): Steps {
  const mark = input.mark();
  let char = '';
  while (char !== '`' && char !== '\n' && (yield* fill(input))) char = input.text[input.at++] ?? '';
  input.rewind(mark);
  code.prove(char === '`');
}

/** Finds the next of these characters. */
function charactersRegExp(characters: string): RegExp {
  return new RegExp(`[${characters.replace(/[\]\\^-]/g, '\\$&')}]`, 'g');
}
