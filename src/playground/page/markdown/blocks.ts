/**
 * Markdown that is still being written. Blocks that have another one behind them are final; only the last one is read again when
 * text comes, so that a long answer costs as much at its end as at its beginning.
 */
import { Lexer, type Token } from 'marked';

export interface Blocks {
  /**
   * `live`: more will come, so that reading may wait where it takes long. Text that does not go on from the last one is read from
   * its beginning.
   */
  update(text: string, live: boolean): void;
  /** They are the same objects from one update to the next, until they are read again. */
  readonly tokens: readonly Token[];
}

/** So much is read at a time; a block that is longer is found by reading more. */
const firstLook = 2000;
/** A longer block is shown as it stands, unless it is code: some texts take the lexer a time that grows with the square of their length. */
const largestBlock = 10_000;
/** `> > > >` or `- - - -`: each level is read again by all that are around it. */
const tooDeep = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])(?=[ \t>]|$)){17}/m;
/** While more comes, reading takes at most this part of the time. */
const share = 1 / 16;

/** @param now in ms */
export function readBlocks(now: () => number = () => performance.now()): Blocks {
  let text = '';
  let final: Token[] = [];
  let open: Token[] = [];
  /** Where the last block begins. */
  let start = 0;
  let restUntil = 0;

  function update(given: string, live: boolean): void {
    const next = given.includes('\r') ? given.replace(/\r\n?/g, '\n') : given;
    const began = now();
    if (live && began < restUntil) return;
    if (!next.startsWith(text)) {
      final = [];
      start = 0;
    }
    text = next;
    read();
    const took = now() - began;
    restUntil = took > 4 ? began + took / share : 0;
  }

  function read(): void {
    let look = firstLook;
    for (;;) {
      const end = blankLine(text, start + look);
      const tokens = lexed(text.slice(start, end));
      // What stands last may go on: a list does, behind a blank line too.
      const last = tokens.findLastIndex(({ type }) => type !== 'space');
      const whole = tokens.slice(0, Math.max(0, last));
      if (end === text.length) {
        keep(whole);
        open = tokens.slice(whole.length);
        return;
      }
      if (whole.length > 0) {
        keep(whole);
        look = firstLook;
      } else if (look < largestBlock || tokens.at(last)?.type === 'code') look *= 2;
      else keep(tokens);
    }
  }

  function keep(tokens: readonly Token[]): void {
    if (tokens.length === 0) return;
    final = [...final, ...tokens];
    start += lengthOf(tokens);
  }

  return {
    update,
    get tokens() {
      return [...final, ...open];
    },
  };
}

/** The end of the first blank line from here on, or of the text. */
function blankLine(text: string, from: number): number {
  const found = text.indexOf('\n\n', from);
  return found === -1 ? text.length : found + 2;
}

function lexed(text: string): Token[] {
  const plain: Token[] = text === '' ? [] : [{ type: 'plain', raw: text }];
  const isCode = /^(?:```|~~~)/.test(text);
  if ((text.length > largestBlock && !isCode) || tooDeep.test(text)) return plain;
  const tokens: Token[] = new Lexer({ gfm: true }).lex(text);
  // What the lexer has rewritten would put the beginnings of blocks out of place.
  return lengthOf(tokens) === text.length ? tokens : plain;
}

const lengthOf = (tokens: readonly Token[]) => tokens.reduce((length, { raw }) => length + raw.length, 0);
