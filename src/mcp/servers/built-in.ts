import type { ToolDefinition } from '../../../parsers/parser.ts';

/** A server that comes with rawcall. */
export interface BuiltInServer {
  readonly name: string;
  readonly tools: readonly ToolDefinition[];
}
