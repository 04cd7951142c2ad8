/** What a run tells while it goes on: the turns' own events and the harness's. Types only; each is one line of JSONL. */
import type { ToolCall } from '../../parsers/parser.ts';
import type { TurnEvent } from '../model/model.ts';
import type { ToolProgress, ToolResult } from '../tools.ts';
import type { ApprovalAnswer } from './approval.ts';
import type { ToolsChanged } from './offer.ts';
import type { RunPolicy } from './policy.ts';

/** Why a run ended. Every run ends with one of these and never with silence. */
export type RunReason =
  /** The model answered. */
  | 'answered'
  /** The model wrote no words, asked twice; the answer is the results themselves. */
  | 'no_answer'
  /** The round limit was reached. */
  | 'round_limit'
  /** The context is full, or the completion was cut by the token limit. */
  | 'length'
  /** The model repeated itself without end and was stopped. */
  | 'repetition'
  /** A limit of the run or of a turn (tokens, seconds) was reached. */
  | 'limit'
  /** There are calls that whoever asked has to run (`AgentOptions.handBack`). */
  | 'calls'
  | 'aborted';

/** What was noticed of a model that went astray, and mended or stopped. */
export type Guard =
  /** The same call again: answered from its first result. */
  | 'repeated_call'
  /** Rounds of calls that bring nothing new: the model is made to answer. */
  | 'call_loop'
  /** A turn without words, with a thought alone, or with a call where words were due: an answer turn follows, or the results stand in. */
  | 'empty_answer'
  /** A turn that only announces a call: the model is asked for it, once. */
  | 'announced_call'
  /** A turn that is a call of a tool that isn't on offer, as words: the model is told what is, or held to what is called alike, once. */
  | 'unknown_call'
  /** Output that repeats itself: the turn is stopped. */
  | 'repetition'
  /** A limit was reached: no further turn is taken. */
  | 'limit';

/** Where a result came from: the tool, an earlier call with the same arguments, the user's refusal, or a call that could not be read. */
export type ResultSource = 'tool' | 'repeat' | 'rejection' | 'problem';

export type AgentEvent =
  | {
      readonly type: 'run-start';
      readonly question: string;
      readonly policy: RunPolicy;
    }
  | TurnEvent
  | ({
      readonly type: 'approval-end';
      readonly call: ToolCall;
    } & ApprovalAnswer)
  | { readonly type: 'tool-start'; readonly call: ToolCall }
  /** Of a call that goes on; the newest news of each, where they come faster than they are read. */
  | ({ readonly type: 'tool-progress'; readonly call: ToolCall } & ToolProgress)
  | {
      readonly type: 'tool-end';
      readonly call: ToolCall;
      /** As the model gets to read it. */
      readonly result: ToolResult;
      readonly source: ResultSource;
      /** How many characters of a result that was too long were left out. */
      readonly leftOut?: number;
      /** All of its text, where characters were left out. */
      readonly whole?: string;
    }
  | { readonly type: 'guard'; readonly guard: Guard; readonly message: string }
  /** So many messages of earlier exchanges are not in this turn's prompt, because the context is too small for them. */
  | { readonly type: 'history-trimmed'; readonly messages: number }
  /** The tools of this turn's prompt are others than those of the decision before: a server's list changed, or another choice. */
  | ({ readonly type: 'tools-changed' } & ToolsChanged)
  | ({ readonly type: 'run-end' } & RunResult);

export interface RunResult {
  readonly reason: RunReason;
  readonly answer: string;
  /** Model turns, decision and answer turns alike. */
  readonly turns: number;
  /** Calls that a tool really ran: 0 tells that nothing stands behind a claim of having done something. */
  readonly toolRuns: number;
  /** Calls that were answered from an earlier result. */
  readonly repeats: number;
  /** Calls that needed approval and were refused because nobody could be asked. */
  readonly unasked: number;
}
