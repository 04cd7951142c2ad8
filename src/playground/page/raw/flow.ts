/** What a flow of tokens shows, whatever it is made of: a prompt, a completion, or two prompts compared. Types only. */
import type { LaidOut } from './rows.ts';

export interface FlowToken extends LaidOut {
  /** Names of looks (style/raw.css). */
  readonly looks: string;
}

export interface Flow {
  readonly tokens: readonly FlowToken[];
  /** What is known of a token, each in a few words, and its exact text. */
  facts(token: number): TokenFacts;
  /** What stands beside a row, by the first token that begins in it. */
  margin(token: number): Margin;
  /** Where something begins that one may look for: tokens, in their order. */
  readonly landmarks: readonly number[];
}

export interface Margin {
  readonly words: string;
  readonly looks: string;
}

export interface TokenFacts {
  /** Absent of what is no token. */
  readonly text?: string;
  readonly notes: readonly string[];
}

/** Tokens from `start` up to `end`, which is not one of them. */
export interface Range {
  readonly start: number;
  readonly end: number;
}
