/** OpenAI's `usage` as ours. */
import type { Usage } from '../engine.ts';

interface ReportedUsage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null;
}

export function usageOf(value: unknown, before: Usage): Usage {
  if (typeof value !== 'object' || value === null) return before;
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = value as ReportedUsage;
  const prompt = number(prompt_tokens) ?? before.prompt;
  const reused = number(prompt_tokens_details?.cached_tokens) ?? 0;
  return {
    prompt,
    reused,
    evaluated: prompt - reused,
    generated: number(completion_tokens) ?? before.generated,
  };
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
