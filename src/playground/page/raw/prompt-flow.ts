/** A turn's prompt as a flow of tokens: whose text each is, and whether the KV cache had it. */
import type { Origin } from '../../../../templates/template.ts';
import type { RawTurn } from '../../protocol.ts';
import type { Flow, TokenFacts } from './flow.ts';

export interface ShownToken {
  /** Absent where nobody tokenised it: then it is a piece of the prompt. */
  readonly id?: number;
  readonly text: string;
  readonly control: boolean;
  readonly origin: Origin;
}

export function promptTokens({ tokens, prompt }: Pick<RawTurn, 'tokens' | 'prompt'>): readonly ShownToken[] {
  if (tokens) return tokens;
  return prompt.map(piece =>
    'control' in piece
      ? { text: piece.control, control: true, origin: 'template' }
      : { text: piece.text, control: false, origin: piece.origin },
  );
}

export function promptFlow(turn: Pick<RawTurn, 'tokens' | 'prompt' | 'usage'>): Flow {
  const tokens = promptTokens(turn);
  const reused = turn.tokens && turn.usage[0]?.reused;
  const state = (at: number) => (reused === undefined ? '' : at < reused ? 'reused' : 'evaluated');
  const begins = (at: number) => tokens[at]?.origin !== tokens[at - 1]?.origin;
  return {
    tokens: tokens.map(({ text, control, origin }, at) => ({
      text,
      looks: `${looksOf(control, origin)} ${state(at)}${at === reused && at > 0 ? ' boundary' : ''}`,
    })),
    facts: at => tokenFacts(tokens, at, state(at)),
    margin: at => ({ words: String(at), looks: state(at) }),
    landmarks: tokens.flatMap(({ origin }, at) =>
      at === reused || (begins(at) && origin !== 'template') ? [at] : [],
    ),
  };
}

export function looksOf(control: boolean, origin: Origin): string {
  return control ? 'control' : `from-${origin}`;
}

export function tokenFacts(tokens: readonly ShownToken[], at: number, state: string): TokenFacts {
  const { id, text, control, origin } = tokens[at]!;
  const notes = [
    id === undefined ? `piece ${at}` : `id ${id}`,
    ...(id === undefined ? [] : [`position ${at}`]),
    control ? 'control token' : originWords[origin],
    state,
  ];
  return { text, notes: notes.filter(note => note !== '') };
}

/** Whose text it is, for people. */
export const originWords: Readonly<Record<Origin, string>> = {
  template: 'template',
  system: 'system text',
  tools: 'tools (servers)',
  user: 'user',
  assistant: 'model',
  tool: 'tool result',
};
