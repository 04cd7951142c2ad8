/** An agent whose runs are recorded: what it tells, and all that it is told by model, tools, user and clock. */
import { RawcallError } from '../../parsers/error.ts';
import type { JsonObject, ToolDefinition } from '../../parsers/parser.ts';
import { type Agent, type AgentOptions, createAgent, type RunOptions } from '../agent/agent.ts';
import type { AgentEvent, RunResult } from '../agent/events.ts';
import type { Timeout } from '../agent/guards.ts';
import type { Model, PromptSize, TurnEvent, TurnPrompt, TurnResult } from '../model/model.ts';
import type { ToolSource } from '../tools.ts';
import { type PartGatherer, partGatherer } from './parts.ts';
import type { Recorder } from './recorder.ts';
import type { Failure, RecordedEvent, TranscriptHeader, TranscriptTool } from './transcript.ts';

export interface RecordingOptions extends Pick<TranscriptHeader, 'versions' | 'model'> {
  readonly recorder: Recorder;
  /** What is known of a tool besides its definition. */
  readonly about?: (tool: ToolDefinition) => Pick<TranscriptTool, 'server' | 'simplified'>;
}

export function recordedAgent(options: AgentOptions, recording: RecordingOptions): Agent {
  const { recorder, versions, model, about = () => ({}) } = recording;
  /** What is asked between two runs is no part of one. */
  let running = false;
  const write = (event: RecordedEvent) => {
    if (running) recorder.write(event);
  };
  const parts = partGatherer(pieces => write({ type: 'completion-delta', pieces }));
  const notes: TurnNotes = { lane: '' };
  const offered = offerNotes(about);
  const agent = createAgent({
    ...options,
    model: recordedModel(options.model, notes, parts, write),
    tools: recordedTools(
      options.tools,
      tools => {
        const event = running ? offered.next(tools, options.tools) : undefined;
        if (event) write(event);
      },
      write,
    ),
    timeout: recordedTimeout(write),
  });

  function begin(): void {
    const { policy, render, sampling, constrain, system, maxTokens, maxRounds, limits } = options;
    const tools = offered.begin(options.tools);
    const handBack = tools.flatMap(({ name }) => (options.handBack?.(name) ? [name] : []));
    recorder.begin({
      versions,
      model,
      settings: {
        ...defined({ policy, render, sampling, constrain, system, maxTokens, maxRounds, limits }),
        ...(handBack.length > 0 ? { handBack } : {}),
      },
      messages: agent.messages,
      tools,
      ...(options.tools.choice ? { finder: options.tools.choice.finder } : {}),
    });
  }

  async function* run(question: string, given: RunOptions = {}): AsyncGenerator<AgentEvent, RunResult> {
    if (!recorder.begun) begin();
    running = true;
    const stopped = () => write({ type: 'abort', by: 'user' });
    const { signal, messages } = given;
    signal?.addEventListener('abort', stopped);
    const events = agent.run(question, given);
    try {
      for (;;) {
        const step = await events.next();
        if (step.done) return step.value;
        if (step.value.type === 'completion-end') parts.begin();
        write(recorded(step.value, messages, notes));
        yield step.value;
      }
    } catch (error) {
      write({ type: 'run-failed', ...failure(error) });
      throw error;
    } finally {
      parts.flush();
      running = false;
      signal?.removeEventListener('abort', stopped);
      await events.return(undefined as never);
    }
  }

  return {
    get messages() {
      return agent.messages;
    },
    run,
    bill: () => agent.bill(),
    reset(system) {
      agent.reset(system);
      recorder.write({ type: 'reset', ...(system === undefined ? {} : { system }) });
    },
  };
}

/** What a turn's first event does not say of it. */
interface TurnNotes {
  lane: string;
  ids?: readonly number[] | undefined;
}

type Write = (event: RecordedEvent) => void;

function recorded(event: AgentEvent, messages: RunOptions['messages'], notes: TurnNotes): RecordedEvent {
  if (event.type === 'run-start') return { ...event, ...(messages ? { messages } : {}) };
  if (event.type !== 'turn-start') return event;
  const { lane, ids } = notes;
  return { ...event, lane, ...(ids ? { ids } : {}) };
}

