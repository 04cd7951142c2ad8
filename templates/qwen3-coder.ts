/**
 * Qwen3-Coder: ChatML, tools described in XML-like tags, calls with their values as raw text, consecutive results in one user turn.
 * Source: the chat template that Qwen publishes with the models.
 *
 * Where it differs from that template: results stand in the order of their calls; `true`, `false` and `null` in a call are
 * JSON's (theirs prints Python's `True`, `False` and `None`, which says the same in more than one way).
 */
import { spacedJson } from '../parsers/json-text.ts';
import type { ToolDefinition } from '../parsers/parser.ts';
import { qwenXml } from '../parsers/qwen-xml.ts';
import { type Fields, isFields } from './check.ts';
import { placeSchema } from './placement.ts';
import { promptBuilder } from './prompt.ts';
import { functionTool } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { AssistantMessage, Template } from './template.ts';
import { toTurns } from './turns.ts';

const controlTokens = [
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '</tool_response>',
];

const defaultSystem =
  'You are Qwen, a helpful AI assistant that can interact with a computer to solve tasks.';
const schemaOpening = '# Tools\n\nYou have access to the following tools:\n\n<tools>';
const schemaClosing =
  '\n</tools>\n\nIf you choose to call a tool ONLY reply in the following format with NO suffix:\n\n' +
  '<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n</parameter>\n' +
  '<parameter=example_parameter_2>\nvalue_2\n</parameter>\n</function>\n</tool_call>\n\n<IMPORTANT>\nReminder:\n' +
  '- Function calls MUST follow the specified format: the tool calling block MUST begin with an opening <tool_call> tag and end with a closing </tool_call> tag.\n' +
  '- Required parameters MUST be specified\n' +
  '- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after\n' +
  '- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls\n' +
  '</IMPORTANT>';

export const qwen3Coder: Template = {
  name: 'qwen3-coder',
  stops: ['<|im_end|>', '<|endoftext|>'],
  controlTokens,
  render({ messages, tools }, options = {}) {
    const turns = toTurns(messages);
    const opening = turns[0]?.role === 'system' ? turns.shift() : undefined;
    const system = opening?.role === 'system' ? opening.content : undefined;
    const place = placeSchema(tools, turns, options.schema);
    const out = promptBuilder(controlTokens);
    const schema = () => {
      out.scaffold(schemaOpening);
      out.text(`\n${toolsInForm(tools, options.schemaForm, describeTools)}`, 'tools');
      out.scaffold(schemaClosing);
    };

    if (system !== undefined || place.at === 'system') {
      out.scaffold('<|im_start|>system\n');
      if (system === undefined) out.scaffold(defaultSystem);
      else out.text(system, 'system');
      if (place.at === 'system') {
        out.scaffold('\n\n');
        schema();
      }
      out.scaffold('<|im_end|>\n');
    }

    turns.forEach((turn, index) => {
      if (turn.role === 'results') {
        out.scaffold('<|im_start|>user\n');
        for (const result of turn.results) {
          out.scaffold('<tool_response>\n');
          out.text(result.content, 'tool');
          out.scaffold('\n</tool_response>\n');
        }
      } else {
        out.scaffold(`<|im_start|>${turn.role}\n`);
        if (turn.role === 'assistant') assistant(turn);
        else {
          if (index === place.turn) {
            schema();
            out.scaffold('\n\n');
          }
          out.text(turn.content, turn.role);
        }
      }
      out.scaffold('<|im_end|>\n');
    });

    if (place.at === 'tail') {
      out.scaffold('<|im_start|>system\n');
      schema();
      out.scaffold('<|im_end|>\n');
    }
    if (options.generationPrompt ?? true) out.scaffold('<|im_start|>assistant\n');
    return out.build();

    function assistant({ completion, content, toolCalls = [] }: AssistantMessage): void {
      if (completion) out.pieces(completion, 'assistant');
      else if (toolCalls.length === 0) out.text(content, 'assistant');
      else {
        const said = content.trim();
        out.text(said, 'assistant');
        if (said !== '') out.scaffold('\n\n');
        out.pieces(qwenXml.write(toolCalls), 'assistant');
      }
    }
  },
};

const describeTools = (tools: readonly ToolDefinition[]) => tools.map(describeTool).join('\n');

/** Each member of a schema as a tag of its own; lists and objects in it as JSON, everything else as Python prints it. */
function describeTool(tool: ToolDefinition): string {
  const { name, description, parameters } = functionTool(tool).function;
  const schema = fieldsOf(parameters);
  const properties = Object.entries(fieldsOf(schema.properties));
  const listed = properties.map(([key, property]) => {
    const fields = fieldsOf(property);
    const type = fields.type === undefined ? '' : tag('type', pythonText(fields.type));
    const { description: words } = fields;
    const rest = extras(fields, ['name', 'type', 'description']);
    return `\n<parameter>${tag('name', key)}${type}${describe(words)}${rest}\n</parameter>`;
  });
  const rest = extras(schema, ['type', 'properties']);
  return `<function>${tag('name', name)}${describe(description)}\n<parameters>${listed.join('')}${rest}\n</parameters>\n</function>`;
}

const tag = (name: string, text: string) => `\n<${name}>${text}</${name}>`;
const describe = (text: unknown) => (text === undefined ? '' : tag('description', String(text).trim()));

function extras(fields: Fields, handled: readonly string[]): string {
  return Object.entries(fields)
    .filter(([key]) => !handled.includes(key))
    .map(([key, value]) =>
      tag(key, typeof value === 'object' && value !== null ? json(value) : pythonText(value)),
    )
    .join('');
}

const json = (value: unknown) => spacedJson(JSON.stringify(value));

function pythonText(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'object' ? json(value).replaceAll('"', "'") : String(value);
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}
