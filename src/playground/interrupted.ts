/** What a program that ended in the middle of a run left open in its log. */
import type { DialogueLog } from './dialogue-log.ts';

export function endInterrupted(log: DialogueLog): void {
  const { standing } = log;
  const begun = standing.findLastIndex(({ type }) => type === 'asked');
  if (begun === -1) return;
  const run = standing.slice(begun);
  if (run.some(({ type }) => type === 'run-end' || type === 'run-failed')) return;
  const answered = new Set(run.flatMap(event => (event.type === 'ask-end' ? [event.ask] : [])));
  for (const event of run)
    if ('ask' in event && event.type !== 'ask-end' && !answered.has(event.ask))
      log.add({ type: 'ask-end', ask: event.ask });
  log.add({
    type: 'run-failed',
    code: 'run_interrupted',
    message: 'rawcall ended while this was being answered. Ask again.',
  });
}
