/** How many tokens each piece of a prompt is. */

import type { Prompt } from '../templates/template.ts';
import type { PromptToken } from './engine/engine.ts';

export interface TokenCounts {
  readonly total: number;
  /** One for each piece; a token that reaches over two pieces counts for the one it begins in. */
  readonly pieces: readonly number[];
}

export function countTokens(prompt: Prompt, tokens: readonly PromptToken[]): TokenCounts {
  const pieces = prompt.map(() => 0);
  let piece = 0;
  // A beginning-of-text token that the vocabulary asks for stands before the prompt's own text.
  const added = sum(tokens.map(({ text }) => text.length)) - sum(prompt.map(lengthOf));
  let left = lengthOf(prompt[0]) + added;
  for (const token of tokens) {
    while (left <= 0 && piece < prompt.length - 1) left += lengthOf(prompt[++piece]);
    pieces[piece]!++;
    left -= token.text.length;
  }
  return { total: tokens.length, pieces };
}

function lengthOf(piece: Prompt[number] | undefined): number {
  if (!piece) return 0;
  return ('control' in piece ? piece.control : piece.text).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
