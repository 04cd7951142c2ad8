/** How the tools' schemas are written. Whatever a format has as its native form, the others stand in its place. */
import type { JsonSchema, ToolDefinition } from '../parsers/parser.ts';
import { asSchema, deepest } from './schema-keywords.ts';
import { pythonFunction } from './schema-python.ts';
import { toolSignature } from './schema-signature.ts';
import { json } from './schema-words.ts';
import type { SchemaForm } from './template.ts';

export const schemaForms = [
  'native',
  'minified',
  'signature',
  'python',
] as const satisfies readonly SchemaForm[];

type CompactForm = Exclude<SchemaForm, 'native'>;

/**
 * The text of the tools. `native` (the default) is what the given function makes of them; the other forms are a tool a line, or a paragraph
 * where one takes several. Nothing in a tool can make a second one of it.
 */
export function toolsInForm(
  tools: readonly ToolDefinition[],
  form: SchemaForm | undefined,
  native: (tools: readonly ToolDefinition[]) => string,
): string {
  if (form === undefined || form === 'native') return native(tools);
  return tools.map(tool => toolInForm(tool, form)).join(form === 'minified' ? '\n' : '\n\n');
}

export function toolInForm(tool: ToolDefinition, form: CompactForm): string {
  switch (form) {
    case 'minified':
      return minifiedTool(tool);
    case 'signature':
      return toolSignature(tool);
    case 'python':
      return pythonFunction(tool);
  }
}

function minifiedTool({ name, description, inputSchema }: ToolDefinition): string {
  return json({
    name,
    ...(description === undefined ? {} : { description }),
    parameters: slim(inputSchema ?? { type: 'object', properties: {} }),
  });
}

/** Keywords whose members are schemas, under names that are no keywords. */
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];
/** Keywords with a schema or a list of schemas. */
const nested = [
  ...['items', 'prefixItems', 'additionalItems', 'additionalProperties', 'contains', 'propertyNames'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'unevaluatedItems', 'unevaluatedProperties'],
];

/** Without what says nothing of the values: titles, the dialect, and whether other members may be there. */
function slim(schema: unknown, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth === deepest) return schema;
  if (Array.isArray(schema)) return schema.map(one => slim(one, depth + 1));
  const kept = Object.entries(schema as JsonSchema).filter(
    ([key, value]) =>
      key !== '$schema' &&
      !(key === 'title' && typeof value === 'string') &&
      !(key === 'additionalProperties' && typeof value === 'boolean'),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (nested.includes(key)) return [key, slim(value, depth + 1)];
      if (!maps.includes(key)) return [key, value];
      return [
        key,
        Object.fromEntries(
          Object.entries(asSchema(value)).map(([name, one]) => [name, slim(one, depth + 1)]),
        ),
      ];
    }),
  );
}
