/** The dialogue that layouts and peers are compared by: five questions of two calls each, with the tools of real MCP servers. */
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonValue, ToolCall, ToolDefinition } from '../parsers/parser.ts';
import { openHost } from '../src/mcp/host.ts';
import { jsonLine } from '../templates/schema.ts';

export const practiceModel = path.join(import.meta.dirname, '../models/practice/practice.gguf');
export const system = 'You are a helpful assistant with tools.';

export interface Exchange {
  readonly question: string;
  /** Made in one turn. */
  readonly calls: readonly ToolCall[];
  readonly answer: string;
}

/** What is said whatever the model: layouts and harnesses are compared, and not moods. */
export function dialogue(tools: readonly ToolDefinition[], questions = 5): readonly Exchange[] {
  return Array.from({ length: questions }, (_, index) => ({
    question: `Question ${index + 1}: what do the two sources say, and do they agree?`,
    calls: [0, 1].map(at => callOf(tools[(2 * index + at) % tools.length]!, 2 * index + at)),
    answer: `The two sources of question ${index + 1} agree: each names the same figure, and both give today's date.`,
  }));
}

export const result = (name: string, length = 8): string =>
  `${name} found: ${'the figure is 42, as it was when last measured at the northern station. '.repeat(length)}`;

function callOf(tool: ToolDefinition, index: number): ToolCall {
  // Spaced as models write it, and as grammars have it.
  const argumentsText = jsonLine(least(tool.inputSchema as Schema));
  return { id: `call_${index}`, name: tool.name, arguments: JSON.parse(argumentsText), argumentsText };
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly JsonValue[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
}

/** The least that a schema asks for. */
function least({
  type,
  enum: values,
  properties = {},
  required = [],
  items = {},
  minItems = 0,
}: Schema): JsonValue {
  if (values) return values[0] ?? null;
  if (type === 'object')
    return Object.fromEntries(required.map(name => [name, least(properties[name] ?? {})]));
  if (type === 'array') return Array.from({ length: minItems }, () => least(items));
  if (type === 'number' || type === 'integer') return 1;
  return type === 'boolean' ? true : 'x';
}

export async function realTools(): Promise<readonly ToolDefinition[]> {
  const require = createRequire(import.meta.url);
  const server = (name: string, ...args: string[]) => {
    const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
    const [script = ''] = Object.values<string>(require(manifest).bin);
    return {
      name,
      command: process.execPath,
      args: [path.join(path.dirname(manifest), script), ...args],
      env: {},
    };
  };
  const host = openHost([server('filesystem', tmpdir()), server('memory'), server('everything')]);
  await host.ready;
  const { tools } = host;
  await host.close();
  return tools;
}

/** So many tools; those that servers offer come again under other names where they are too few. */
export function toolSet(tools: readonly ToolDefinition[], count: number): readonly ToolDefinition[] {
  return Array.from({ length: count }, (_, index) => {
    const tool = tools[index % tools.length]!;
    const again = Math.floor(index / tools.length);
    return again === 0 ? tool : { ...tool, name: `${tool.name}_${again + 1}` };
  });
}
