/** One streamed completion, timed by its client. */

export interface Timed {
  /** Milliseconds to the first text. */
  readonly first: number;
  /** Milliseconds to the end. */
  readonly whole: number;
  readonly tokens: number;
}

interface Chunk {
  readonly choices: readonly { readonly text: string }[];
  readonly usage?: { readonly completion_tokens: number } | null;
}

export async function timedStream(address: string, prompt: string, maxTokens: number): Promise<Timed> {
  const start = performance.now();
  let first: number | undefined;
  let tokens = 0;
  const response = await fetch(`${address}/v1/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      prompt,
      max_tokens: maxTokens,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    }),
  });
  if (!response.ok || !response.body)
    throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
  let held = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    held += part;
    const lines = held.split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const { choices, usage } = JSON.parse(line.slice('data: '.length)) as Chunk;
      if (choices[0]?.text) first ??= performance.now() - start;
      if (usage) tokens = usage.completion_tokens;
    }
  }
  const whole = performance.now() - start;
  if (tokens === 0) throw new Error(`${address} wrote nothing.`);
  return { first: first ?? whole, whole, tokens };
}
