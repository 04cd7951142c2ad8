/** Runs of a model that says what a test wrote, recorded; and what the file holds. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { AgentOptions } from '../../src/agent/agent.ts';
import { approval } from '../../src/agent/approval.ts';
import type { AgentEvent, RunResult } from '../../src/agent/events.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { type RecordedCompletion, recordedEngine } from '../../src/engine/recorded.ts';
import { formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';
import { type ReplayOptions, replay } from '../../src/replay/replay.ts';
import type { ToolSource } from '../../src/tools.ts';
import { openTranscript, type TimedEvent } from '../../src/transcript/read-transcript.ts';
import { recordedAgent } from '../../src/transcript/record-agent.ts';
import { openRecorder, type RecorderOptions } from '../../src/transcript/recorder.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-transcript-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface RecordOptions extends Partial<AgentOptions> {
  readonly recorder?: Omit<RecorderOptions, 'file' | 'folder'>;
  readonly contextSize?: number;
  /** What stands in front of the engine that says the completions. */
  readonly through?: (engine: Engine) => Engine;
  /** One for each question; absent: it is not stopped. */
  readonly signals?: readonly (AbortSignal | undefined)[];
}

export interface Recorded {
  readonly file: string;
  readonly events: readonly AgentEvent[];
  readonly results: readonly (RunResult | { readonly failed: unknown })[];
}

/** Asks the questions one after another; `/reset` is no question. */
export async function record(
  completions: readonly RecordedCompletion[],
  tools: ToolSource,
  questions: readonly string[],
  { recorder: kept, contextSize, through = engine => engine, signals = [], ...options }: RecordOptions = {},
): Promise<Recorded> {
  const file = path.join(temporaryFolder(), 'run.jsonl');
  const recorder = openRecorder({ ...kept, file });
  const format = formatNamed('hermes');
  const engine = through(recordedEngine(completions, { ...(contextSize ? { contextSize } : {}) }));
  const agent = recordedAgent(
    { model: rawModel(engine, format), tools, approve: approval({ mode: 'auto' }), ...options },
    {
      recorder,
      versions: { rawcall: '0.0.0', node: process.versions.node },
      model: { name: 'recorded', format: format.name, ...(contextSize ? { contextSize } : {}) },
    },
  );
  const events: AgentEvent[] = [];
  const results: Recorded['results'][number][] = [];
  for (const [at, question] of questions.entries()) {
    if (question === '/reset') {
      agent.reset();
      continue;
    }
    const signal = signals[at];
    const run = agent.run(question, signal ? { signal } : {});
    try {
      for (;;) {
        const step = await run.next();
        if (step.done) {
          results.push(step.value);
          break;
        }
        events.push(step.value);
      }
    } catch (failed) {
      results.push({ failed });
    }
  }
  recorder.close();
  return { file, events, results };
}

export const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');

export async function eventsOf(file: string): Promise<TimedEvent[]> {
  const transcript = await openTranscript(file);
  const events: TimedEvent[] = [];
  for await (const { line: _, ...event } of transcript.events) events.push(event);
  return events;
}

export async function replayed(file: string, options: Partial<ReplayOptions> = {}) {
  const transcript = await openTranscript(file);
  const events: AgentEvent[] = [];
  const runs = [];
  for await (const run of replay(transcript, {
    format: formatNamed(transcript.header.model.format),
    onEvent: event => events.push(event),
    ...options,
  }))
    runs.push(run);
  return { events, runs, difference: runs.find(({ difference }) => difference)?.difference };
}
