/** The contract of a way to ask a model a question with tools, and what is kept of one question. Types only. */
import type { ToolDefinition } from '../../parsers/parser.ts';
import type { BfclQuestion } from '../../src/eval/bfcl/questions.ts';

export interface AskedQuestion extends Pick<BfclQuestion, 'id' | 'messages'> {
  /** Under names that every way takes. */
  readonly tools: readonly ToolDefinition[];
}

export interface MadeCall {
  readonly name: string;
  /** Exact JSON. */
  readonly arguments: string;
}

/** One turn of the model's. */
export interface MadeTurn {
  /** Those that were reported as calls, and are fit to be run. */
  readonly calls: readonly MadeCall[];
  /** What was reported as words. */
  readonly text: string;
}

export interface Reply {
  readonly turns: readonly MadeTurn[];
  /** Tokens of prompts that were evaluated, and tokens that were written. */
  readonly evaluated: number;
  readonly generated: number;
  /** Calls that were reported and are unfit to be run, by what was wrong. */
  readonly refused?: readonly string[];
}

export interface Arm {
  readonly name: ArmName;
  ask(question: AskedQuestion): Promise<Reply>;
  close(): Promise<void>;
}

export const armNames = ['llama-server', 'chat-session', 'rawcall', 'rawcall+calls', 'rawcall auto'] as const;
export type ArmName = (typeof armNames)[number];

export interface ArmOptions {
  readonly model: string;
  readonly contextSize: number;
  readonly threads: number;
  /** Of one turn. */
  readonly maxTokens: number;
  /** Of calls. */
  readonly maxRounds: number;
}

/** What every call gives, in every arm. */
export const stubResult = '{"status": "ok"}';
