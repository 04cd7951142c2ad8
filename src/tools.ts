/** What the agent needs of whoever runs its tools (MCP servers, or a library user's functions). Types only. */
import type { JsonObject, ToolDefinition } from '../parsers/parser.ts';

export interface ToolResult {
  /** The text that the model gets to read. */
  readonly content: string;
  readonly isError: boolean;
}

export interface ToolSource {
  /** The tools on offer, under names that the model can write. */
  readonly tools: readonly ToolDefinition[];
  /** A call's failure is a result with `isError`, never an exception; only an abort rejects. */
  call(name: string, args: JsonObject, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>;
}
