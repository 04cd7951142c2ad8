/** What there is, and each change of it. */
import type { Hono } from 'hono';
import { lineStream } from './answers.ts';
import type { Desk } from './desk.ts';
import type { Dialogues } from './dialogues.ts';
import type { PlayNews } from './protocol.ts';

export function addNews(api: Hono, desk: Desk, dialogues: Dialogues): void {
  api.get('/state', context => context.json(desk.state()));
  api.get('/news', () => lineStream(signal => news(desk, dialogues, signal)));
}

/** A change that is told late is told as it is then; those in between are nobody's business. */
async function* news(
  desk: Desk,
  dialogues: Dialogues,
  signal: AbortSignal,
): AsyncGenerator<readonly PlayNews[], void> {
  const changed = new Set<PlayNews['type']>(['state', 'dialogues']);
  let wake = () => {};
  const change = (type: PlayNews['type']) => () => {
    changed.add(type);
    wake();
  };
  const ends = [desk.watch(change('state')), dialogues.watch(change('dialogues'))];
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!signal.aborted) {
      const told: PlayNews[] = [];
      if (changed.delete('state')) told.push({ type: 'state', state: desk.state() });
      if (changed.delete('dialogues')) told.push({ type: 'dialogues', dialogues: dialogues.summaries });
      if (told.length > 0) yield told;
      else
        await new Promise<void>(resolve => {
          wake = resolve;
        });
    }
  } finally {
    for (const end of ends) end();
  }
}
