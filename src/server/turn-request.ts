/** What every endpoint that takes a conversation asks of the model: one turn. Types only. */
import type { JsonSchema } from '../../parsers/parser.ts';
import type { Conversation } from '../../templates/template.ts';
import type { Sampling } from '../engine/engine.ts';

export interface TurnRequest {
  readonly conversation: Conversation;
  /** The field of the request that it came in, for errors. */
  readonly field: 'messages' | 'input';
  readonly choice: ToolChoice;
  /** Whether the turn may make several calls. */
  readonly parallel: boolean;
  /** What the text must be, where it must be something. */
  readonly output?: JsonSchema;
  readonly sampling: Sampling;
  /** In tokens. Absent: what the context still holds. */
  readonly maxTokens?: number;
  /** Texts that end the turn; they are no part of it. */
  readonly stop: readonly string[];
  /** False: a model that can think is told not to. */
  readonly thinking?: boolean;
  /** As `TurnOptions.logprobs`. */
  readonly logprobs?: number;
}

/** `tools`: the only ones that may be called, by the names that the client gave them. Absent: all. */
export interface ToolChoice {
  readonly mode: 'auto' | 'none' | 'required';
  readonly tools?: readonly string[];
}
