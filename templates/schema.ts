/** Tools as JSON, the way chat templates print them. */
import { spacedJson } from '../parsers/json-text.ts';
import type { ToolDefinition } from '../parsers/parser.ts';

/** The tool in OpenAI's shape, which every native template expects. */
export function functionTool(tool: ToolDefinition) {
  return {
    type: 'function',
    function: {
      name: tool.name,
      ...(tool.description === undefined ? {} : { description: tool.description }),
      parameters: tool.inputSchema ?? { type: 'object', properties: {} },
    },
  };
}

/** A line of JSON for each. */
export function toolLines(tools: readonly ToolDefinition[]): string {
  return tools.map(toolLine).join('\n');
}

/** The same tools are printed at every turn. */
const lines = new WeakMap<ToolDefinition, string>();

function toolLine(tool: ToolDefinition): string {
  const known = lines.get(tool);
  if (known !== undefined) return known;
  const line = jsonLine(functionTool(tool));
  lines.set(tool, line);
  return line;
}

/** On one line, spaced as Python's `json.dumps` does; non-ASCII as it is. */
export function jsonLine(value: unknown): string {
  return spacedJson(JSON.stringify(value));
}
