/**
 * Goes through the loop again, with the world outside of it as a transcript has it: what the model wrote, what tools gave, what the
 * user allowed, what the clock did. Prompts are rendered and completions read anew, so that what a change of templates, parsers
 * or policies comes to is seen at the first place where it shows.
 */
import { RawcallError } from '../../parsers/error.ts';
import type { Piece, ToolCall } from '../../parsers/parser.ts';
import { isParseEvent } from '../../parsers/read.ts';
import { simplifySchema, withSimplifiedSchemas } from '../../templates/simplify.ts';
import { type AgentOptions, createAgent } from '../agent/agent.ts';
import type { ApprovalAnswer } from '../agent/approval.ts';
import type { AgentEvent, RunResult } from '../agent/events.ts';
import type { Model } from '../model/model.ts';
import type { ToolSource } from '../tools.ts';
import type { Transcript } from '../transcript/read-transcript.ts';
import { type Difference, type Ended, equal, joined, same } from './difference.ts';
import { type ReplayFormat, recordedModel } from './recorded-model.ts';
import { recordedTools } from './recorded-tools.ts';
import { isDelta, type RecordedRun, runsOf } from './runs.ts';
import { type Script, scriptOf } from './script.ts';

export interface ReplayOptions {
  readonly format: ReplayFormat;
  /** Who takes the recording's part. */
  readonly live?: { readonly model?: Model; readonly tools?: Pick<ToolSource, 'call'> };
  /** The turn (of the transcript's, from 1) from which on differences count, and what is live is asked. Default 1. */
  readonly from?: number;
  readonly onEvent?: (event: AgentEvent) => void;
}

/** What became of one run. */
export interface ReplayedRun {
  readonly recorded: RecordedRun;
  /** Undefined where it did not come to its end. */
  readonly result: RunResult | undefined;
  readonly difference: Difference | undefined;
  readonly turns: number;
}

/** Ends with the first run that differs; with a live part, each run is gone through to its end, whatever differs. */
export async function* replay(
  transcript: Transcript,
  options: ReplayOptions,
): AsyncGenerator<ReplayedRun, void> {
  const { live = {}, from = 1 } = options;
  const stage = openStage(transcript, options);
  const loose = { model: live.model !== undefined, tools: live.tools !== undefined };
  const goesOn = loose.model || loose.tools;

  for await (const run of runsOf(transcript)) {
    const replayed = await perform(run);
    yield replayed;
    if (replayed.difference && !goesOn) return;
  }

  async function perform(run: RecordedRun): Promise<ReplayedRun> {
    const controller = new AbortController();
    const script = scriptOf(run, by => (by === 'user' ? controller.abort() : stage.timeUp(by)));
    stage.enter(run, script);
    const { question, messages } = run.start;
    const events = stage.agent.run(question, {
      signal: controller.signal,
      ...(messages ? { messages } : {}),
    });
    let turns = run.turnsBefore;
    let deltas: AgentEvent[] = [];
    let difference: Difference | undefined;
    let result: RunResult | undefined;

    function compare(now: AgentEvent | Ended | undefined): void {
      // A run-start is the first line, and not of the run's events.
      const recorded = now?.type === 'run-start' ? undefined : script.take();
      const event = now?.type === 'run-start' ? run.start : recorded?.event;
      const texts = { recorded: joined(recorded?.deltas ?? []), now: joined(deltas) };
      const sameTexts = equal(texts.recorded, texts.now);
      const atEnd = script.isCut && isEnd(now);
      const agrees = atEnd ? beginAlike(texts) : sameTexts && same(event, now, loose);
      deltas = [];
      // What was cut off when it was recorded has nothing to be compared with, but for what is read in the turn where that was.
      const isRead = atEnd || (script.isCut && now !== undefined && isParseEvent(now));
      if (agrees || turns < from || (!event && !run.finished && !isRead)) return;
      const completion = completionOf(run, turns - run.turnsBefore);
      difference = {
        ...{ turn: turns, line: event?.line, recorded: event, now },
        ...(sameTexts ? {} : { texts }),
        ...(completion ? { completion } : {}),
      };
      stage.leaveScript(run);
    }

    for (;;) {
      script.abortsBeforeNext();
      stage.prepare(script.next);
      const step = await next(events);
      if ('failed' in step) {
        if (!difference) compare(step.failed);
        break;
      }
      if (step.done) {
        result = step.value;
        break;
      }
      const event = step.value;
      options.onEvent?.(event);
      if (event.type === 'turn-start') turns++;
      if (event.type === 'tool-start') stage.starts(event.call);
      if (difference) {
        if (script.next?.type === event.type) script.take();
      } else if (isDelta(event)) deltas.push(event);
      else if (!(loose.tools && event.type === 'tool-progress')) compare(event);
      if (difference && !goesOn) break;
      if (!run.finished && !script.isCut && script.next === undefined && !goesOn) break;
    }
    if (result && !difference && script.next && !(loose.tools && script.next.type === 'tool-progress'))
      compare(undefined);
    await events.return(undefined as never);
    return { recorded: run, result, difference, turns: turns - run.turnsBefore };
  }
}

