/** What the agent needs of whoever runs its tools (MCP servers, or a library user's functions). Types only. */
import type { JsonObject, ToolDefinition } from '../parsers/parser.ts';

/** What a tool gave besides text: a picture, sound, or the bytes of a file. */
export interface Attachment {
  readonly mimeType: string;
  /** In base64. */
  readonly data: string;
  readonly name?: string;
}

export interface ToolResult {
  /** The text that the model gets to read. */
  readonly content: string;
  readonly isError: boolean;
  /** Text that the tool means for the user alone. */
  readonly forUser?: string;
  /** For people and programs; the model reads only that they are there. */
  readonly attachments?: readonly Attachment[];
  /** What was odd about the result, for people; the result stands all the same. */
  readonly warnings?: readonly string[];
}

export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface ToolCallOptions {
  /** The exact JSON of the arguments, with all digits of their numbers. */
  readonly argumentsText?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ToolProgress) => void;
}

export interface ToolSource {
  /** The tools on offer, under names that the model can write. */
  readonly tools: readonly ToolDefinition[];
  /** A call's failure is a result with `isError`, never an exception; only an abort rejects. */
  call(name: string, args: JsonObject, options?: ToolCallOptions): Promise<ToolResult>;
  /** Only of a source that offers some of its tools at a time. */
  readonly choice?: ToolChoice;
}

export interface ToolChoice {
  /** Makes the offer for a question, before its first turn. */
  prepare(question: string): void;
  /** Every tool there is, on offer or not, and the finder. */
  readonly all: readonly ToolDefinition[];
  /** Puts a tool on offer that was called wrongly without being there; false where there is none of that name, or no room. */
  offer(name: string): boolean;
  /** The tool that finds others. It is the harness's own: it runs without approval, and nothing in the world is done by it. */
  readonly finder: string;
}
