/** A turn's prompt as a flow of tokens: whose text each is, and whether the KV cache had it. */
import type { Origin } from '../../../../templates/template.ts';
import type { RawTurn } from '../../protocol.ts';
import type { Flow, FlowToken, TokenFacts } from './flow.ts';

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
  const shown: FlowToken[] = [];
  const landmarks: number[] = [];
  let looks = '';
  let before: ShownToken | undefined;
  for (const token of tokens) {
    const at = shown.length;
    const { text, control, origin } = token;
    const isBoundary = at === reused && at > 0;
    // Of thousands most look as the one before: what is the same string is neither made nor read by the browser again.
    if (control !== before?.control || origin !== before.origin || isBoundary || at - 1 === reused)
      looks = `${looksOf(control, origin)} ${state(at)}${isBoundary ? ' boundary' : ''}`;
    if (at === reused || (origin !== before?.origin && origin !== 'template')) landmarks.push(at);
    shown.push({ text, looks });
    before = token;
  }
  return {
    tokens: shown,
    facts: at => tokenFacts(tokens, at, state(at)),
    margin: at => ({ words: String(at), looks: state(at) }),
    landmarks,
  };
}

function looksOf(control: boolean, origin: Origin): string {
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
