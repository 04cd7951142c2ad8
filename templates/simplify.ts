/**
 * Schemas that small models follow. What comes out has `type` (one word), `description`, `enum`, `default`, `properties`,
 * `required`, `items` and, for members of any name, `additionalProperties`, four levels deep; and nothing else.
 *
 * | in the original                           | in the simplified schema                                                |
 * | ----------------------------------------- | ----------------------------------------------------------------------- |
 * | `$ref`                                    | what it leads to; one that leads back to itself ends there              |
 * | `allOf`                                   | one schema with what all of them say                                    |
 * | `anyOf`, `oneOf` of one and `null`        | the one; *null is in words*                                             |
 * | … of values                               | one `enum`                                                              |
 * | … of objects                              | one object: *the members of all*, required what all require             |
 * | … of one type                             | that type                                                               |
 * | … of several types, several types         | no type, and the choices in words; `null` as above                      |
 * | `const`                                   | an `enum` of one                                                        |
 * | formats, patterns, limits, examples       | words in the description                                                |
 * | `prefixItems`                             | `items` of any of them, if there can be no others; the order in words   |
 * | members or items without a `type`         | *the type that they are of*                                             |
 * | deeper than four levels                   | the type, with its members' names in words                              |
 * | `not`, `if`, `dependent…`, `contains`, …  | left out                                                                |
 *
 * It never forbids what the original allows, but for what is set in italics here and has `narrows` in the list of changes.
 * Calls are still read by the original: its types, its limits, its message where a call does not fit.
 */
import type { JsonSchema, ToolDefinition } from '../parsers/parser.ts';
import { readSimple } from './simple-read.ts';
import { isSimple, printed } from './simple-shape.ts';
import type { Template } from './template.ts';

export interface SchemaChange {
  /** Where it is in the simplified schema, as a JSON pointer. */
  readonly path: string;
  readonly change: string;
  /** Something that the original allows is not said any more. */
  readonly narrows?: true;
}

export interface SimplifiedSchema {
  /** The very original, where nothing had to be changed. */
  readonly schema: JsonSchema;
  readonly changes: readonly SchemaChange[];
}

const unread: SchemaChange = { path: '', change: 'what says nothing of the values is left out' };

const known = new WeakMap<object, SimplifiedSchema>();

export function simplifySchema(schema: JsonSchema): SimplifiedSchema {
  if (typeof schema !== 'object' || schema === null) return { schema, changes: [] };
  const before = known.get(schema);
  if (before) return before;
  const { simple, changes } = readSimple(schema);
  const same = changes.length === 0 && isSimple({ type: 'object', ...schema });
  const simplified = same
    ? { schema, changes }
    : { schema: printed(simple), changes: changes.length > 0 ? changes : [unread] };
  known.set(schema, simplified);
  return simplified;
}

/** The template with simplified schemas in its prompts, of all tools or of those that `applies` names. */
export function withSimplifiedSchemas(
  template: Template,
  applies: (tool: ToolDefinition) => boolean = () => true,
): Template {
  const shown = (tool: ToolDefinition): ToolDefinition =>
    applies(tool) ? { ...tool, inputSchema: simplifySchema(tool.inputSchema).schema } : tool;
  return {
    ...template,
    render: (conversation, options) =>
      template.render({ ...conversation, tools: conversation.tools.map(shown) }, options),
  };
}
