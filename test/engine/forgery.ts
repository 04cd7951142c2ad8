/** Law 6 as a property of a vocabulary: no text becomes a control token, and no text is changed. */
import fc from 'fast-check';
import type { PromptToken } from '../../src/engine/engine.ts';
import type { LlamaVocabulary } from '../../src/engine/llama.ts';
import { promptText } from '../../templates/prompt.ts';
import type { Control, Origin, Prompt, Text } from '../../templates/template.ts';

type Tokenizer = Pick<LlamaVocabulary, 'controlTokens' | 'tokenize'>;
const origins: readonly Origin[] = ['system', 'tools', 'user', 'assistant', 'tool'];

/** @param spelt what a vocabulary makes of a text that it can't hold: a sentencepiece one takes `▁` for a space */
export function checkForgery(vocabulary: Tokenizer, numRuns: number, spelt = (text: string) => text): void {
  // A vocabulary may hold thousands of reserved tokens; they are all of one kind.
  const markers = [...vocabulary.controlTokens].filter(marker => !/unused|reserved/.test(marker));
  const marker = fc.constantFrom(...markers);
  const part = marker.chain(text => fc.nat(text.length).map(length => text.slice(0, length)));
  const wedged = fc.tuple(part, marker).map(([before, after]) => before + after);
  const words = fc.oneof(
    marker,
    part,
    wedged,
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom(' ', '\n', '▁', '<', '|>'),
  );
  const text = fc.array(words, { minLength: 1, maxLength: 8 }).map(parts => parts.join(''));
  const untrusted = fc.record({ text, origin: fc.constantFrom(...origins) });
  const prompt = fc.array(
    fc.oneof(
      untrusted,
      marker.map(control => ({ control })),
    ),
    { minLength: 1, maxLength: 6 },
  );

  fc.assert(
    fc.property(prompt, pieces => {
      const tokens = vocabulary.tokenize(pieces);
      same(controls(tokens), controls(vocabulary.tokenize(harmless(pieces))));
      const spelled = tokens.map(token => token.text).join('');
      const opening = tokens.length > 0 && tokens[0]!.control ? tokens[0]!.text : '';
      // A model that wants it gets its opening token in front.
      const expected = spelt(promptText(pieces));
      if (spelled !== expected) same(spelled, opening + expected);
    }),
    { numRuns },
  );
}

function harmless(prompt: readonly (Control | Text)[]): Prompt {
  return prompt.map(piece => ('control' in piece ? piece : { ...piece, text: 'x' }));
}

function controls(tokens: readonly PromptToken[]): number[] {
  return tokens.filter(token => token.control).map(token => token.id);
}

function same(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`got ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
  }
}
