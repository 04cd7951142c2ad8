/** Tools as people have them: in the chat API's shape, flat, or as an MCP server lists them. */
import { schemaErrors } from '../parsers/meta-schema.ts';
import type { JsonSchema, ToolAnnotations, ToolDefinition } from '../parsers/parser.ts';
import { type Fields, fields, filledText, isFields, list, refuseWith } from './check.ts';

const refuse = refuseWith('bad_tools');
const schemaKeys = ['parameters', 'inputSchema', 'input_schema'] as const;
const noParameters: JsonSchema = { type: 'object', properties: {} };

/** @throws RawcallError `bad_tools`, with the place in its message and in `details.where` */
export function parseTools(json: unknown, where = 'tools'): ToolDefinition[] {
  const places = new Map<string, string>();
  return list(json, where, refuse).map((entry, index) => {
    const place = `${where}[${index}]`;
    const tool = readTool(fields(entry, place, refuse), place);
    const earlier = places.get(tool.name);
    if (earlier) refuse(`${place} (its name)`, tool.name, `a name of its own: ${earlier} has it already`);
    places.set(tool.name, place);
    return tool;
  });
}

function readTool(entry: Fields, place: string): ToolDefinition {
  if (entry.type !== undefined && entry.type !== 'function')
    refuse(`${place}.type`, entry.type, '"function", or left out');
  const nested = entry.function !== undefined;
  const within = nested ? `${place}.function` : place;
  const tool = nested ? fields(entry.function, within, refuse) : entry;
  const description = tool.description ?? undefined;
  if (description !== undefined && typeof description !== 'string')
    return refuse(`${within}.description`, description, 'a text');
  const key = schemaKeys.find(one => tool[one] !== undefined && tool[one] !== null);
  const output = tool.outputSchema ?? undefined;
  return {
    name: filledText(tool.name, `${within}.name`, refuse),
    ...(description === undefined ? {} : { description }),
    inputSchema: key === undefined ? noParameters : readSchema(tool[key], `${within}.${key}`),
    ...(output === undefined ? {} : { outputSchema: readSchema(output, `${within}.outputSchema`) }),
    ...(isFields(tool.annotations) ? { annotations: tool.annotations as ToolAnnotations } : {}),
  };
}

function readSchema(value: unknown, place: string): JsonSchema {
  const schema = fields(value, place, refuse);
  if (schema.type !== undefined && schema.type !== 'object')
    refuse(`${place}.type`, schema.type, '"object": arguments are an object');
  const errors = schemaErrors(schema);
  if (errors === undefined) return schema;
  const [first] = errors;
  return refuse(
    place,
    schema,
    `a JSON Schema, and ${place}${first?.instancePath.replaceAll('/', '.')} ${first?.message}`,
  );
}
