/** Tools that give what they gave, as the recording has it. */
import type { ToolCall, ToolDefinition } from '../../parsers/parser.ts';
import type { AgentEvent } from '../agent/events.ts';
import type { ToolCallOptions, ToolResult, ToolSource } from '../tools.ts';
import type { TranscriptHeader, TranscriptTool } from '../transcript/transcript.ts';
import type { Told } from './runs.ts';
import type { Script } from './script.ts';

export interface RecordedTools extends ToolSource {
  /** Which tools the model is shown a simpler schema of. */
  isSimplified(tool: ToolDefinition): boolean;
  /** The call that the loop is about to make. */
  starts(call: ToolCall): void;
  /** Lets happen what comes before this event: news of a call, a result, or that none comes any more. */
  prepare(next: Told | undefined): void;
}

interface Pending {
  readonly options: ToolCallOptions;
  resolve(result: ToolResult): void;
  reject(reason: unknown): void;
}

/** @param live who runs the calls in the recording's place */
export function recordedTools(
  header: TranscriptHeader,
  script: () => Script,
  live?: Pick<ToolSource, 'call'>,
): RecordedTools {
  const known = new Map<string, TranscriptTool>(header.tools.map(tool => [tool.name, tool]));
  let shown: readonly ToolDefinition[] = header.tools.map(definition);
  let all = shown;
  const pending = new Map<string, Pending>();
  let starting: ToolCall | undefined;

  function update(): void {
    const change = script().answer('tools');
    if (!change) return;
    for (const tool of change.defined) known.set(tool.name, tool);
    const named = (names: readonly string[]) =>
      names.flatMap(name => {
        const tool = known.get(name);
        return tool ? [definition(tool)] : [];
      });
    shown = named(change.names);
    all = named(change.all ?? change.names);
  }

  function prepare(next: Told | undefined): void {
    if (next?.type === 'tool-progress') {
      const { type: _, at: __, line: ___, call, ...news } = next;
      pending.get(call.id)?.options.onProgress?.(news);
    } else if (next?.type === 'tool-end' && next.source === 'tool') {
      const { call, result, whole } = next;
      pending.get(call.id)?.resolve(whole === undefined ? result : { ...result, content: whole });
      pending.delete(call.id);
    } else if (next === undefined || !inRound.has(next.type)) {
      for (const { options, reject } of pending.values())
        reject(options.signal?.reason ?? new Error('the recording has no result of this call'));
      pending.clear();
    }
  }

  return {
    get tools() {
      update();
      return shown;
    },
    isSimplified: ({ name }) => known.get(name)?.simplified === true,
    starts(call) {
      starting = call;
    },
    prepare,
    call(name, args, options = {}) {
      if (live && name !== header.finder) return live.call(name, args, options);
      return new Promise((resolve, reject) => {
        pending.set(starting?.id ?? '', { options, resolve, reject });
        prepare(script().next);
      });
    },
    ...(header.finder === undefined
      ? {}
      : {
          choice: {
            prepare: () => {},
            get all() {
              return all;
            },
            finder: header.finder,
            offer: name => script().answer('offer', event => event.name === name)?.offered ?? false,
          },
        }),
  };
}

/** While these come, calls go on. */
const inRound: ReadonlySet<AgentEvent['type'] | 'run-failed'> = new Set([
  ...(['approval-end', 'tool-start', 'tool-progress', 'tool-end'] as const),
]);

function definition({ server: _, simplified: __, ...tool }: TranscriptTool): ToolDefinition {
  return tool;
}
