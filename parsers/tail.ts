/** What a model wrote after its turn was over: invented tool results, or a second turn. It is dropped and reported. */
import { fill, type Steps } from './input.ts';
import type { Session } from './session.ts';

export function* readTail(session: Session): Steps {
  const { input, stops, calls } = session;
  const mark = input.mark();
  while (yield* fill(input)) input.at = input.text.length;
  const raw = input.since(mark);
  input.release(mark);
  let rest = raw;
  for (const stop of stops) rest = rest.replaceAll(stop, '');
  if (rest.trim() === '') return;
  const span = { start: Math.max(0, mark.start), end: Math.max(0, input.position()) };
  calls.problem(
    'fabricated_result',
    raw,
    span,
    'What followed the end of the turn was left out: results come from the tools, and the next turn is not yours to write.',
  );
}
