/** A server as people start it, on any port that is free. */
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { outcome, start } from './rawcall.ts';

export async function serving(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = start(['serve', '--port', '0', '--no-cache', ...args], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = outcome(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    printed += text;
  });
  // The address comes when the model is there.
  while (!printed.includes('\n')) await once(child.stdout, 'data');
  const url = /http:\S+/.exec(printed)?.[0] ?? '';
  return {
    child,
    ended,
    async ask(body: object) {
      const answer = await fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
      // biome-ignore lint/suspicious/noExplicitAny: what the tests look into is what they test
      return (await answer.json()) as any;
    },
  };
}
