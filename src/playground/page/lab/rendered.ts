/** A prompt that a template rendered, for whoever shows it. */
import type { LabPrompt } from '../../lab/lab-protocol.ts';
import type { Flow } from '../raw/flow.ts';
import { promptFlow, promptTokens, type ShownToken } from '../raw/prompt-flow.ts';
import { inWords } from './in-words.ts';

type Good = Exclude<LabPrompt, { readonly failed: unknown }>;

export interface Rendered {
  readonly format: string;
  readonly tokens: readonly ShownToken[];
  readonly flow: Flow;
}

export function isGood(prompt: LabPrompt): prompt is Good {
  return 'prompt' in prompt;
}

export function renderedOf({ format, prompt, tokens }: Good): Rendered {
  const parts = tokens ? { prompt, tokens } : { prompt: inWords(prompt) };
  return { format, tokens: promptTokens(parts), flow: promptFlow({ ...parts, usage: [] }) };
}
