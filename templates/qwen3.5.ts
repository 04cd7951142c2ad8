/**
 * Qwen 3.5: ChatML, tools as JSON before the system text, calls with their values as raw text, a thought that the prompt opens.
 * Source: the chat template that Qwen publishes with the models.
 *
 * Where it differs from that template: results stand in the order of their calls; `true`, `false` and `null` in a call are
 * JSON's (theirs prints Python's words); a later system message is a turn of its own (theirs refuses it), and a conversation
 * without a user is rendered, too; a user's text that looks like a result and a `</think>` in a reply's content are what they are
 * and no sign of anything. Images are out of scope.
 */
import { qwenXml } from '../parsers/qwen-xml.ts';
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

const schemaOpening = '# Tools\n\nYou have access to the following functions:\n\n<tools>';
const schemaClosing =
  '\n</tools>\n\nIf you choose to call a function ONLY reply in the following format with NO suffix:\n\n' +
  '<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\nvalue_1\n</parameter>\n' +
  '<parameter=example_parameter_2>\nThis is the value for the second parameter\nthat can span\nmultiple lines\n</parameter>\n' +
  '</function>\n</tool_call>\n\n<IMPORTANT>\nReminder:\n' +
  '- Function calls MUST follow the specified format: an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags\n' +
  '- Required parameters MUST be specified\n' +
  '- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT after\n' +
  '- If there is no function call available, answer the question like normal with your current knowledge and do not tell the user about function calls\n' +
  '</IMPORTANT>';

export const qwen35: Template = {
  name: 'qwen3.5',
  stops: ['<|im_end|>', '<|endoftext|>'],
  controlTokens,
  prefill: options => (options?.thinking === false ? emptyThought : openThought),
  render({ messages, tools }, options = {}) {
    const turns = toTurns(messages);
    const opening = turns[0]?.role === 'system' ? turns.shift() : undefined;
    const system = opening?.role === 'system' ? opening.content.trim() : undefined;
    const place = placeSchema(tools, turns, options.schema);
    const lastUser = lastUserTurn(turns);
    const out = promptBuilder(controlTokens);
    const schema = () => {
      out.scaffold(schemaOpening);
      out.text(`\n${toolsInForm(tools, options.schemaForm, toolLines)}`, 'tools');
      out.scaffold(schemaClosing);
    };

    if (system !== undefined || place.at === 'system') {
      out.scaffold('<|im_start|>system\n');
      if (place.at === 'system') schema();
      if (place.at === 'system' && system) out.scaffold('\n\n');
      out.text(system ?? '', 'system');
      out.scaffold('<|im_end|>\n');
    }

    turns.forEach((turn, index) => {
      if (turn.role === 'results') {
        out.scaffold('<|im_start|>user');
        for (const result of turn.results) {
          out.scaffold('\n<tool_response>\n');
          out.text(result.content.trim(), 'tool');
          out.scaffold('\n</tool_response>');
        }
      } else {
        out.scaffold(`<|im_start|>${turn.role}\n`);
        if (turn.role === 'assistant') assistant(turn, index > lastUser);
        else {
          if (index === place.turn) {
            schema();
            out.scaffold('\n\n');
          }
          out.text(turn.content.trim(), turn.role);
        }
      }
      out.scaffold('<|im_end|>\n');
    });

    if (place.at === 'tail') {
      out.scaffold('<|im_start|>system\n');
      schema();
      out.scaffold('<|im_end|>\n');
    }
    if (options.generationPrompt ?? true) {
      out.scaffold('<|im_start|>assistant\n');
      out.pieces(this.prefill?.(options) ?? [], 'template');
    }
    return out.build();

    /** Thoughts are shown in the exchange that is still open and left out of earlier ones. */
    function assistant(turn: AssistantMessage, open: boolean): void {
      if (turn.completion) {
        out.pieces(turn.completion, 'assistant');
        return;
      }
      if (open) {
        out.scaffold('<think>\n');
        out.text((turn.reasoning ?? '').trim(), 'assistant');
        out.scaffold('\n</think>\n\n');
      }
      const content = turn.content.trim();
      out.text(content, 'assistant');
      const calls = turn.toolCalls ?? [];
      if (calls.length === 0) return;
      if (content !== '') out.scaffold('\n\n');
      out.pieces(qwenXml.write(calls), 'assistant');
    }
  },
};

const openThought = [{ text: '<think>', control: true }, { text: '\n' }];
const emptyThought = [
  { text: '<think>', control: true },
  { text: '\n\n' },
  { text: '</think>', control: true },
  { text: '\n\n' },
];
