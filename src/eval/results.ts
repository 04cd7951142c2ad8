/**
 * What an evaluation leaves: JSON lines, one a sample, appended as each ends, so that one that was killed goes on where it
 * was. Rates are never in it: `metrics.ts` counts them from the samples.
 */
import type { JsonObject, JsonValue, Problem } from '../../parsers/parser.ts';
import type { RunReason } from '../agent/events.ts';
import type { AnswerTurn, Rounds } from '../agent/policy.ts';

/** Grows when a reader of old files would misread new ones. */
export const resultsVersion = 1;

/** The file's first line: what is asked, and of whom. A run that goes on with a file must agree with all of it but `started`. */
export interface EvalHeader {
  readonly type: 'eval-start';
  readonly version: typeof resultsVersion;
  /** The version of rawcall that asks. */
  readonly rawcall: string;
  /** Of the tasks: the name of the set or file, and the hash of what it says. */
  readonly set: string;
  readonly tasksHash: string;
  readonly tasks: readonly TaskSummary[];
  readonly variants: readonly Variant[];
  /** How often each task is asked of each variant. */
  readonly samples: number;
  readonly seed: number;
  /** What holds for all variants: `temperature`, `maxTokens` and the like, as far as they were given. */
  readonly settings: JsonObject;
  /** In ISO 8601. */
  readonly started: string;
}

/** A task as a report shows it. */
export interface TaskSummary {
  readonly id: string;
  readonly tags: readonly string[];
  /** The question, or a dialogue's last one. */
  readonly query: string;
  readonly expected: Expected;
}

export interface Expected {
  /** Whether a tool is to be called at all. */
  readonly call: boolean;
  /** The calls that are right, in any order. Empty with `call`: any call will do. */
  readonly calls: readonly ExpectedCall[];
  /** Texts that the answer must hold; a list inside means one of them. */
  readonly answerHolds: readonly (string | readonly string[])[];
}

export interface ExpectedCall {
  /** As the task names it, dots and all. */
  readonly tool: string;
  /** Matchers by argument, as the task has them. Absent: any arguments will do. */
  readonly arguments?: Readonly<Record<string, JsonValue>>;
}

/** One combination of the matrix. */
export interface Variant {
  /** All that it is, in one word: `MODEL:FORMAT:POLICY:CONSTRAIN:SCHEMA-FORM`. */
  readonly id: string;
  readonly model: string;
  /** As it was asked for: `auto` is the one that is found in the model. */
  readonly format: string;
  /** `auto`, or `ANSWER-TURN[/once]`. */
  readonly policy: string;
  readonly constrain: string;
  readonly schemaForm: string;
}

/** A variant's model is open. Again after each resuming. */
export interface VariantStart {
  readonly type: 'variant-start';
  readonly variant: string;
  /** The name of the format that is used. */
  readonly format: string;
  readonly policy: { readonly answerTurn: AnswerTurn; readonly rounds: Rounds; readonly reason?: string };
  /** What tells this model from another of the same name. Absent for endpoints. */
  readonly modelHash?: string;
  readonly parameters?: number;
  readonly contextSize?: number;
}

/** A variant could not be asked (any more): the rest of its samples is missing. Resuming tries it again. */
export interface VariantFailed {
  readonly type: 'variant-failed';
  readonly variant: string;
  readonly code: string;
  readonly message: string;
}

/** One asking of one task. */
export interface Sample {
  readonly type: 'sample';
  readonly variant: string;
  readonly task: string;
  /** From 0. */
  readonly sample: number;
  readonly seed: number;
  readonly tags: readonly string[];
  readonly expected: Expected;
  /** Every call that the model wrote, in order, those that could not be read too. */
  readonly calls: readonly CallMade[];
  readonly scores: Scores;
  /** How often each repair was needed to read what the model wrote. */
  readonly repairs: Readonly<Record<string, number>>;
  readonly usage: SampleUsage;
  readonly answer: string;
  readonly reason: RunReason;
  readonly turns: number;
  /** The run broke off. Its calls and scores are what there was until then, and no metric but `errors` counts it. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Where its transcript is, relative to the results file. */
  readonly transcript?: string;
}

export interface CallMade {
  /** Which of the run's turns wrote it, from 1. */
  readonly turn: number;
  /** As the task file would name it; what the model wrote where there is no such tool. Empty where it has no name. */
  readonly tool: string;
  /** Exact JSON; what the model wrote where it can't be read. */
  readonly argumentsText: string;
  /** It was read, and its arguments fit the tool's schema. */
  readonly valid: boolean;
  /** Why it was not run. */
  readonly problem?: Problem;
  /** Which of the expected calls it is. */
  readonly matches?: number;
  /** The same call was made before. */
  readonly repeated: boolean;
}

export interface Scores {
  /** A call was expected and one was made, or none and none. */
  readonly decisionRight: boolean;
  /** The tools called are those expected and no other. Absent where the task names none, or none was called. */
  readonly toolsRight?: boolean;
  /** Each expected call was made with arguments that match. Absent where the task names no arguments, or the tools are wrong. */
  readonly argumentsRight?: boolean;
  /** All of what the task says about calls holds. */
  readonly right: boolean;
  /** Absent where the task says nothing of the answer. */
  readonly answerHolds?: boolean;
  /** The run ended without words of the model's own. */
  readonly empty: boolean;
  /** Calls that match no expected one. */
  readonly needless: number;
  readonly repeated: number;
  /** Calls that could not be read. */
  readonly malformed: number;
}

export interface SampleUsage {
  /** Tokens, over all turns. */
  readonly evaluated: number;
  readonly reused: number;
  readonly generated: number;
  /** Milliseconds from the question to the first token of the first turn; absent where there was none. */
  readonly firstToken?: number;
  /** Milliseconds in all. */
  readonly total: number;
}

/** Why a run of the command ended. */
export interface EvalEnd {
  readonly type: 'eval-end';
  readonly reason: 'done' | 'time' | 'tokens' | 'interrupted';
  /** Samples that are still to be taken. */
  readonly left: number;
}

export type ResultLine = EvalHeader | VariantStart | VariantFailed | Sample | EvalEnd;

/** A results file as it was read. */
export interface Results {
  readonly header: EvalHeader;
  /** Of each variant that was opened, the last opening. */
  readonly started: ReadonlyMap<string, VariantStart>;
  /** Variants that failed and were not completed since. */
  readonly failed: readonly VariantFailed[];
  readonly samples: readonly Sample[];
}
