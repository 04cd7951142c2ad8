/**
 * A prompt as one text, for a server that takes no token ids. It finds control words wherever they stand, so each one that a
 * text spells is broken by a zero-width joiner behind its first character, which nobody sees, or the prompt is refused.
 */
import { RawcallError } from '../../../parsers/error.ts';
import type { Origin, Prompt, Text } from '../../../templates/template.ts';
import { cutInside, type FindControlWords } from './control-words.ts';

export const untrustedPolicies = ['break', 'refuse'] as const;
export type UntrustedPolicy = (typeof untrustedPolicies)[number];

const joiner = '\u200D';

export interface FlatPromptOptions {
  readonly policy: UntrustedPolicy;
  readonly find: FindControlWords;
  /** A control word of such a text was broken. */
  readonly onBroken: (origin: Origin, word: string) => void;
}

/** @throws RawcallError `forged_control_token` where the policy is `refuse` */
export function flatPrompt(prompt: Prompt, options: FlatPromptOptions): string {
  let flat = '';
  /** Texts that stand together: a word may be made of several. */
  let texts: Text[] = [];
  for (const piece of prompt) {
    if ('text' in piece) {
      texts.push(piece);
      continue;
    }
    flat += safeText(texts, options) + piece.control;
    texts = [];
  }
  return flat + safeText(texts, options);
}

function safeText(texts: readonly Text[], { policy, find, onBroken }: FlatPromptOptions): string {
  const text = texts.map(one => one.text).join('');
  const words = find(text).flatMap(found => {
    const start = found.cut - String.fromCodePoint(found.word.codePointAt(0)!).length;
    const origin = foreignOrigin(texts, start, start + found.word.length);
    return origin === undefined ? [] : [{ ...found, origin }];
  });
  for (const { word, origin } of words) {
    if (policy === 'refuse')
      throw new RawcallError(
        'forged_control_token',
        `A text of the ${origin} holds the control word ${JSON.stringify(word)}, and the endpoint takes no token ids, so it would count. Take it out, or let it be broken: --untrusted break.`,
        { origin, word },
      );
    onBroken(origin, word);
  }
  return cutInside(text, words).join(joiner);
}

/** Whose a part of the texts is, where it isn't all the template's own. */
function foreignOrigin(texts: readonly Text[], start: number, end: number): Origin | undefined {
  let at = 0;
  for (const { text, origin } of texts) {
    const from = at;
    at += text.length;
    if (origin !== 'template' && from < end && at > start) return origin;
  }
  return undefined;
}
