/** The contract of a chat template: a conversation in, a prompt of pieces out. Types only. */
import type { Piece, ToolCall, ToolDefinition } from '../parsers/parser.ts';

export type Message =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string }
  | AssistantMessage
  | ToolMessage;

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ToolCall[];
  /**
   * The completion as the model wrote it, stop token left out. Where it is there it is written back as it is, so that
   * the next prompt begins with the last one and what was generated, whatever the native template would make of it.
   */
  readonly completion?: readonly Piece[];
}

/** The result of one call; `callId` is the `id` of a call in an earlier assistant message. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly content: string;
  readonly isError?: boolean;
  /** What the tool gave, where `content` is cut. No prompt has it. */
  readonly whole?: string;
}

export interface Conversation {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
}

/** Who a text came from. `template` is scaffolding that this project wrote; all the rest is untrusted. */
export type Origin = 'template' | 'system' | 'tools' | 'user' | 'assistant' | 'tool';

/** A token that the template put there. In a vocabulary that has no such token it is plain text. */
export interface Control {
  readonly control: string;
  readonly tokens?: readonly number[];
}

/** Plain text: whatever it spells, it never becomes a control token. */
export interface Text {
  readonly text: string;
  readonly origin: Origin;
  /** The ids that a model generated for this text; they are used as they are. */
  readonly tokens?: readonly number[];
}

/** Neighbouring texts are tokenised as one string, so that BPE sees what the model was trained on. */
export type Prompt = readonly (Control | Text)[];

/**
 * Where the tools' schemas stand: where the model's own template puts them (`native`), in the system block, in the last
 * user message, in a turn of their own just before the reply (`tail`), or nowhere.
 */
export type SchemaPlacement = 'native' | 'system' | 'user' | 'tail' | 'none';

/**
 * How the tools' schemas are written: as the model's own template prints them (`native`), as JSON without spaces and wrapper, as
 * signatures in the manner of TypeScript, or as heads of Python functions.
 */
export type SchemaForm = 'native' | 'minified' | 'signature' | 'python';

export interface RenderOptions {
  /** Default `native`. Without tools it has no effect. */
  readonly schema?: SchemaPlacement;
  /** Default `native`. Without tools it has no effect. */
  readonly schemaForm?: SchemaForm;
  /** End with the opening of the assistant's turn. Default true. */
  readonly generationPrompt?: boolean;
  /** False: a model that can think is told not to. Default: the model's own default. */
  readonly thinking?: boolean;
  /** For templates that state the date: `26 Jul 2024`, which each spells its own way. Default: the template's own fallback, or none. */
  readonly date?: string;
}

export interface Template {
  readonly name: string;
  /** Control tokens that end the assistant's turn, the usual one first. */
  readonly stops: readonly string[];
  /** Every control token that this template or a completion in its format may hold. */
  readonly controlTokens: readonly string[];
  /**
   * What `render` ends with of the completion itself, such as the empty thought that turns thinking off. Default: nothing.
   * Without a conversation: what it ends with after a user's turn.
   */
  prefill?(options?: RenderOptions, conversation?: Conversation): readonly Piece[];
  /** @throws RawcallError `unmatched_tool_result` for a result without its call. */
  render(conversation: Conversation, options?: RenderOptions): Prompt;
}
