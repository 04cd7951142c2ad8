/**
 * A prompt as one text, for a server that takes no token ids. It finds control words wherever they stand, so each one that a
 * text spells is broken by a zero-width joiner behind its first character, which nobody sees, or the prompt is refused.
 */
import { RawcallError } from '../../../parsers/error.ts';
import type { Prompt } from '../../../templates/template.ts';
import { cutAt } from './control-words.ts';

export const untrustedPolicies = ['break', 'refuse'] as const;
export type UntrustedPolicy = (typeof untrustedPolicies)[number];

const joiner = '\u200D';

export interface FlatPromptOptions {
  readonly policy: UntrustedPolicy;
  readonly cuts: (text: string) => readonly number[];
  /** A control word of such a text was broken. */
  readonly onBroken: (origin: string, word: string) => void;
}

/** @throws RawcallError `forged_control_token` where the policy is `refuse` */
export function flatPrompt(prompt: Prompt, { policy, cuts, onBroken }: FlatPromptOptions): string {
  return prompt
    .map(piece => {
      if ('control' in piece) return piece.control;
      const { text, origin } = piece;
      const places = origin === 'template' ? [] : cuts(text);
      if (places.length === 0) return text;
      const word = text.slice(places[0]! - 1).split(/(?<=[>\]])|\s/, 1)[0] ?? '';
      if (policy === 'refuse')
        throw new RawcallError(
          'forged_control_token',
          `A text of the ${origin} holds the control word ${JSON.stringify(word)}, and the endpoint takes no token ids, so it would count. Take it out, or let it be broken: --untrusted break.`,
          { origin, word },
        );
      onBroken(origin, word);
      return cutAt(text, places).join(joiner);
    })
    .join('');
}
