/**
 * Tools as a TypeScript namespace, the way gpt-oss's own template prints them: its choices of types are kept as they are, and so are
 * the line breaks that it has in odd places, since the model was trained on them.
 */
import type { ToolDefinition } from '../parsers/parser.ts';
import { jsonLine } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import { asSchema, type Schema } from './schema-keywords.ts';
import type { SchemaForm } from './template.ts';

/** The namespace stays in every form, since calls name it. */
export function typescriptTools(
  namespace: string,
  tools: readonly ToolDefinition[],
  form?: SchemaForm,
): string {
  const declared = toolsInForm(tools, form, offered => offered.map(declaration).join('\n\n'));
  return `## ${namespace}\n\nnamespace ${namespace} {\n\n${declared}\n\n} // namespace ${namespace}`;
}

function declaration({ name, description, inputSchema }: ToolDefinition): string {
  const schema = asSchema(inputSchema);
  const properties = Object.entries(asSchema(schema.properties));
  const comment = description ? `// ${description}\n` : '';
  if (properties.length === 0) return `${comment}type ${name} = () => any;`;
  const parameters = properties.map(([key, value]) => parameter(key, asSchema(value), schema));
  return `${comment}type ${name} = (_: {\n${parameters.join('')}}) => any;`;
}

function parameter(name: string, schema: Schema, parent: Schema): string {
  const comment = schema.description ? `// ${schema.description}\n` : '';
  return `${comment}${name}${mark(name, parent)}: ${typeOf(schema)}${defaultOf(schema)},\n`;
}

function mark(name: string, parent: Schema): string {
  return filled(parent.required)?.includes(name) ? '' : '?';
}

function defaultOf(schema: Schema): string {
  if (schema.default === undefined) return '';
  if (filled(schema.enum)) return `, // default: ${plain(schema.default)}`;
  if (filled(schema.oneOf)) return `// default: ${plain(schema.default)}`;
  return `, // default: ${jsonLine(schema.default)}`;
}

function typeOf(schema: Schema): string {
  const { type } = schema;
  const orNull = schema.nullable ? ' | null' : '';
  if (type === 'array') return `${listOf(schema.items)}${orNull}`;
  if (Array.isArray(type) && type.length > 0) return type.join(' | ');
  const variants = filled(schema.oneOf)?.map(asSchema);
  if (variants) return oneOf(variants);
  if (type === 'string') {
    const values = filled(schema.enum);
    return values ? values.map(value => `"${plain(value)}"`).join(' | ') : `string${orNull}`;
  }
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  return type === 'object' ? objectOf(schema) : 'any';
}

function listOf(items: unknown): string {
  const schema = asSchema(items);
  if (Object.keys(schema).length === 0) return 'any[]';
  const { type } = schema;
  if (type === 'string') return 'string[]';
  if (type === 'number' || type === 'integer') return 'number[]';
  if (type === 'boolean') return 'boolean[]';
  const inner = typeOf(schema);
  return inner === 'object | object' || inner.length > 50 ? 'any[]' : `${inner}[]`;
}

function objectOf(schema: Schema): string {
  const properties = Object.entries(asSchema(schema.properties));
  if (properties.length === 0) return 'object';
  const members = properties.map(
    ([name, value]) => `${name}${mark(name, schema)}: \n                ${typeOf(asSchema(value))}`,
  );
  return `{\n${members.join(', ')}}`;
}

function oneOf(variants: readonly Schema[]): string {
  return variants
    .map(variant => {
      const comment = variant.description ? `// ${variant.description}` : '';
      const value =
        variant.default === undefined ? '' : `                    // default: ${jsonLine(variant.default)}`;
      return `${typeOf(variant)}${comment}${value}`;
    })
    .join(' | \n');
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : jsonLine(value);
}

function filled(list: unknown): readonly unknown[] | undefined {
  return Array.isArray(list) && list.length > 0 ? list : undefined;
}
