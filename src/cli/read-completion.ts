/** A flat completion, read as a format reads it. */
import type { StopReason, ToolDefinition } from '../../parsers/parser.ts';
import { type CallFailed, type Collected, createCollector, type Repaired } from '../../parsers/read.ts';
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
  readonly problems: readonly Pick<CallFailed, 'problem' | 'message' | 'span'>[];
  readonly repairs: readonly Pick<Repaired, 'repair' | 'span'>[];
}

export function readCompletion(text: string, stop: StopReason, options: CompletionOptions): CompletionRecord {
  const reading = startReading(options);
  const collector = createCollector();
  collector.add(reading.push({ text }));
  collector.add(reading.end(stop));
  return recordOf(collector.collected);
}

export function recordOf({ ended, content, reasoning, problems, repaired }: Collected): CompletionRecord {
  return {
    calls: ended.map(({ call }) => ({ name: call.name, arguments: new ExactJson(call.argumentsText) })),
    content,
    reasoning,
    problems: problems.map(({ problem, message, span }) => ({ problem, message, span })),
    repairs: repaired.map(({ repair, span }) => ({ repair, span })),
  };
}
