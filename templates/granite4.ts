/**
 * Granite 4: Granite's turns with Qwen's tools, calls and results in them. Source: the chat templates that IBM publishes with the
 * models; 4.0 brings a system text where the conversation has none, 4.1 does not.
 *
 * Where it differs from those templates: results stand in the order of their calls (theirs: of the messages).
 */
import type { ToolDefinition } from '../parsers/parser.ts';
import { toolCallJson } from '../parsers/tool-call-json.ts';
import { placeSchema } from './placement.ts';
import { promptBuilder } from './prompt.ts';
import { toolLines } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { Template } from './template.ts';
import { toTurns } from './turns.ts';

const controlTokens = [
  '<|start_of_role|>',
  '<|end_of_role|>',
  '<|end_of_text|>',
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '</tool_response>',
];

const schemaOpening =
  'You are a helpful assistant with access to the following tools. You may call one or more tools to assist with the user query.\n\n' +
  'You are provided with function signatures within <tools></tools> XML tags:\n<tools>';
const schemaClosing =
  '\n</tools>\n\nFor each tool call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n' +
  '<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>. If a tool does not exist in the provided list of ' +
  'tools, notify the user that you do not have the ability to fulfill the request.';

/** `defaultSystem` stands where there is neither a system text nor a tool. */
function createGranite4(name: string, defaultSystem: string): Template {
  return {
    name,
    stops: ['<|end_of_text|>'],
    controlTokens,
    render({ messages, tools }, options = {}) {
      const turns = toTurns(messages);
      const opening = turns[0]?.role === 'system' ? turns.shift() : undefined;
      const system = opening?.role === 'system' ? opening.content : undefined;
      const place = placeSchema(tools, turns, options.schema);
      const out = promptBuilder(controlTokens);
      const open = (role: string) => out.scaffold(`<|start_of_role|>${role}<|end_of_role|>`);
      const close = () => out.scaffold('<|end_of_text|>\n');
      const schema = (offered: readonly ToolDefinition[]) => {
        out.scaffold(schemaOpening);
        out.text(`\n${toolsInForm(offered, options.schemaForm, toolLines)}`, 'tools');
        out.scaffold(schemaClosing);
      };

      if (system || place.at === 'system' || defaultSystem !== '') {
        open('system');
        if (system !== undefined) out.text(system, 'system');
        if (place.at === 'system') {
          if (system !== undefined) out.scaffold('\n\n');
          schema(tools);
        } else if (!system) out.scaffold(defaultSystem);
        close();
      }
      turns.forEach((turn, index) => {
        open(turn.role === 'results' ? 'user' : turn.role);
        if (turn.role === 'results') {
          for (const { content } of turn.results) {
            out.scaffold('\n<tool_response>\n');
            out.text(content, 'tool');
            out.scaffold('\n</tool_response>');
          }
        } else if (turn.role === 'assistant' && turn.completion) out.pieces(turn.completion, 'assistant');
        else {
          if (index === place.turn) {
            schema(tools);
            out.scaffold('\n\n');
          }
          out.text(turn.content, turn.role);
          const calls = turn.role === 'assistant' ? (turn.toolCalls ?? []) : [];
          if (calls.length > 0 && turn.content !== '') out.scaffold('\n');
          if (calls.length > 0) out.pieces(toolCallJson.write(calls), 'assistant');
        }
        close();
      });
      if (place.at === 'tail') {
        open('system');
        schema(tools);
        close();
      }
      if (options.generationPrompt ?? true) open('assistant');
      return out.build();
    },
  };
}

export const granite4 = createGranite4(
  'granite4',
  'You are a helpful assistant. Please ensure responses are professional, accurate, and safe.',
);
export const granite41 = createGranite4('granite4.1', '');
