/** One asking of one task: a run of the agent, and what came of it. */
import { RawcallError } from '../../parsers/error.ts';
import type { Agent, AgentOptions } from '../agent/agent.ts';
import type { AgentEvent, RunResult } from '../agent/events.ts';
import type { Matching } from './matching.ts';
import type { Sample, SampleUsage } from './results.ts';
import { score, type WrittenCall } from './score.ts';
import type { Task } from './task.ts';
import type { TaskTools } from './task-tools.ts';

export interface AskOptions {
  readonly task: Task;
  readonly tools: TaskTools;
  readonly matching: Matching;
  /** An agent for this one question. `onFirstPiece` is told when the first piece of a completion is there. */
  readonly agent: (onFirstPiece: () => void) => { readonly agent: Agent; readonly options: AgentOptions };
  /** In milliseconds. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

export interface Asked
  extends Omit<Sample, 'type' | 'variant' | 'task' | 'sample' | 'seed' | 'tags' | 'expected' | 'transcript'> {
  /** A tool ran that may have left a trace on its server. */
  readonly leftTraces: boolean;
}

export async function ask({ task, tools, matching, agent: open, now, signal }: AskOptions): Promise<Asked> {
  const started = now();
  let firstToken: number | undefined;
  const begun = () => {
    firstToken ??= now() - started;
  };
  const { agent, options } = open(begun);
  const finder = options.tools.choice?.finder;
  const notes = watch(tools, finder);
  let result: RunResult | undefined;
  let error: Sample['error'];
  try {
    const run = agent.run(task.query, signal ? { signal } : {});
    for (;;) {
      const step = await run.next();
      if (step.done) {
        result = step.value;
        break;
      }
      if (!['run-start', 'turn-start', 'history-trimmed', 'tools-changed'].includes(step.value.type)) begun();
      notes.add(step.value);
    }
  } catch (thrown) {
    signal?.throwIfAborted();
    error = failureOf(thrown);
  }
  const { written, repairs, usage } = notes;
  const answer = result?.answer ?? '';
  const ownWords = answer.trim() !== '' && notes.words.trim() === answer.trim();
  return {
    ...score(task.expected, written, { answer, ownWords }, matching),
    repairs,
    usage: { ...usage, ...(firstToken === undefined ? {} : { firstToken }), total: now() - started },
    answer,
    reason: result?.reason ?? 'aborted',
    turns: notes.turns,
    ...(error ? { error } : {}),
    leftTraces: notes.leftTraces,
  };
}

export function failureOf(error: unknown): { readonly code: string; readonly message: string } {
  if (RawcallError.isInstance(error)) return { code: error.code, message: error.message };
  return { code: 'failed', message: error instanceof Error ? error.message : String(error) };
}

/** What a run tells, as far as it is counted. */
function watch(tools: TaskTools, finder: string | undefined) {
  const written: WrittenCall[] = [];
  const repairs: Record<string, number> = {};
  const usage: { -readonly [Key in 'evaluated' | 'reused' | 'generated']: SampleUsage[Key] } = {
    evaluated: 0,
    reused: 0,
    generated: 0,
  };
  const notes = { written, repairs, usage, turns: 0, words: '', leftTraces: false, add };
  /** Calls in a turn that is to write words are not run, and decide nothing. */
  let deciding = false;
  /** The repairs of this turn. What the calls' surroundings needed with them, such as the fence around them all, is no repair more. */
  const mended = new Set<string>();

  function add(event: AgentEvent): void {
    switch (event.type) {
      case 'turn-start':
        notes.turns++;
        notes.words = '';
        mended.clear();
        deciding = event.purpose === 'decision';
        break;
      case 'text-delta':
        notes.words += event.text;
        break;
      case 'call-end': {
        const { name, arguments: args, argumentsText } = event.call;
        const definition = tools.host.tools.find(tool => tool.name === name);
        if (!deciding || name === finder) break;
        const read = definition ? { read: { arguments: args, argumentsText, definition } } : {};
        written.push({ turn: notes.turns, tool: tools.nameOf(name), argumentsText, valid: true, ...read });
        break;
      }
      case 'call-failed': {
        const { index, name = '', raw, problem } = event;
        if (deciding && index >= 0)
          written.push({
            turn: notes.turns,
            tool: name && tools.nameOf(name),
            argumentsText: raw,
            valid: false,
            problem,
          });
        break;
      }
      case 'repaired':
        if (event.index < 0 && mended.has(event.repair)) break;
        mended.add(event.repair);
        repairs[event.repair] = (repairs[event.repair] ?? 0) + 1;
        break;
      case 'tool-start':
        notes.leftTraces ||= tools.leavesTraces(event.call.name);
        break;
      case 'usage':
        usage.evaluated += event.evaluated;
        usage.reused += event.reused;
        usage.generated += event.generated;
        break;
    }
  }

  return notes;
}
