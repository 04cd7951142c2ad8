/** What ran here on the way to a reply, as answers tell it. */
import type { ServedEvent } from './served-run.ts';

type Of<Type extends ServedEvent['type']> = Extract<ServedEvent, { type: Type }>;

/** A call that was settled here. `source`: where its result came from (`ResultSource`). */
export type Ran = ReturnType<typeof ranOf>;

export function ranOf(event: Of<'tool-end'>) {
  const { result, source } = event;
  return {
    ...startedOf(event),
    result: result.content,
    ...(result.forUser === undefined ? {} : { for_user: result.forUser }),
    is_error: result.isError,
    source,
  };
}

export function runOf({ reason, turns, toolRuns, repeats, unasked }: Of<'run-end'>) {
  return { reason, turns, tool_runs: toolRuns, repeats, unasked };
}

/** What a stream tells of a run while it goes on. */
export function toldOf(event: ServedEvent): object | undefined {
  switch (event.type) {
    case 'tool-start':
      return { event: event.type, call: startedOf(event) };
    case 'tool-progress': {
      const { progress, total, message } = event;
      return { event: event.type, call: startedOf(event), progress, total, message };
    }
    case 'tool-end':
      return { event: event.type, call: ranOf(event) };
    case 'guard':
      return { event: event.type, guard: event.guard, message: event.message };
    case 'history-trimmed':
      return { event: event.type, messages: event.messages };
    default:
      return undefined;
  }
}

/** `arguments` is their JSON text, as in the APIs' own calls. */
function startedOf({
  call: { id, name, argumentsText },
  server,
}: Of<'tool-start' | 'tool-progress' | 'tool-end'>) {
  return { id, name, ...(server === undefined ? {} : { server }), arguments: argumentsText };
}
