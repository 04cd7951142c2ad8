/** A conversation in the shape that chat templates are written for, and its rendering. */
import type { ToolCall, ToolDefinition } from '../../parsers/parser.ts';
import { functionTool, jsonLine } from '../../templates/schema.ts';
import type { Origin } from '../../templates/template.ts';
import type { Turn } from '../../templates/turns.ts';
import type { ChatTemplate } from './compile.ts';

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
  /** Where the template looks for the tools: in a list of their own, or as JSON in the system message. */
  readonly tools: 'list' | 'system';
}

/** What chat templates differ in as to how they are to be given a conversation. */
export interface Manner {
  readonly arguments: 'object' | 'text';
  readonly noContent: Wording['noContent'];
  readonly tools: Wording['tools'];
}

/** The usual one first. */
export const manners: readonly Manner[] = [
  { arguments: 'object', noContent: '', tools: 'list' },
  { arguments: 'object', noContent: null, tools: 'list' },
  { arguments: 'text', noContent: '', tools: 'list' },
  { arguments: 'text', noContent: null, tools: 'list' },
  { arguments: 'object', noContent: '', tools: 'system' },
];

/** The texts of the tokens that a template is told. */
export interface SpecialTokens {
  readonly bos_token: string;
  readonly eos_token: string;
}

export interface ChatOptions {
  readonly special: SpecialTokens;
  readonly thinking?: boolean | undefined;
  readonly generationPrompt?: boolean | undefined;
  readonly date?: string | undefined;
}

/** @throws RawcallError `chat_template_failed` */
export function renderConversation(
  template: ChatTemplate,
  turns: readonly Turn[],
  tools: readonly ToolDefinition[],
  wording: Wording,
  { special, thinking, generationPrompt = true, date }: ChatOptions,
): string {
  const values = {
    ...special,
    messages: chatMessages(turns, wording),
    add_generation_prompt: generationPrompt,
    // Families differ in its name.
    ...(thinking === undefined ? {} : { enable_thinking: thinking, thinking }),
    ...(date === undefined ? {} : { date_string: date }),
  };
  if (tools.length > 0) {
    const offered = chatTools(tools, wording);
    return template.render(
      wording.tools === 'list'
        ? { ...values, tools: offered }
        : { ...values, messages: withTools(values.messages, offered) },
    );
  }
  try {
    return template.render(values);
  } catch (error) {
    // Some want an empty list where there are no tools, and others none.
    try {
      return template.render({ ...values, tools: [] });
    } catch {
      throw error;
    }
  }
}

function chatMessages(turns: readonly Turn[], wording: Wording): object[] {
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

/** As a list's JSON in the system message, which is made where there is none. */
function withTools(messages: readonly object[], tools: readonly ChatTool[]): object[] {
  const json = jsonLine(tools.map(tool => tool.function));
  const [first = {}, ...rest] = messages;
  return 'role' in first && first.role === 'system'
    ? [{ ...first, tools: json }, ...rest]
    : [{ role: 'system', content: '', tools: json }, ...messages];
}

interface ChatTool {
  readonly type: string;
  readonly function: unknown;
}

function chatTools(tools: readonly ToolDefinition[], { text }: Wording): ChatTool[] {
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
