/** A model that says what the test wrote, tools that give what the test says, and a collector of what a run tells. */
import type { JsonObject, ToolDefinition } from '../../parsers/parser.ts';
import { type AgentOptions, createAgent } from '../../src/agent/agent.ts';
import { approval } from '../../src/agent/approval.ts';
import type { AgentEvent, RunResult } from '../../src/agent/events.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { type RecordedCompletion, recordedEngine } from '../../src/engine/recorded.ts';
import { formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';
import type { ToolResult, ToolSource } from '../../src/tools.ts';
import { promptText } from '../../templates/prompt.ts';

export const weather: ToolDefinition = {
  name: 'get_weather',
  description: 'The weather of a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
export const clock: ToolDefinition = {
  name: 'get_time',
  description: 'The time.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true },
};

export const call = (name: string, args: JsonObject): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

export interface ScriptedTools extends ToolSource {
  readonly ran: readonly { readonly name: string; readonly args: JsonObject }[];
}

type Handler = (args: JsonObject, signal?: AbortSignal) => ToolResult | string | Promise<ToolResult | string>;

export function scriptedTools(handlers: Readonly<Record<string, Handler>>): ScriptedTools {
  const ran: { name: string; args: JsonObject }[] = [];
  return {
    tools: [weather, clock],
    ran,
    async call(name, args, { signal } = {}) {
      ran.push({ name, args });
      const result = await handlers[name]!(args, signal);
      return typeof result === 'string' ? { content: result, isError: false } : result;
    },
  };
}

export interface Run {
  readonly result: RunResult;
  readonly events: readonly AgentEvent[];
}

export function scripted(
  completions: readonly RecordedCompletion[],
  tools: ToolSource,
  options: Partial<AgentOptions> = {},
) {
  const engine = recordedEngine(completions);
  const lanes: string[] = [];
  const steered: boolean[] = [];
  const grammars: boolean[] = [];
  const noting: Engine = {
    ...engine,
    generate(prompt, how = {}) {
      lanes.push(how.lane ?? '');
      steered.push(how.steer !== undefined);
      grammars.push(how.grammar !== undefined);
      return engine.generate(prompt, how);
    },
  };
  const model = { ...rawModel(noting, formatNamed('hermes')), ...options.model };
  const agent = createAgent({ tools, approve: approval({ mode: 'auto' }), ...options, model });
  return {
    agent,
    prompts: () => engine.prompts.map(promptText),
    /** Of each prompt. */
    lanes,
    steered,
    grammars,
    async ask(question: string, signal?: AbortSignal): Promise<Run> {
      const events: AgentEvent[] = [];
      const run = agent.run(question, signal ? { signal } : {});
      for (;;) {
        const { done, value } = await run.next();
        if (done) return { result: value, events };
        events.push(value);
      }
    },
  };
}
