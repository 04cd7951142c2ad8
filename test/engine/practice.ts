/** The practice model, and what the engine's tests ask of it. */
import path from 'node:path';
import type { Piece } from '../../parsers/parser.ts';
import type { Engine, GenerateOptions, Generation } from '../../src/engine/engine.ts';
import type { Prompt } from '../../templates/template.ts';

export const practiceModel =
  process.env.RAWCALL_PRACTICE_MODEL ?? path.join(import.meta.dirname, '../../models/practice/practice.gguf');

/** A user's question in ChatML, up to the opening of the reply. */
export function question(text: string): Prompt {
  return [
    { control: '<|im_start|>' },
    { text: 'user\n', origin: 'template' },
    { text, origin: 'user' },
    { control: '<|im_end|>' },
    { text: '\n', origin: 'template' },
    { control: '<|im_start|>' },
    { text: 'assistant\n', origin: 'template' },
  ];
}

export interface Completion {
  readonly pieces: readonly Piece[];
  readonly text: string;
  readonly ids: readonly number[];
  readonly usage: Generation['usage'];
  readonly reason: Generation['reason'];
}

export async function complete(
  engine: Engine,
  prompt: Prompt,
  options?: GenerateOptions,
): Promise<Completion> {
  return collect(engine.generate(prompt, options));
}

export async function collect(generation: Generation): Promise<Completion> {
  const pieces: Piece[] = [];
  for await (const piece of generation) pieces.push(piece);
  return {
    pieces,
    text: pieces.map(piece => piece.text).join(''),
    ids: pieces.flatMap(piece => piece.tokens ?? []),
    usage: generation.usage,
    reason: generation.reason,
  };
}
