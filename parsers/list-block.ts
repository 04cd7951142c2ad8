/** A marker that a JSON list of calls follows. The bracket that closes the list ends the block; a marker may, where there is one. */
import Parsimmon, { type Parser } from 'parsimmon';
import { emptyBlock } from './blocks.ts';
import { callList } from './call-list.ts';
import { callObject, type StrictCall, space } from './grammar.ts';
import { fill, markerHere, readSpace } from './input.ts';
import { spacedJson } from './json-text.ts';
import { cutCall } from './named-call.ts';
import type { ToolCall } from './parser.ts';
import type { Block } from './session.ts';

/** The list to the letter. */
export const objectList: Parser<StrictCall[]> = callObject('arguments')
  .sepBy1(Parsimmon.string(',').trim(space))
  .wrap(Parsimmon.string('[').trim(space), space.then(Parsimmon.string(']')));

export function listText(calls: readonly ToolCall[]): string {
  const objects = calls.map(
    call => `{"name": ${JSON.stringify(call.name)}, "arguments": ${spacedJson(call.argumentsText)}}`,
  );
  return `[${objects.join(', ')}]`;
}

export interface ListBlock {
  readonly open: string;
  /** What may stand behind the list, and need not. */
  readonly close?: string;
  /** Other markers for the same, of which a model may write several. */
  readonly others?: readonly string[];
}

/** The marker is a token, or cannot be anything else. */
export function listBlock({ open, close, others = [] }: ListBlock): Block {
  return {
    open,
    ...(close === undefined ? {} : { close }),
    *read(session, mark) {
      const { input, prose } = session;
      yield* readSpace(input);
      const other = yield* markerHere(input, others);
      if (other) input.at += other.length;
      const result = yield* callList(session, {
        form: 'object',
        mark,
        open,
        brackets: true,
        bracketEnds: true,
        tentative: false,
        ...(other ? { repair: 'doubled-marker' } : {}),
        decided() {},
      });
      if (result.calls === 0) return yield* emptyBlock(session, mark, { open });
      const closed = close !== undefined && (yield* markerHere(input, [close]));
      if (closed) input.at += closed.length;
      prose.block();
      prose.add(result.rest);
      return true;
    },
  };
}

/** The marker is a word that text may hold too: only the beginning of a list of objects behind it makes it one. */
export function wordListBlock(open: string): Block {
  return {
    open,
    *read(session, mark) {
      const { input, prose, calls } = session;
      yield* readSpace(input);
      if (!(yield* fill(input)) || input.text[input.at++] !== '[') return false;
      yield* readSpace(input);
      if (yield* fill(input)) {
        if (input.text[input.at] !== '{') return false;
        const result = yield* callList(session, {
          form: 'object',
          mark,
          inList: true,
          bracketEnds: true,
          tentative: false,
          decided() {},
        });
        prose.block();
        prose.add(result.rest);
        return true;
      }
      const call = calls.open(mark.start);
      cutCall(call);
      call.end(input.position(), () => input.since(mark));
      input.release(mark);
      prose.block();
      return true;
    },
  };
}
