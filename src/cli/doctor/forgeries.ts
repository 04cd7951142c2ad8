/** Whether a text that somebody else wrote can become a control token of this vocabulary. */
import { RawcallError } from '../../../parsers/error.ts';
import type { LlamaEngine } from '../../engine/llama.ts';

export interface Forgeries {
  readonly checked: number;
  /** Control tokens that their letters alone come to. */
  readonly forged: readonly string[];
  /** Control tokens whose letters the engine refuses as text, because nothing else in the vocabulary spells them. */
  readonly unsayable: readonly string[];
}

/** Each token's letters are tokenised as a tool's result: by themselves, and with other letters around them. */
export function forgeries({
  controlTokens,
  tokenize,
}: Pick<LlamaEngine, 'controlTokens' | 'tokenize'>): Forgeries {
  const forged: string[] = [];
  const unsayable: string[] = [];
  for (const token of controlTokens) {
    try {
      const texts = [token, `a${token}b`, ` ${token}\n${token}`];
      const tokens = texts.flatMap(text => tokenize([{ text, origin: 'tool' }]));
      // The token that every prompt begins with is the template's.
      if (tokens.some(one => one.control && one.origin === 'tool')) forged.push(token);
    } catch (error) {
      if (!RawcallError.isInstance(error) || error.code !== 'forged_control_token') throw error;
      unsayable.push(token);
    }
  }
  return { checked: controlTokens.size, forged, unsayable };
}
