/** A marker that a JSON list of calls follows. The bracket that closes the list ends the block; a marker may, where there is one. */
import Parsimmon, { type Parser } from 'parsimmon';
import { emptyBlock } from './blocks.ts';
import { callList } from './call-list.ts';
import { callObject, type StrictCall, space } from './grammar.ts';
import { fill, type Input, type Mark, markerHere, readSpace, type Steps } from './input.ts';
import { spacedJson } from './json-text.ts';
import { cutCall } from './named-call.ts';
import type { ToolCall } from './parser.ts';
import type { Block, Session } from './session.ts';

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
  /** The marker is a word that text may hold too: only the beginning of a list of objects behind it makes it one. */
  readonly word?: boolean;
}

export function listBlock({ open, close, others = [], word = false }: ListBlock): Block {
  return {
    open,
    ...(close === undefined ? {} : { close }),
    *read(session, mark) {
      const { input, prose } = session;
      yield* readSpace(input);
      const other = yield* markerHere(input, others);
      if (other) input.at += other.length;
      const inList = (yield* charBehind(input)) === '[';
      if (inList) input.at++;
      const first = yield* charBehind(input);
      if (word && !(inList && (first === '{' || first === undefined))) return false;
      let rest = '';
      if (inList && first === undefined) cutList(session, mark);
      else if (inList && first === ']') yield* emptyList(session, mark);
      else {
        const result = yield* callList(session, {
          form: 'object',
          mark,
          open,
          inList,
          brackets: true,
          bracketEnds: true,
          tentative: false,
          ...(other ? { repair: 'doubled-marker' } : {}),
          decided() {},
        });
        if (result.calls === 0) return yield* emptyBlock(session, mark, { open });
        rest = result.rest;
      }
      const closed = close !== undefined && (yield* markerHere(input, [close]));
      if (closed) input.at += closed.length;
      prose.block();
      prose.add(rest);
      return true;
    },
  };
}

/** The next character that is no white space; undefined at the end of the completion. */
function* charBehind(input: Input): Steps<string | undefined> {
  yield* readSpace(input);
  return (yield* fill(input)) ? input.text[input.at] : undefined;
}

/** The completion ended behind the opening bracket. */
function cutList({ input, calls }: Session, mark: Mark): void {
  const call = calls.open(mark.start);
  cutCall(call);
  call.end(input.position(), () => input.since(mark));
  input.release(mark);
}

function* emptyList({ input, calls }: Session, mark: Mark): Steps {
  input.at++;
  calls.repaired('empty-block', { start: Math.max(0, mark.start), end: Math.max(0, input.position()) });
  input.release(mark);
  yield* readSpace(input);
}
