/** The contract of a call syntax: pieces of a completion in, events out. Types only. */

import type { CallGrammar, GrammarOptions } from './gbnf/call-grammar.ts';
import type { Repair } from './repairs.ts';

export type { CallGrammar, GrammarOptions, Impossible, Relaxed } from './gbnf/call-grammar.ts';
export type { Repair } from './repairs.ts';

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}
/** A JSON Schema (2020-12 or earlier) as an MCP server or a user wrote it. */
export type JsonSchema = boolean | Readonly<Record<string, unknown>>;

/** A tool as it is offered to the model. `name` is what the model sees and writes. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
}

/** A server's hints (MCP `annotations`); they come from an untrusted place and can only ask for more care. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface ToolCall {
  readonly id: string;
  /** The id that the model itself wrote. It is `id` too, unless it came behind the arguments or another call has it. */
  readonly writtenId?: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** The arguments as exact JSON text: integers beyond 2^53 and the spelling of numbers are kept. */
  readonly argumentsText: string;
}

/** Offsets in UTF-16 units into the completion's text (all pieces joined, the prefill left out), end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One chunk of a completion. A flat string is one piece with no more than its text. */
export interface Piece {
  readonly text: string;
  /** True where the text is one control token of the vocabulary. */
  readonly control?: boolean;
  /** The token ids behind the text, where an engine knows them. */
  readonly tokens?: readonly number[];
}

export interface ReadingContext {
  /** The tools that were offered. Absent: any name is taken and no schema is checked. */
  readonly tools?: readonly ToolDefinition[];
  /** What the prompt itself ended with and what belongs to this completion, such as `<think>\n`. */
  readonly prefill?: string;
  /**
   * The texts that are single control tokens of the vocabulary. A marker in this set counts only in a piece with
   * `control`; the same letters elsewhere are prose. Absent: the completion is a flat string and is read by its text.
   */
  readonly controlTokens?: ReadonlySet<string>;
  /** The control tokens that end the turn: they are stripped, and what follows the first one is dropped and reported. */
  readonly stops?: readonly string[];
  /** Gives an id to each call that brings none of its own. Default: `call_1`, `call_2`, … */
  readonly callId?: (index: number, name: string) => string;
  /** Where a bare call object may be read as a call. Default: only a reply that is nothing else. */
  readonly bareCalls?: 'whole-reply' | 'anywhere';
}

export interface Parser {
  readonly name: string;
  start(context?: ReadingContext): Reading;
  /** The call syntax written by us, in the model's native way: what a history shows. `read(write(calls))` gives the calls back. */
  write(calls: readonly ToolCall[]): readonly Piece[];
  /** GBNF for calls of these tools and nothing else, in this syntax. It throws RawcallError `nothing_to_call`. */
  grammar?(tools: readonly ToolDefinition[], options?: GrammarOptions): CallGrammar;
}

export interface Reading {
  /** Reads one more piece. What is returned is final: no later event takes it back. */
  push(piece: Piece): ParseEvent[];
  /** Ends the reading: what was open is closed or reported. */
  end(reason: StopReason): ParseEvent[];
}

/** Why a completion ended: the model ended it, a token limit cut it, or a caller aborted it. */
export type StopReason = 'stop' | 'length' | 'aborted';

/** What was wrong with a call, or with the turn around it. */
export type Problem =
  | 'truncated'
  | 'bad_json'
  | 'bad_arguments'
  | 'missing_name'
  | 'unknown_tool'
  | 'non_literal'
  | 'unclosed_reasoning'
  | 'fabricated_result';

export type ParseEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'call-start'; readonly index: number; readonly id: string; readonly name: string }
  /** Joined, the deltas of one call are its `argumentsText`, byte for byte. */
  | { readonly type: 'call-delta'; readonly index: number; readonly argumentsText: string }
  | { readonly type: 'call-end'; readonly index: number; readonly call: ToolCall; readonly span: Span }
  /** A call that must not run, or a problem of the turn (`index` is then -1). `raw` is its exact text, `message` is for the model. */
  | {
      readonly type: 'call-failed';
      readonly index: number;
      /** As a good call's; empty for a problem of the turn. */
      readonly id: string;
      readonly writtenId?: string;
      readonly problem: Problem;
      readonly name?: string;
      readonly raw: string;
      readonly span: Span;
      readonly message: string;
    }
  /** What was mended to read a call, each once for each call that needed it; or in the text around the calls (`index` is then -1). */
  | { readonly type: 'repaired'; readonly index: number; readonly repair: Repair; readonly span: Span };
