/** Holds a generation to calls of the tools on offer: from the first token, or from where the model opens a call. */
import { alternatives } from '../../parsers/alternatives.ts';
import type { CallGrammar, Piece } from '../../parsers/parser.ts';
import type { Steer, Steering } from '../engine/engine.ts';

/**
 * `off`: nothing is held to anything. `calls`: text is free until a call opens; then the grammar of the tools on offer holds
 * until it ends. `required`: the turn is calls and nothing else.
 */
export const constraints = ['off', 'calls', 'required'] as const;
export type Constrain = (typeof constraints)[number];

/**
 * What the grammar forces is written without being sampled. With `required` the grammar itself is the generation's, for a
 * turn that ends with it. `controlTokens` are the vocabulary's; absent: there are none.
 */
export function steerCalls(
  grammar: CallGrammar,
  constrain: Exclude<Constrain, 'off'>,
  controlTokens: ReadonlySet<string> = new Set(),
): Steer {
  const asPieces = pieceSplitter(controlTokens);
  const [firstPiece] = asPieces(grammar.opening, true);
  /** What was written since the reply began or a call ended, while it may still be the opening of a call. */
  let begun: Piece[] | undefined = [];
  let walk: ReturnType<CallGrammar['walk']> | undefined;
  /** What was written under the grammar. */
  let written: Piece[] = [];

  function hold(opening: readonly Piece[]): Steering {
    walk = grammar.walk();
    written = [...opening];
    for (const { text } of opening) walk.advance(text);
    return { grammar: grammar.gbnf, begun: opening, forced: forced() };
  }

  function forced(): Piece[] {
    return walk?.forced().flatMap(({ text, marker }) => asPieces(text, marker)) ?? [];
  }

  function opens(piece: Piece): readonly Piece[] | undefined {
    if (piece.control) {
      begun = undefined;
      return firstPiece?.control && firstPiece.text === piece.text ? [piece] : undefined;
    }
    // Without a control token the opening is letters, which are one at the beginning of a reply and behind a call alone.
    if (!begun || firstPiece?.control) return undefined;
    begun = begun.length === 0 && piece.text.trim() === '' ? [] : [...begun, piece];
    const text = begun.map(one => one.text).join('');
    if (text === '') return undefined;
    const fits = grammar.opening.startsWith(text) || text.startsWith(grammar.opening);
    if (fits) return begun;
    begun = undefined;
    return undefined;
  }

  if (constrain === 'required') walk = grammar.walk();
  return pieces => {
    // A generation that begins: the first one is free, or under the grammar as a whole; another one goes on from a call that was cut.
    if (pieces.length === 0 && walk) return written.length > 0 ? hold(written) : { forced: forced() };
    if (walk) {
      const allowed = pieces.every(({ text }) => walk?.advance(text));
      // The engine lets go of a grammar where it may end, and so do we: one more call is held when it opens.
      const over = constrain === 'calls' && walk.mayEnd;
      if (allowed && !over) {
        written.push(...pieces);
        const next = forced();
        return next.length > 0 ? { forced: next } : undefined;
      }
      walk = undefined;
      begun = allowed ? [] : undefined;
      if (allowed) return undefined;
    }
    for (const [index, piece] of pieces.entries()) {
      const opening = opens(piece);
      if (opening && index === pieces.length - 1) return hold(opening);
    }
    return undefined;
  };
}

/** Cuts a grammar's literal into pieces; the beginning of a control word at its end is left for the sampler. */
function pieceSplitter(controlTokens: ReadonlySet<string>) {
  const words = [...controlTokens].filter(word => word !== '');
  const pattern = new RegExp(`(${alternatives(words)})`);
  return (text: string, marker: boolean): Piece[] => {
    if (!marker) return [{ text }];
    const pieces = text
      .split(pattern)
      .map((part, index): Piece => (index % 2 === 1 ? { text: part, control: true } : { text: part }));
    const last = pieces.at(-1)?.text ?? '';
    const at = Array.from({ length: last.length }, (_, index) => index).find(index =>
      words.some(word => word.startsWith(last.slice(index))),
    );
    if (at !== undefined && !pieces.at(-1)?.control) pieces[pieces.length - 1] = { text: last.slice(0, at) };
    return pieces.filter(piece => piece.text !== '');
  };
}
