/** A flat completion, read as a format reads it. */
import type { ParseEvent, StopReason, ToolDefinition } from '../../parsers/parser.ts';
import type { Format } from '../format.ts';
import { ExactJson } from './json.ts';

export interface CompletionOptions {
  readonly format: Format;
  readonly tools?: readonly ToolDefinition[];
  readonly prefill?: string;
}

/** Without `controlTokens`: of a flat text nobody knows which of its letters were tokens. */
export function startReading({ format, tools, prefill }: CompletionOptions) {
  return format.parser.start({
    stops: format.template.stops,
    ...(tools === undefined ? {} : { tools }),
    ...(prefill === undefined ? {} : { prefill }),
  });
}

/** What was read, as `rawcall parse` prints it. */
export interface CompletionRecord {
  readonly calls: readonly { readonly name: string; readonly arguments: ExactJson }[];
  readonly content: string;
  readonly reasoning: string;
  readonly problems: readonly object[];
  readonly repairs: readonly object[];
}

export function readCompletion(text: string, stop: StopReason, options: CompletionOptions): CompletionRecord {
  const reading = startReading(options);
  const collector = recordCollector();
  collector.add(reading.push({ text }));
  collector.add(reading.end(stop));
  return collector.record;
}

export function recordCollector() {
  let content = '';
  let reasoning = '';
  const calls: { name: string; arguments: ExactJson }[] = [];
  const problems: object[] = [];
  const repairs: object[] = [];

  function add(events: readonly ParseEvent[]): void {
    for (const event of events) {
      if (event.type === 'text-delta') content += event.text;
      else if (event.type === 'reasoning-delta') reasoning += event.text;
      else if (event.type === 'call-end')
        calls.push({ name: event.call.name, arguments: new ExactJson(event.call.argumentsText) });
      else if (event.type === 'call-failed') {
        const { problem, message, span } = event;
        problems.push({ problem, message, span });
      } else if (event.type === 'repaired') repairs.push({ repair: event.repair, span: event.span });
    }
  }

  return {
    add,
    get record(): CompletionRecord {
      return { calls, content, reasoning, problems, repairs };
    },
  };
}
