/** The exact prompts of a dialogue's turns, each kept as what it adds to the one before it, and what came of them. */
import type { ParseEvent } from '../../parsers/parser.ts';
import type { Prompt } from '../../templates/template.ts';
import type { PromptToken, Usage } from '../engine/engine.ts';
import { continuer, joiner, samePiece } from '../transcript/continued.ts';
import type { Continued } from '../transcript/transcript.ts';
import type { PlayEvent, RawCompletion, RawTurn } from './protocol.ts';
import { readSpans } from './read-spans.ts';

/** What of a turn's beginning no stream of events has. */
export interface RawPrompt {
  readonly model: string;
  readonly format: string;
  readonly prompt: readonly Prompt[number][];
  /** Absent where there is no tokenizer. */
  readonly tokens?: readonly PromptToken[];
}

export interface PackedPrompt extends Pick<RawPrompt, 'model' | 'format'> {
  readonly prompt: Continued<Prompt[number]>;
  readonly tokens?: Continued<PromptToken>;
}

export function promptPacker(): (raw: RawPrompt) => PackedPrompt {
  const pieces = continuer<Prompt[number]>(samePiece);
  const ids = continuer<PromptToken>(sameToken);
  return ({ prompt, tokens, ...about }) => ({
    ...about,
    prompt: pieces(prompt),
    ...(tokens ? { tokens: ids(tokens) } : {}),
  });
}

function sameToken(left: PromptToken, right: PromptToken): boolean {
  return (
    left === right ||
    (left.id === right.id &&
      left.text === right.text &&
      left.origin === right.origin &&
      left.control === right.control)
  );
}

type TurnStart = PlayEvent & { readonly type: 'turn-start' };

/** What a dialogue's log has of its turns: the n-th of the prompts is that of the n-th turn. */
export interface Turns {
  readonly events: readonly PlayEvent[];
  readonly prompts: readonly PackedPrompt[];
}

/** Undefined: there is no such turn. */
export function rawTurn({ events, prompts }: Turns, turn: number): RawTurn | undefined {
  const at = events.findIndex(event => event.type === 'turn-start' && event.turn === turn);
  const unpack = promptUnpacker();
  const raw = prompts.slice(0, turn).map(unpack).at(-1);
  if (at === -1 || !raw) return undefined;
  const { seq, purpose } = events[at] as TurnStart;
  const parsed: ParseEvent[] = [];
  const usage: Usage[] = [];
  let completion: Omit<RawCompletion, 'spans'> | undefined;
  for (const event of events.slice(at + 1)) {
    if (endsTurn(event)) break;
    if (event.type === 'completion-end') completion = { pieces: event.pieces, reason: event.reason };
    else if (event.type === 'usage') {
      const { type: _, seq: _seq, at: _at, ...counts } = event;
      usage.push(counts);
    } else if (isParsed(event)) parsed.push(event);
  }
  return {
    turn,
    seq,
    purpose,
    ...raw,
    usage,
    ...(completion ? { completion: { ...completion, spans: readSpans(completion.pieces, parsed) } } : {}),
  };
}

/** The way back. Undefined: a prompt continues what was never packed. */
export function promptUnpacker(): (packed: PackedPrompt) => RawPrompt | undefined {
  const pieces = joiner<Prompt[number]>();
  const ids = joiner<PromptToken>();
  return ({ model, format, prompt: packed, tokens: packedTokens }) => {
    const prompt = pieces(packed);
    const tokens = packedTokens && ids(packedTokens);
    if (!prompt || (packedTokens && !tokens)) return undefined;
    return { model, format, prompt, ...(tokens ? { tokens } : {}) };
  };
}

function endsTurn({ type }: PlayEvent): boolean {
  return type === 'turn-start' || type === 'run-end' || type === 'run-failed';
}

const parsedTypes: ReadonlySet<string> = new Set<ParseEvent['type']>([
  ...(['text-delta', 'reasoning-delta', 'call-start', 'call-delta', 'call-end', 'call-failed'] as const),
  'repaired',
]);

function isParsed(event: PlayEvent): event is PlayEvent & ParseEvent {
  return parsedTypes.has(event.type);
}
