/** A completion of a client's own prompt: no template, no parser, and no stop but those that the client names. */
import type { Piece, StopReason } from '../../parsers/parser.ts';
import type { Prompt } from '../../templates/template.ts';
import type { Engine, GeneratedPiece, GenerateOptions, Usage } from '../engine/engine.ts';

export type RawEvent =
  | { readonly type: 'turn-start'; readonly prompt: Prompt }
  /** What ended the completion is none. */
  | { readonly type: 'piece'; readonly piece: GeneratedPiece }
  | { readonly type: 'completion-end'; readonly pieces: readonly Piece[]; readonly reason: StopReason }
  | ({ readonly type: 'usage' } & Usage);

export async function* rawTurn(
  engine: Engine,
  prompt: Prompt,
  options: GenerateOptions,
): AsyncGenerator<RawEvent, void> {
  yield { type: 'turn-start', prompt };
  const generation = engine.generate(prompt, options);
  const pieces: Piece[] = [];
  /** Whether a control token is the stop is known when there is no other piece behind it. */
  let held: GeneratedPiece | undefined;
  for await (const piece of generation) {
    const { logprobs: _, ...bare } = piece;
    pieces.push(bare);
    if (held) yield { type: 'piece', piece: held };
    held = piece.control ? piece : undefined;
    if (!held) yield { type: 'piece', piece };
  }
  const reason = generation.reason ?? 'stop';
  if (held && reason !== 'stop') yield { type: 'piece', piece: held };
  yield { type: 'completion-end', pieces, reason };
  yield { type: 'usage', ...generation.usage };
}
