/**
 * Qwen 2.5 and Qwen 3: ChatML, tools and results in XML-like tags, consecutive results in one user turn.
 * Source: the chat templates that Qwen publishes with the models.
 *
 * Where it differs from those templates: results stand in the order of their calls (theirs: of the messages); a user's text
 * that looks like a result, and a `</think>` in a reply's content, are what they are and no sign of anything (theirs takes the
 * first for a result, which keeps earlier thoughts, and splits the second).
 */
import type { ToolDefinition } from '../parsers/parser.ts';
import { toolCallJson } from '../parsers/tool-call-json.ts';
import { placeSchema } from './placement.ts';
import { promptBuilder } from './prompt.ts';
import { toolLines } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { AssistantMessage, Template } from './template.ts';
import { lastUserTurn, toTurns } from './turns.ts';

const controlTokens = [
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '</tool_response>',
  '<think>',
  '</think>',
];

const schemaOpening =
  '# Tools\n\nYou may call one or more functions to assist with the user query.\n\n' +
  'You are provided with function signatures within <tools></tools> XML tags:\n<tools>';
const schemaClosing =
  '\n</tools>\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n' +
  '<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>';

interface Variant {
  readonly name: string;
  /** The system text that stands where the conversation brings none. */
  readonly defaultSystem?: string;
  readonly thinks: boolean;
}

function createQwen({ name, defaultSystem, thinks }: Variant): Template {
  return {
    name,
    stops: ['<|im_end|>', '<|endoftext|>'],
    controlTokens,
    ...(thinks ? { prefill: options => (options?.thinking === false ? emptyThought : []) } : {}),
    render({ messages, tools }, options = {}) {
      const turns = toTurns(messages);
      const opening = turns[0]?.role === 'system' ? turns.shift() : undefined;
      const system = opening?.role === 'system' ? opening.content : defaultSystem;
      const place = placeSchema(tools, turns, options.schema);
      const lastUser = lastUserTurn(turns);
      const out = promptBuilder(controlTokens);

      if (system !== undefined || place.at === 'system') {
        out.scaffold('<|im_start|>system\n');
        if (system !== undefined) out.text(system, 'system');
        if (place.at === 'system') {
          if (system !== undefined) out.scaffold('\n\n');
          schema(tools);
        }
        out.scaffold('<|im_end|>\n');
      }

      turns.forEach((turn, index) => {
        if (turn.role === 'results') {
          out.scaffold('<|im_start|>user');
          for (const result of turn.results) {
            out.scaffold('\n<tool_response>\n');
            out.text(result.content, 'tool');
            out.scaffold('\n</tool_response>');
          }
        } else {
          out.scaffold(`<|im_start|>${turn.role}\n`);
          if (turn.role === 'assistant')
            assistant(turn, lastUser !== -1 && index > lastUser, index === turns.length - 1);
          else {
            if (index === place.turn) {
              schema(tools);
              out.scaffold('\n\n');
            }
            out.text(turn.content, turn.role);
          }
        }
        out.scaffold('<|im_end|>\n');
      });

      if (place.at === 'tail') {
        out.scaffold('<|im_start|>system\n');
        schema(tools);
        out.scaffold('<|im_end|>\n');
      }
      if (options.generationPrompt ?? true) {
        out.scaffold('<|im_start|>assistant\n');
        out.pieces(this.prefill?.(options) ?? [], 'template');
      }
      return out.build();

      function schema(offered: readonly ToolDefinition[]): void {
        out.scaffold(schemaOpening);
        out.text(`\n${toolsInForm(offered, options.schemaForm, toolLines)}`, 'tools');
        out.scaffold(schemaClosing);
      }

      /** Thoughts are shown in the exchange that is still open and left out of earlier ones. */
      function assistant(turn: AssistantMessage, open: boolean, last: boolean): void {
        if (turn.completion) {
          out.pieces(turn.completion, 'assistant');
          return;
        }
        const thoughts = turn.reasoning ?? '';
        const shown = thinks && open && (last || thoughts !== '');
        if (shown) {
          out.scaffold('<think>\n');
          out.text(thoughts.replace(/^\n+|\n+$/g, ''), 'assistant');
          out.scaffold('\n</think>\n\n');
        }
        out.text(shown ? turn.content.replace(/^\n+/, '') : turn.content, 'assistant');
        const calls = turn.toolCalls ?? [];
        if (calls.length > 0) {
          if (turn.content !== '') out.scaffold('\n');
          out.pieces(toolCallJson.write(calls), 'assistant');
        }
      }
    },
  };
}

const emptyThought = [
  { text: '<think>', control: true },
  { text: '\n\n' },
  { text: '</think>', control: true },
  { text: '\n\n' },
];

export const qwen = createQwen({ name: 'qwen', thinks: true });
export const qwen25 = createQwen({
  name: 'qwen2.5',
  thinks: false,
  defaultSystem: 'You are Qwen, created by Alibaba Cloud. You are a helpful assistant.',
});
