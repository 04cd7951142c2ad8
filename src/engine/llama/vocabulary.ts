/**
 * A model's vocabulary: what each token spells, and which tokens are markers.
 *
 * A *marker* is a token that must come from a template, never from somebody's text: control and unknown tokens,
 * every token that ends a generation, and the user-defined ones (GGUF type 4; Qwen's `<tool_call>` is one), which
 * llama.cpp matches in plain text too. User-defined tokens that can't be a marker of any format stay plain text,
 * because cutting them would cost tokens: whitespace runs, single characters (they couldn't be cut anyhow), HTML tags.
 */
import type { LlamaModel, Token } from 'node-llama-cpp';
import { alternatives } from '../../../parsers/alternatives.ts';
import { tokenBytes, tokenSpelling } from './bytes.ts';

export interface Vocabulary {
  readonly size: number;
  /** Prepended to every prompt, where the model wants it. */
  readonly bos: number | undefined;
  readonly controlTokens: ReadonlySet<string>;
  /** Matches the spelling of any marker, the longest one first. */
  readonly markerPattern: RegExp;
  markerId(text: string): number | undefined;
  isMarker(id: number): boolean;
  endsGeneration(id: number): boolean;
  /** One that ends the generation. */
  readonly endId: number | undefined;
  bytes(id: number): Uint8Array;
  /** One character for each byte, in the vocabulary's own code; nothing for tokens that are spelled in another one. */
  spelling(id: number): string;
  /** Plain text to ids; no byte is added or lost, but a marker that the text spells may still come out. */
  encode(text: string): readonly number[];
}

export const tokenType = { normal: 1, unknown: 2, control: 3, userDefined: 4, byte: 6 };
const htmlTag =
  /^<\/?(a|b|blockquote|body|caption|code|div|em|footer|h[1-6]|html|i|iframe|img|li|ol|p|pre|s|span|strong|sub|sup|table|tbody|td|tfoot|th|thead|tr|u|ul)>$/;

export function readVocabulary(model: LlamaModel): Vocabulary {
  const { tokens = [], token_type: types = [], ...settings } = model.fileInfo.metadata.tokenizer.ggml;
  const markers = new Set<number>();
  const ends = new Set<number>();
  const ids = new Map<string, number>();

  tokens.forEach((text, id) => {
    const type = types[id];
    const end = model.isEogToken(id as Token);
    if (end) ends.add(id);
    const control = end || type === tokenType.control || type === tokenType.unknown;
    if (control || (type === tokenType.userDefined && !harmless(text))) {
      markers.add(id);
      if (!ids.has(text)) ids.set(text, id);
    }
  });

  // A sentencepiece vocabulary may put a space before the first word; the text must come back as it was.
  const addsSpace = model.vocabularyType === 'spm' && settings.add_space_prefix !== false;
  const { bos, shouldPrependBosToken } = model.tokens;
  return {
    size: tokens.length,
    bos: shouldPrependBosToken && bos !== null ? bos : undefined,
    controlTokens: new Set(ids.keys()),
    markerPattern: new RegExp(
      alternatives(longestFirst([...ids.keys()].filter(text => [...text].length > 1))),
      'g',
    ),
    markerId: text => ids.get(text),
    isMarker: id => markers.has(id),
    endsGeneration: id => ends.has(id),
    endId: [...ends][0],
    bytes: tokenBytes(model, id => markers.has(id) || types[id] === tokenType.userDefined),
    spelling: tokenSpelling(model, id => {
      const type = types[id] ?? tokenType.normal;
      return !markers.has(id) && (type === tokenType.normal || type === tokenType.byte);
    }),
    encode: text => model.tokenize(text, false, addsSpace ? 'trimLeadingSpace' : undefined),
  };
}

function harmless(text: string): boolean {
  return /^[\s▁]+$/.test(text) || [...text].length === 1 || htmlTag.test(text);
}

function longestFirst(texts: readonly string[]): string[] {
  return texts.toSorted((left, right) => right.length - left.length);
}
