/** A prompt that nobody made tokens of, by its words: a piece may be pages long, and is neither looked at nor compared as one. */
import type { Prompt } from '../../../../templates/template.ts';

export function inWords(prompt: Prompt): Prompt {
  return prompt.flatMap(
    (piece): Prompt =>
      'control' in piece ? [piece] : words(piece.text).map(text => ({ text, origin: piece.origin })),
  );
}

/** A space belongs to what follows it, as in most vocabularies. */
function words(text: string): readonly string[] {
  return text.match(/\n|[^\S\n]?\w+|[^\S\n]?[^\s\w]|[^\S\n]+/gu) ?? [];
}
