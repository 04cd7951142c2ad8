/** A conversation in the shape that chat templates are written for. */
import type { ToolCall, ToolDefinition } from '../../parsers/parser.ts';
import { functionTool } from '../../templates/schema.ts';
import type { Origin } from '../../templates/template.ts';
import type { Turn } from '../../templates/turns.ts';

/** How each text of the conversation is said to the template. */
export interface Wording {
  /** A text that is rendered as it is. `turn` is the index of its turn; -1 for a tool's. */
  text(text: string, origin: Origin, turn: number): string;
  /** A text that a template may look into, such as an id. */
  word(text: string): string;
  /** A call's arguments, as the value that the template prints. */
  arguments(call: ToolCall, turn: number): unknown;
  /** The content of a message that only calls tools. */
  readonly noContent: '' | null;
}

export function chatMessages(turns: readonly Turn[], wording: Wording): object[] {
  const { text, word } = wording;
  return turns.flatMap((turn, at): object[] => {
    if (turn.role === 'results')
      return turn.results.map(({ callId, name, content }) => ({
        role: 'tool',
        tool_call_id: word(callId),
        name: text(name, 'tool', at),
        content: text(content, 'tool', at),
      }));
    if (turn.role !== 'assistant') return [{ role: turn.role, content: text(turn.content, turn.role, at) }];
    const { content, reasoning = '', toolCalls = [] } = turn;
    return [
      {
        role: 'assistant',
        content: content === '' && toolCalls.length > 0 ? wording.noContent : text(content, 'assistant', at),
        // Families differ in its name; where it is absent, a template writes no thought.
        ...(reasoning === '' ? {} : { reasoning_content: text(reasoning, 'assistant', at) }),
        ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(call => chatCall(call, at, wording)) }),
      },
    ];
  });
}

function chatCall(call: ToolCall, turn: number, { text, word, arguments: argumentsOf }: Wording): object {
  return {
    id: word(call.id),
    type: 'function',
    function: { name: text(call.name, 'assistant', turn), arguments: argumentsOf(call, turn) },
  };
}

export function chatTools(tools: readonly ToolDefinition[], { text }: Wording): unknown {
  return tools.map(tool => {
    const { type, function: described } = functionTool(tool);
    return { type, function: said(described, text) };
  });
}

/** Every text in a tool's description, its keys included; the words of JSON Schema stay what a template compares them with. */
function said(value: unknown, text: Wording['text']): unknown {
  if (typeof value === 'string') return schemaWords.has(value) ? value : text(value, 'tools', -1);
  if (Array.isArray(value)) return value.map(one => said(one, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      schemaWords.has(key) ? key : text(key, 'tools', -1),
      said(inner, text),
    ]),
  );
}

const schemaWords = new Set([
  ...['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'],
  ...['name', 'description', 'parameters', 'type', 'properties', 'required', 'items', 'enum', 'const'],
  ...['default', 'examples', 'title', 'format', 'pattern', 'nullable', 'additionalProperties', '$ref'],
  ...['$defs', 'definitions', 'anyOf', 'oneOf', 'allOf', 'not', 'prefixItems', 'minimum', 'maximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'multipleOf'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'minProperties', 'maxProperties', 'patternProperties'],
]);
