/**
 * LFM2 and LFM2.5: ChatML, the tools in the system text, each result in a `tool` turn. Source: the chat templates that Liquid AI
 * publishes with the models (LFM2-8B-A1B, LFM2.5-8B-A1B; LFM2.5-Instruct's differs in thoughts alone, for which it has no field).
 *
 * Where it differs from those templates: calls are written as Python (LFM2's leaves them out, LFM2.5's escapes no quote in a
 * string); results stand in the order of their calls; a `</think>` in a reply's content splits nothing.
 */
import { lfm2 as parser } from '../parsers/lfm2.ts';
import type { ToolDefinition } from '../parsers/parser.ts';
import { placeSchema } from './placement.ts';
import { promptBuilder } from './prompt.ts';
import { functionTool, jsonLine } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { AssistantMessage, Template } from './template.ts';
import { lastUserTurn, toTurns } from './turns.ts';

const controlTokens = [
  ...[
    '<|startoftext|>',
    '<|endoftext|>',
    '<|im_start|>',
    '<|im_end|>',
    '<|tool_list_start|>',
    '<|tool_list_end|>',
  ],
  ...['<|tool_call_start|>', '<|tool_call_end|>', '<|tool_response_start|>', '<|tool_response_end|>'],
  ...['<think>', '</think>'],
];

interface Variant {
  readonly name: string;
  /** Around the list of tools and around a result. */
  readonly marks: boolean;
  readonly thinks: boolean;
}

function createLfm2({ name, marks, thinks }: Variant): Template {
  const marked = (what: string) => (marks ? [`<|${what}_start|>`, `<|${what}_end|>`] : ['', '']);
  const [listOpen = '', listClose = ''] = marked('tool_list');
  const [resultOpen = '', resultClose = ''] = marked('tool_response');
  return {
    name,
    stops: ['<|im_end|>', '<|endoftext|>'],
    controlTokens,
    render({ messages, tools }, options = {}) {
      const turns = toTurns(messages);
      const opening = turns[0]?.role === 'system' ? turns.shift() : undefined;
      const system = opening?.role === 'system' ? opening.content : '';
      const place = placeSchema(tools, turns, options.schema);
      const lastUser = lastUserTurn(turns);
      const out = promptBuilder(controlTokens);

      out.scaffold('<|startoftext|>');
      if (system !== '' || place.at === 'system') {
        out.scaffold('<|im_start|>system\n');
        out.text(system, 'system');
        if (place.at === 'system') {
          if (system !== '') out.scaffold('\n');
          schema(tools);
        }
        out.scaffold('<|im_end|>\n');
      }

      for (const [index, turn] of turns.entries()) {
        if (turn.role === 'results') {
          for (const { content } of turn.results) {
            out.scaffold(`<|im_start|>tool\n${resultOpen}`);
            out.text(content, 'tool');
            out.scaffold(`${resultClose}<|im_end|>\n`);
          }
          continue;
        }
        out.scaffold(`<|im_start|>${turn.role}\n`);
        if (turn.role === 'assistant') assistant(turn, index > lastUser);
        else {
          if (index === place.turn) {
            schema(tools);
            out.scaffold('\n\n');
          }
          out.text(turn.content, turn.role);
        }
        out.scaffold('<|im_end|>\n');
      }

      if (place.at === 'tail') {
        out.scaffold('<|im_start|>system\n');
        schema(tools);
        out.scaffold('<|im_end|>\n');
      }
      if (options.generationPrompt ?? true) out.scaffold('<|im_start|>assistant\n');
      return out.build();

      function schema(offered: readonly ToolDefinition[]): void {
        out.scaffold(`List of tools: ${listOpen}`);
        out.text(
          toolsInForm(offered, options.schemaForm, list => jsonLine(list.map(functionTool))),
          'tools',
        );
        out.scaffold(listClose);
      }

      /** Thoughts are shown in the exchange that is still open and left out of earlier ones. */
      function assistant(
        { completion, reasoning, content, toolCalls = [] }: AssistantMessage,
        open: boolean,
      ): void {
        if (completion) {
          out.pieces(completion, 'assistant');
          return;
        }
        if (thinks && open && reasoning !== undefined) {
          out.scaffold('<think>');
          out.text(reasoning, 'assistant');
          out.scaffold('</think>');
        }
        out.text(content, 'assistant');
        if (toolCalls.length > 0) out.pieces(parser.write(toolCalls), 'assistant');
      }
    },
  };
}

export const lfm2 = createLfm2({ name: 'lfm2', marks: true, thinks: false });
export const lfm25 = createLfm2({ name: 'lfm2.5', marks: false, thinks: true });
