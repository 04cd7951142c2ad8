/**
 * Hermes 2 Pro and Hermes 3: ChatML, tools retold as Python signatures, results in a `tool` turn.
 * Source: the `tool_use` chat template that Nous Research publishes with the models.
 *
 * Where it differs from that template: text beside calls is kept (theirs drops it); a conversation without tools gets no
 * tool prompt (they have another template for that); a results turn is closed in the same way whether it is the last turn
 * or not (theirs adds a line break to it later, which would change a prompt that was already evaluated); results stand in the
 * order of their calls; lists, unions, `null` and untyped parameters get the signature that theirs means (its macro takes a
 * filter for a member there, and recurses for ever). The beginning-of-text token, another one for each base model, is the
 * engine's to add.
 */
import type { JsonSchema, ToolDefinition } from '../parsers/parser.ts';
import { toolCallJson } from '../parsers/tool-call-json.ts';
import { placeSchema } from './placement.ts';
import { promptBuilder } from './prompt.ts';
import { jsonLine } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { Template } from './template.ts';
import { toTurns } from './turns.ts';

const controlTokens = ['<|im_start|>', '<|im_end|>', '<|end_of_text|>', '<tool_call>', '</tool_call>'];

const schemaOpening =
  'You are a function calling AI model. You are provided with function signatures within <tools></tools> XML tags. You may call one or ' +
  "more functions to assist with the user query. Don't make assumptions about what values to plug into functions. Here are the available tools: <tools> ";
const schemaClosing =
  ' </tools>Use the following pydantic model json schema for each tool call you will make: {"properties": {"name": {"title": "Name", "type": "string"}, ' +
  '"arguments": {"title": "Arguments", "type": "object"}}, "required": ["name", "arguments"], "title": "FunctionCall", "type": "object"}}\n' +
  'For each function call return a json object with function name and arguments within <tool_call></tool_call> XML tags as follows:\n' +
  '<tool_call>\n{"name": <function-name>, "arguments": <args-dict>}\n</tool_call>';

export const hermes: Template = {
  name: 'hermes',
  stops: ['<|im_end|>', '<|end_of_text|>'],
  controlTokens,
  render({ messages, tools }, options = {}) {
    const turns = toTurns(messages);
    const place = placeSchema(tools, turns, options.schema);
    const out = promptBuilder(controlTokens);
    const schema = () => {
      out.scaffold(schemaOpening);
      out.text(toolsInForm(tools, options.schemaForm, nativeTools), 'tools');
      out.scaffold(schemaClosing);
    };
    const schemaTurn = () => {
      out.scaffold('<|im_start|>system\n');
      schema();
      out.scaffold('<|im_end|>\n');
    };

    if (place.at === 'system') schemaTurn();
    turns.forEach((turn, index) => {
      if (turn.role === 'results') {
        out.scaffold('<|im_start|>tool\n');
        for (const [at, result] of turn.results.entries()) {
          out.scaffold(at === 0 ? '<tool_response>\n' : '\n<tool_response>\n');
          out.text(result.content, 'tool');
          out.scaffold('\n</tool_response>');
        }
        out.scaffold('<|im_end|>');
      } else {
        out.scaffold(`<|im_start|>${turn.role}\n`);
        if (index === place.turn) {
          schema();
          out.scaffold('\n\n');
        }
        if (turn.role === 'assistant' && turn.completion) out.pieces(turn.completion, 'assistant');
        else {
          out.text(turn.content, turn.role);
          const calls = turn.role === 'assistant' ? (turn.toolCalls ?? []) : [];
          if (calls.length > 0 && turn.content !== '') out.scaffold('\n');
          if (calls.length > 0) out.pieces(toolCallJson.write(calls), 'assistant');
        }
        out.scaffold('<|im_end|>\n');
      }
    });
    if (place.at === 'tail') schemaTurn();
    if (options.generationPrompt ?? true) out.scaffold('<|im_start|>assistant\n');
    return out.build();
  },
};

const nativeTools = (tools: readonly ToolDefinition[]) => tools.map(toolLine).join('\n');

type SchemaObject = Readonly<Record<string, unknown>>;

function toolLine(tool: ToolDefinition): string {
  const schema = asObject(tool.inputSchema);
  const properties = Object.entries(asObject(schema.properties));
  const signature = properties.map(([name, field]) => `${name}: ${pythonType(field)}`).join(', ');
  const returns = tool.outputSchema === undefined ? '' : ` -> ${pythonType(tool.outputSchema)}`;
  const fields = properties.map(
    ([name, field]) =>
      `        ${name}(${pythonType(field)}): ${String(asObject(field).description ?? '').trim()}`,
  );
  const args = fields.length === 0 ? '' : `    Args:\n${fields.join('')}`;
  const returned = asObject(tool.outputSchema).description;
  const returnedLine = returned === undefined ? '' : `\n    Returns:\n        ${String(returned)}`;
  const description = `${tool.name}(${signature})${returns} - ${tool.description ?? ''}\n\n${args}${returnedLine}`;
  const parameters = properties.length === 0 ? '{}' : jsonLine(schema);
  return `{"type": "function", "function": {"name": "${tool.name}", "description": "${description}", "parameters": ${parameters}}`;
}

const basicTypes: Record<string, string> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
};

function pythonType(schema: unknown): string {
  const { type, additionalProperties, items } = asObject(schema as JsonSchema);
  if (Array.isArray(type)) return `Union[${type.map(one => pythonType({ type: one })).join(',')}]`;
  if (typeof type === 'string' && basicTypes[type]) return basicTypes[type];
  if (type === 'array') return `list[${pythonType(items)}]`;
  if (type === 'object')
    return additionalProperties === undefined ? 'dict' : `dict[str, ${pythonType(additionalProperties)}]`;
  return 'Any';
}

function asObject(value: unknown): SchemaObject {
  return typeof value === 'object' && value !== null ? (value as SchemaObject) : {};
}
