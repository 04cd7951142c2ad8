/**
 * The contract of a transcript: a JSONL file, its lines in the order in which they happened. Types only; docs/transcripts.md
 * says them in words, `transcript.schema.json` as JSON Schema.
 *
 * All that a run hears of the world outside of its loop is in it (completions, results, approvals, counts of tokens, aborts), so
 * that the loop can be gone through again from the file alone.
 */
import type { JsonObject, Piece, ToolDefinition } from '../../parsers/parser.ts';
import type { Message, Prompt, RenderOptions } from '../../templates/template.ts';
import type { RunOptions } from '../agent/agent.ts';
import type { AgentEvent } from '../agent/events.ts';
import type { Limits } from '../agent/guards.ts';
import type { TurnPolicy } from '../agent/policy.ts';
import type { Sampling } from '../engine/engine.ts';
import type { Constrain } from '../model/constrain.ts';
import type { TokenBill } from '../model/model.ts';

/** Version 1 had each completion whole in its `completion-end`. */
export type TranscriptVersion = 1 | 2;

export type TranscriptLine = TranscriptHeader | TranscriptEntry;

/** The first line. */
export interface TranscriptHeader {
  readonly type: 'transcript';
  readonly version: TranscriptVersion;
  /** ISO 8601. The `at` of all other lines counts from here. */
  readonly startedAt: string;
  readonly versions: Readonly<Record<'rawcall' | 'node', string>>;
  readonly model: TranscriptModel;
  /** How the dialogue is led; what is absent is the default. */
  readonly settings: TranscriptSettings;
  /** The dialogue before the first run, its system text included. */
  readonly messages: readonly Message[];
  /** On offer, or all that could be where a part of them is offered at a time. */
  readonly tools: readonly TranscriptTool[];
  /** The tool that finds others, where a part of the tools is offered at a time. */
  readonly finder?: string;
}

/** A file by its size, and the hash of its first and last mebibyte. */
export interface TranscriptFile {
  readonly size: number;
  readonly sha256: string;
}

export interface TranscriptModel {
  readonly name: string;
  /** A format's name, or the path of a module with one; `chat`: an endpoint's own template and parser. */
  readonly format: string;
  readonly file?: TranscriptFile;
  /** Adapters on top of it. */
  readonly lora?: readonly { readonly file: TranscriptFile; readonly scale: number }[];
  readonly parameters?: number;
  readonly contextSize?: number;
  /** Those of the vocabulary that a format could mean something by. Absent: what is control is not known. */
  readonly controlTokens?: readonly string[];
  /** For a format that is a chat template in Jinja. */
  readonly chatTemplate?: string;
  readonly bosToken?: string;
  readonly eosToken?: string;
}

export interface TranscriptSettings {
  readonly policy?: TurnPolicy;
  readonly render?: Omit<RenderOptions, 'schema' | 'generationPrompt'>;
  readonly sampling?: Sampling;
  readonly constrain?: Constrain;
  readonly system?: string;
  readonly maxTokens?: number;
  readonly maxRounds?: number;
  readonly limits?: Limits;
  /** Names of the tools whose calls are left to whoever asked. */
  readonly handBack?: readonly string[];
}

/** A tool as it is offered, and what is known of it. */
export interface TranscriptTool extends ToolDefinition {
  /** Whose it is. */
  readonly server?: string;
  /** The model is shown a simpler schema. */
  readonly simplified?: true;
}

/** What happened. `at`: in milliseconds from the start. */
export type TranscriptEntry = (RunStart | PackedTurnStart | OtherEvent | World) & Timed;

/** The same as people and programs want it: each prompt and each completion whole. */
export type RecordedEvent = RunStart | TurnStart | OtherEvent | World;

export interface Timed {
  readonly at: number;
}

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

/** `messages`: what goes into the dialogue in the question's place, where it isn't the question alone. */
export type RunStart = EventOf<'run-start'> & Pick<RunOptions, 'messages'>;

export type TurnStart = EventOf<'turn-start'> & {
  /** Prompts of one lane continue each other. */
  readonly lane: string;
  /** Token ids, where the model has a tokenizer. */
  readonly ids?: readonly number[];
};

export type PackedTurnStart = Omit<TurnStart, 'prompt' | 'ids'> & {
  readonly prompt: Continued<Prompt[number]>;
  readonly ids?: Continued<number>;
};

/** A list that begins with the `keep` first ones of the same list in the last turn of its lane; `add` stands behind them. */
export interface Continued<Item> {
  readonly keep: number;
  readonly add: readonly Item[];
}

/** All other events are written as they are, but a `completion-end` without the pieces that its parts have. */
export type OtherEvent = Exclude<AgentEvent, { type: 'run-start' | 'turn-start' }>;

/** What the loop was told from outside, besides what its events say. */
export type World =
  /** How many tokens a prompt or a text is, how many a prompt shares with another one, or what it is made of: in the order of asking. */
  | { readonly type: 'measure'; readonly of: 'prompt' | 'text' | 'shared'; readonly tokens: number }
  | { readonly type: 'measure'; readonly of: 'bill'; readonly bill: TokenBill }
  /**
   * What is on offer from here on: all names in their order, and the tools that no earlier line has so. `all`: those that could be
   * on offer, where a part of them is at a time.
   */
  | {
      readonly type: 'tools';
      readonly names: readonly string[];
      readonly all?: readonly string[];
      readonly defined: readonly TranscriptTool[];
    }
  /** A part of the turn's completion, written as it came. As read: all that there is of a completion without an end. */
  | { readonly type: 'completion-delta'; readonly pieces: readonly Piece[] }
  /** Whether a tool that was called without being on offer could be put there. */
  | { readonly type: 'offer'; readonly name: string; readonly offered: boolean }
  /** The user stopped the run, or the time of a turn or of the run was up. */
  | { readonly type: 'abort'; readonly by: 'user' | 'turn-time' | 'run-time' }
  /** A turn that ended with an error; its events before it are all there is. */
  | ({ readonly type: 'turn-failed' } & Failure)
  /** A run that ended with an error. */
  | ({ readonly type: 'run-failed' } & Failure)
  /** The dialogue begins anew. */
  | { readonly type: 'reset'; readonly system?: string };

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details?: JsonObject;
}
