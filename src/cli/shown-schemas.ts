/** In what form the model is shown the tools' schemas: as `--tool-schemas` says, or the entry of the tool's server. */
import type { ToolDefinition } from '../../parsers/parser.ts';
import { simplifySchema, withSimplifiedSchemas } from '../../templates/simplify.ts';
import type { Format } from '../format.ts';
import type { Host } from '../mcp/host.ts';
import type { Values } from './settings.ts';

/** Only its prompts are others: calls are read by the schemas as they are. */
export function withShownSchemas(format: Format, values: Values, origin?: Host['origin']): Format {
  return { ...format, template: withSimplifiedSchemas(format.template, simplified(values, origin)) };
}

/** For a model whose prompts somebody else writes. */
export function shownTool(values: Values, origin: Host['origin']): (tool: ToolDefinition) => ToolDefinition {
  const isSimplified = simplified(values, origin);
  return tool =>
    isSimplified(tool) ? { ...tool, inputSchema: simplifySchema(tool.inputSchema).schema } : tool;
}

/** Which tools are. */
export function simplified({ toolSchemas }: Values, origin?: Host['origin']) {
  return ({ name }: ToolDefinition) => (origin?.(name)?.settings.toolSchemas ?? toolSchemas) === 'simplified';
}
