/**
 * Llama 4: `<|header_start|>ROLE<|header_end|>\n\n…<|eot|>`, results in `ipython` turns, no system turn where there is no system text.
 *
 * Source: the chat template that Meta publishes with the models, as transformers' conversion script writes it
 * (convert_llama4_weights_to_hf.py), and Meta's prompt formats (llama-models, models/llama4/prompt_format.md). Read there: turns,
 * tokens, and that zero-shot calls are a Python list, the tools a JSON list in the system or the user message. The template asks
 * for JSON calls (`{"name": …, "parameters": …}`) in the first user message, and shows earlier calls as such JSON behind the reply's
 * text, which it puts between `<|python_start|>` and `<|python_end|>`; the prompt formats have no such form, and it is read, not written.
 *
 * Where it differs from the template: calls are Python in a list, between those markers; the instruction is in words of our own;
 * tools go to the system turn; a result is written as the text it is (theirs JSON-quotes strings).
 */
import { llama4 as parser } from '../parsers/llama4.ts';
import type { ToolDefinition } from '../parsers/parser.ts';
import { placeSchema } from './placement.ts';
import { promptBuilder } from './prompt.ts';
import { functionTool } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { Template } from './template.ts';
import { toTurns } from './turns.ts';

const controlTokens = [
  ...['<|begin_of_text|>', '<|end_of_text|>', '<|header_start|>', '<|header_end|>', '<|eot|>', '<|eom|>'],
  ...['<|python_start|>', '<|python_end|>'],
];

const instruction =
  'You can call the functions below. To call any, reply with nothing but a list of calls in the format ' +
  '[func_name1(param1=value1, param2=value2), func_name2(...)]. Otherwise reply in plain words.\n\n' +
  'Here is a list of functions in JSON format that you can invoke.\n\n';

const toolList = (tools: readonly ToolDefinition[]) =>
  JSON.stringify(
    tools.map(tool => functionTool(tool).function),
    null,
    4,
  );

export const llama4: Template = {
  name: 'llama4',
  stops: ['<|eot|>', '<|eom|>', '<|end_of_text|>'],
  controlTokens,
  render({ messages, tools }, options = {}) {
    const turns = toTurns(messages);
    const opening = turns[0]?.role === 'system' ? turns.shift() : undefined;
    const place = placeSchema(tools, turns, options.schema);
    const out = promptBuilder(controlTokens);
    const open = (role: string) => out.scaffold(`<|header_start|>${role}<|header_end|>\n\n`);
    const schema = () => {
      out.scaffold(instruction);
      out.text(toolsInForm(tools, options.schemaForm, toolList), 'tools');
    };

    out.scaffold('<|begin_of_text|>');
    if (opening?.role === 'system' || place.at === 'system') {
      const system = opening?.role === 'system' ? opening.content.trim() : '';
      open('system');
      out.text(system, 'system');
      if (place.at === 'system') {
        if (system !== '') out.scaffold('\n\n');
        schema();
      }
      out.scaffold('<|eot|>');
    }

    for (const [index, turn] of turns.entries()) {
      if (turn.role === 'results') {
        for (const { content } of turn.results) {
          open('ipython');
          out.text(content, 'tool');
          out.scaffold('<|eot|>');
        }
        continue;
      }
      open(turn.role);
      if (index === place.turn) {
        schema();
        out.scaffold('\n\n');
      }
      if (turn.role === 'assistant' && turn.completion) out.pieces(turn.completion, 'assistant');
      else {
        out.text(turn.content, turn.role);
        const calls = turn.role === 'assistant' ? (turn.toolCalls ?? []) : [];
        if (calls.length > 0) out.pieces(parser.write(calls), 'assistant');
      }
      out.scaffold('<|eot|>');
    }

    if (place.at === 'tail') {
      open('system');
      schema();
      out.scaffold('<|eot|>');
    }
    if (options.generationPrompt ?? true) open('assistant');
    return out.build();
  },
};