function recordedModel(model: Model, notes: TurnNotes, parts: PartGatherer, write: Write): Model {
  const { countTokens, behind } = model;
  return {
    ...model,
    ...(countTokens
      ? {
          countTokens(text) {
            const tokens = countTokens.call(model, text);
            write({ type: 'measure', of: 'text', tokens });
            return tokens;
          },
        }
      : {}),
    render: (conversation, render) => recordedPrompt(model.render(conversation, render), write),
    ...(behind ? { behind: (...asked) => recordedPrompt(behind.apply(model, asked), write) } : {}),
    async *turn(prompt, options): AsyncGenerator<TurnEvent, TurnResult> {
      notes.lane = options.lane ?? '';
      notes.ids = prompt.size?.ids?.();
      parts.begin();
      try {
        return yield* model.turn(prompt, { ...options, onPiece: parts.add });
      } catch (error) {
        parts.flush();
        write({ type: 'turn-failed', ...failure(error) });
        throw error;
      }
    },
  };
}

function recordedPrompt<Prompt extends TurnPrompt | undefined>(prompt: Prompt, write: Write): Prompt {
  return prompt?.size ? { ...prompt, size: recordedSize(prompt.size, write) } : prompt;
}

function recordedSize(size: PromptSize, write: Write): PromptSize {
  write({ type: 'measure', of: 'prompt', tokens: size.tokens });
  return {
    ...size,
    bill() {
      const bill = size.bill();
      write({ type: 'measure', of: 'bill', bill });
      return bill;
    },
    shared(other) {
      const tokens = size.shared(other);
      write({ type: 'measure', of: 'shared', tokens });
      return tokens;
    },
  };
}

interface OfferNotes {
  /** All that could be on offer. */
  begin(source: ToolSource): readonly TranscriptTool[];
  /** What is to be written of these tools, where they are not those that were on offer last. */
  next(tools: readonly ToolDefinition[], source: ToolSource): RecordedEvent | undefined;
}

function offerNotes(about: NonNullable<RecordingOptions['about']>): OfferNotes {
  const written = new Map<string, string>();
  let last: readonly ToolDefinition[] | undefined;

  function define(tools: readonly ToolDefinition[]): readonly TranscriptTool[] {
    return tools.flatMap(tool => {
      const one = { ...tool, ...about(tool) };
      const json = JSON.stringify(one);
      if (written.get(tool.name) === json) return [];
      written.set(tool.name, json);
      return [one];
    });
  }

  return {
    begin({ choice, tools }) {
      // A choice has not been made before the first question.
      last = choice ? undefined : tools;
      return define(choice?.all ?? tools);
    },
    next(tools, { choice }) {
      const before = last;
      last = tools;
      if (before?.length === tools.length && tools.every((tool, at) => tool === before[at])) return undefined;
      const all = choice?.all;
      return {
        type: 'tools',
        names: namesOf(tools),
        ...(all ? { all: namesOf(all) } : {}),
        defined: define([...tools, ...(all ?? [])]),
      };
    },
  };
}

const namesOf = (tools: readonly ToolDefinition[]) => tools.map(({ name }) => name);

function recordedTools(
  source: ToolSource,
  seen: (tools: readonly ToolDefinition[]) => void,
  write: Write,
): ToolSource {
  const { choice } = source;
  return {
    get tools() {
      const { tools } = source;
      seen(tools);
      return tools;
    },
    call: (name, args, how) => source.call(name, args, how),
    ...(choice
      ? {
          choice: {
            prepare: question => choice.prepare(question),
            get all() {
              return choice.all;
            },
            get finder() {
              return choice.finder;
            },
            offer(name) {
              const offered = choice.offer(name);
              write({ type: 'offer', name, offered });
              return offered;
            },
          },
        }
      : {}),
  };
}

/** A time that is up after its turn is over stops nothing. */
function recordedTimeout(write: Write): Timeout {
  const newest = new Map<string, AbortSignal>();
  return (milliseconds, of) => {
    const signal = AbortSignal.timeout(milliseconds);
    newest.set(of, signal);
    signal.addEventListener('abort', () => {
      if (newest.get(of) === signal) write({ type: 'abort', by: `${of}-time` });
    });
    return signal;
  };
}

function failure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (!RawcallError.isInstance(error)) return { code: 'unexpected', message };
  return { code: error.code, message, details: jsonOf(error.details) };
}

/** Details may hold what is no JSON, such as an Infinity. */
function jsonOf(details: Readonly<Record<string, unknown>>): JsonObject {
  return JSON.parse(JSON.stringify(details)) as JsonObject;
}

type Defined<Fields> = { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}
