/**
 * Llama 3.1, 3.2 and 3.3: header tokens, results in `ipython` turns. Source: the chat templates that Meta publishes with the
 * models. Two calls go with it: JSON (`llama3-json`, the templates' own) and bracket calls (`llama3`, the other form that
 * the 3.2 text models were trained on).
 *
 * Where it differs from Meta's templates: parallel calls are written (theirs raise), and text beside a call is kept (theirs
 * drop it); a result is written as the text it is (theirs JSON-quote strings, which their test for a list takes for one), and
 * results stand in the order of their calls; the tools go to the first user turn (theirs take the first message for it); the
 * date is 3.1's unless one is given (3.2 asks the clock).
 */
import { bracket } from '../parsers/bracket.ts';
import { llamaJson } from '../parsers/llama-json.ts';
import type { Parser, ToolDefinition } from '../parsers/parser.ts';
import { placeSchema } from './placement.ts';
import { promptBuilder } from './prompt.ts';
import { functionTool, jsonLine } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { SchemaForm, Template } from './template.ts';
import { toTurns } from './turns.ts';

interface ToolsText {
  readonly native: 'system' | 'first-user';
  /** The instruction and the tools, ending in an empty line. */
  inSystem(tools: readonly ToolDefinition[], form?: SchemaForm): string;
  inUser(tools: readonly ToolDefinition[], form?: SchemaForm): string;
}

const jsonTools = (tools: readonly ToolDefinition[]) =>
  tools.map(tool => JSON.stringify(functionTool(tool), null, 4)).join('\n\n');
const jsonForm =
  'Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.Do not use variables.\n\n';

const llamaJsonTools: ToolsText = {
  native: 'first-user',
  inSystem: (tools, form) =>
    `You have access to the following functions. To call a function, please respond with JSON for a function call.${jsonForm}${toolsInForm(tools, form, jsonTools)}\n\n`,
  inUser: (tools, form) =>
    `Given the following functions, please respond with a JSON for a function call with its proper arguments that best answers the given prompt.\n\n${jsonForm}${toolsInForm(tools, form, jsonTools)}\n\n`,
};

const bracketLines = (tools: readonly ToolDefinition[]) =>
  tools.map(tool => jsonLine(functionTool(tool).function)).join('\n');

const bracketText = (tools: readonly ToolDefinition[], form?: SchemaForm) =>
  'You can call the functions below. To call any, reply with nothing but a list of calls in the format ' +
  '[func_name1(params_name1=params_value1, params_name2=params_value2...), func_name2(params)]. ' +
  `Otherwise reply in plain words.\n\n${toolsInForm(tools, form, bracketLines)}\n\n`;

const bracketTools: ToolsText = { native: 'system', inSystem: bracketText, inUser: bracketText };

const controlTokens = [
  '<|begin_of_text|>',
  '<|end_of_text|>',
  '<|start_header_id|>',
  '<|end_header_id|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|python_tag|>',
];

function createLlama3(name: string, parser: Parser, toolsText: ToolsText): Template {
  return {
    name,
    stops: ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>'],
    controlTokens,
    render({ messages, tools }, options = {}) {
      const turns = toTurns(messages);
      const opening = turns[0]?.role === 'system' ? turns.shift() : undefined;
      const place = placeSchema(tools, turns, options.schema, toolsText.native);
      const out = promptBuilder(controlTokens);
      const open = (role: string) => out.scaffold(`<|start_header_id|>${role}<|end_header_id|>\n\n`);

      out.scaffold('<|begin_of_text|>');
      open('system');
      if (place.at !== 'none') out.scaffold('Environment: ipython\n');
      out.scaffold(`Cutting Knowledge Date: December 2023\nToday Date: ${options.date ?? '26 Jul 2024'}\n\n`);
      if (place.at === 'system') out.text(toolsText.inSystem(tools, options.schemaForm), 'tools');
      if (opening?.role === 'system') out.text(opening.content.trim(), 'system');
      out.scaffold('<|eot_id|>');

      turns.forEach((turn, index) => {
        if (turn.role === 'results') {
          for (const result of turn.results) {
            open('ipython');
            out.text(result.content, 'tool');
            out.scaffold('<|eot_id|>');
          }
          return;
        }
        open(turn.role);
        if (index === place.turn) out.text(toolsText.inUser(tools, options.schemaForm), 'tools');
        if (turn.role !== 'assistant') out.text(turn.content.trim(), turn.role);
        else if (turn.completion) out.pieces(turn.completion, 'assistant');
        else {
          const calls = turn.toolCalls ?? [];
          out.text(turn.content.trim(), 'assistant');
          if (calls.length > 0) out.pieces(parser.write(calls), 'assistant');
        }
        out.scaffold('<|eot_id|>');
      });

      if (place.at === 'tail') {
        open('system');
        out.text(toolsText.inSystem(tools, options.schemaForm).trim(), 'tools');
        out.scaffold('<|eot_id|>');
      }
      if (options.generationPrompt ?? true) open('assistant');
      return out.build();
    },
  };
}

export const llama3 = createLlama3('llama3', bracket, bracketTools);
export const llama3Json = createLlama3('llama3-json', llamaJson, llamaJsonTools);
