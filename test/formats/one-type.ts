/** Equivalent input: a type that is a list is a type and `nullable`, and no type is an empty one, since templates take a word there. */
import type { JsonSchema } from '../../parsers/parser.ts';
import type { Dialogue } from './dialogues.ts';

export function oneType(dialogue: Dialogue): Dialogue {
  const { tools } = dialogue;
  if (!tools) return dialogue;
  return { ...dialogue, tools: tools.map(tool => ({ ...tool, inputSchema: mapped(tool.inputSchema) })) };
}

function mapped(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const { type, properties } = schema;
  const one = Array.isArray(type) ? type.find(each => each !== 'null') : type;
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
  return {
    ...schema,
    type: one ?? '',
    ...(Array.isArray(type) && type.includes('null') ? { nullable: true } : {}),
    ...(properties
      ? { properties: Object.fromEntries(fields.map(([key, field]) => [key, mapped(field)])) }
      : {}),
  };
}