/** The agent, and the world that is put in front of it run by run. */
function openStage(transcript: Transcript, { format, live = {}, from = 1 }: ReplayOptions) {
  const { header } = transcript;
  const { settings } = header;
  let script: Script | undefined;
  /** What to answer by once the run goes its own way: name and arguments. */
  let byKey: ReadonlyMap<string, KeyedAnswers> | undefined;
  const current = (): Script => {
    if (script) return script;
    throw new RawcallError('recording_ended', 'No run of the recording is under way.');
  };

  const tools = recordedTools(header, current, live.tools);
  const recorded = recordedModel(header.model, shown(), current, tool =>
    tools.isSimplified(tool) ? { ...tool, inputSchema: simplifySchema(tool.inputSchema).schema } : tool,
  );
  const times = new Map<string, AbortController>();
  let turns = 0;

  const { handBack, ...rest } = settings;
  const options: AgentOptions = {
    ...rest,
    messages: header.messages,
    model: live.model ? hybrid(live.model) : recorded,
    tools: {
      ...(tools.choice ? { choice: tools.choice } : {}),
      get tools() {
        return tools.tools;
      },
      call: (name, args, how) => {
        const known = byKey?.get(keyOf(name, how?.argumentsText ?? JSON.stringify(args)));
        if (byKey && !live.tools) return Promise.resolve(known?.result ?? noResult);
        return tools.call(name, args, how);
      },
    },
    approve: async call => approvalOf(call),
    timeout(_, of) {
      const controller = new AbortController();
      times.set(of, controller);
      return controller.signal;
    },
    ...(handBack ? { handBack: (name: string) => handBack.includes(name) } : {}),
  };
  const agent = createAgent(options);

  function shown(): ReplayFormat {
    if (format === 'chat') return format;
    return { ...format, template: withSimplifiedSchemas(format.template, tool => tools.isSimplified(tool)) };
  }

  /** The recording's turns up to `from`, and the real ones from there on. */
  function hybrid(model: Model): Model {
    return {
      ...model,
      turn(prompt, how) {
        turns++;
        return turns < from ? recorded.turn(prompt, how) : model.turn(prompt, how);
      },
    };
  }

  function approvalOf(call: ToolCall): ApprovalAnswer {
    const known = byKey?.get(keyOf(call.name, call.argumentsText))?.approval;
    if (known) return known;
    const next = byKey ? undefined : current().next;
    if (next?.type !== 'approval-end' || next.call.name !== call.name) return noApproval;
    const { type: _, at: __, line: ___, call: ____, ...answer } = next;
    return answer;
  }

  return {
    agent,
    prepare: (next: Script['next']) => {
      if (!byKey) tools.prepare(next);
    },
    starts: (call: ToolCall) => tools.starts(call),
    timeUp: (by: string) => times.get(by.replace('-time', ''))?.abort(),
    enter(run: RecordedRun, its: Script) {
      script = its;
      byKey = undefined;
      if (run.reset) agent.reset(run.reset.system);
    },
    /** From here on what is recorded is found by the call that asks for it. */
    leaveScript(run: RecordedRun) {
      byKey = answersOf(run);
      tools.prepare(undefined);
    },
  };
}

/** Whether the recording is at its end. What was read may be told further than there are pieces of it. */
function isEnd(now: AgentEvent | Ended | undefined): boolean {
  return now?.type === 'run-failed' && now.code === 'recording_ended';
}

function beginAlike({ recorded, now }: NonNullable<Difference['texts']>): boolean {
  return now.every((text, at) => recorded[at]?.startsWith(text));
}

/** Of a run's turn, from 1. */
function completionOf({ events }: RecordedRun, turn: number): readonly Piece[] | undefined {
  let turns = 0;
  for (const event of events) {
    if (event.type === 'turn-start') turns++;
    if (turns !== turn) continue;
    if (event.type === 'completion-end' || event.type === 'completion-delta') return event.pieces;
  }
  return undefined;
}

const noResult = { content: 'The recording has no result of this call.', isError: true };
const noApproval: ApprovalAnswer = {
  allowed: false,
  unasked: true,
  reason: 'the recording has no answer for this call',
};

interface KeyedAnswers {
  readonly approval?: ApprovalAnswer;
  readonly result?: { readonly content: string; readonly isError: boolean };
}

function answersOf({ events }: RecordedRun): ReadonlyMap<string, KeyedAnswers> {
  const found = new Map<string, KeyedAnswers>();
  for (const event of events) {
    if (event.type !== 'approval-end' && event.type !== 'tool-end') continue;
    const key = keyOf(event.call.name, event.call.argumentsText);
    const before = found.get(key);
    if (event.type === 'approval-end') {
      const { type: _, at: __, line: ___, call: ____, ...approval } = event;
      found.set(key, { ...before, approval });
    } else if (event.source === 'tool') {
      const { result, whole } = event;
      found.set(key, { ...before, result: whole === undefined ? result : { ...result, content: whole } });
    }
  }
  return found;
}

const keyOf = (name: string, argumentsText: string) => `${name} ${argumentsText}`;

type Step = IteratorResult<AgentEvent, RunResult> | { readonly failed: Ended };

/** A run's error is an event to be compared. */
async function next(events: AsyncGenerator<AgentEvent, RunResult>): Promise<Step> {
  try {
    return await events.next();
  } catch (error) {
    const code = RawcallError.isInstance(error) ? error.code : 'unexpected';
    const message = error instanceof Error ? error.message : String(error);
    return { failed: { type: 'run-failed', code, message } };
  }
}
