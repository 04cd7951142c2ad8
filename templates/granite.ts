/**
 * Granite 3: turns between role tokens, the tools as JSON in a turn of their own. Source: the chat template that IBM publishes with
 * Granite 3.3; 3.0 to 3.2 differ from it in the system text that stands where the conversation brings none.
 *
 * Where it differs from that template: calls are written, as the model generates them (theirs leaves them out); results stand in the
 * order of their calls; the date is stated only where one is given (theirs asks the clock).
 */
import { granite } from '../parsers/granite.ts';
import type { ToolDefinition } from '../parsers/parser.ts';
import { respelled } from './date.ts';
import { placeSchema } from './placement.ts';
import { type PromptBuilder, promptBuilder } from './prompt.ts';
import { functionTool } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { RenderOptions, Template } from './template.ts';
import { toTurns } from './turns.ts';

const controlTokens = ['<|start_of_role|>', '<|end_of_role|>', '<|end_of_text|>', '<|tool_call|>'];

const plain = ' You are a helpful AI assistant.';
const withTools =
  " You are a helpful assistant with access to the following tools. When a tool is required to answer the user's query, respond only with " +
  '<|tool_call|> followed by a JSON list of tools used. If a tool does not exist in the provided list of tools, notify the user that you do ' +
  'not have the ability to fulfill the request.';
const withThoughts =
  `${plain}\nRespond to every user query in a comprehensive and detailed way. You can write down your thoughts and reasoning process ` +
  'before responding. In the thought process, engage in a comprehensive cycle of analysis, summarization, exploration, reassessment, ' +
  'reflection, backtracing, and iteration to develop well-considered thinking process. In the response section, based on various attempts, ' +
  'explorations, and reflections from the thoughts section, systematically present the final solution that you deem correct. The response ' +
  'should summarize the thought process. Write your thoughts between <think></think> and write your response between <response></response> ' +
  'for each user query.';

export const granite3: Template = {
  name: 'granite3',
  stops: ['<|end_of_text|>'],
  controlTokens,
  render({ messages, tools }, options = {}) {
    const turns = toTurns(messages);
    const opening = turns[0]?.role === 'system' ? turns.shift() : undefined;
    const place = placeSchema(tools, turns, options.schema);
    const out = promptBuilder(controlTokens);
    const open = (role: string) => out.scaffold(`<|start_of_role|>${role}<|end_of_role|>`);
    const close = () => out.scaffold('<|end_of_text|>\n');
    const toolsText = () => toolsInForm(tools, options.schemaForm, nativeTools);

    open('system');
    if (opening?.role === 'system') out.text(opening.content, 'system');
    else out.scaffold(defaultSystem(place.at !== 'none', options));
    close();
    if (place.at === 'system') toolsTurn(out, toolsText());
    turns.forEach((turn, index) => {
      if (turn.role === 'results') {
        for (const { content } of turn.results) {
          open('tool');
          out.text(content, 'tool');
          close();
        }
        return;
      }
      open(turn.role);
      if (index === place.turn) {
        out.text(toolsText(), 'tools');
        out.scaffold('\n\n');
      }
      if (turn.role !== 'assistant') out.text(turn.content, turn.role);
      else if (turn.completion) out.pieces(turn.completion, 'assistant');
      else {
        out.text(turn.content, 'assistant');
        if (turn.toolCalls?.length) out.pieces(granite.write(turn.toolCalls), 'assistant');
      }
      close();
    });
    if (place.at === 'tail') toolsTurn(out, toolsText());
    if (options.generationPrompt ?? true) open('assistant');
    return out.build();
  },
};

function defaultSystem(tooled: boolean, { date, thinking }: RenderOptions): string {
  const today = date === undefined ? '' : ` Today's Date: ${respelled(date, 'long')}.`;
  const task = tooled ? withTools : thinking ? withThoughts : plain;
  return `Knowledge Cutoff Date: April 2024.${today} You are Granite, developed by IBM.${task}`;
}

function toolsTurn(out: PromptBuilder, text: string): void {
  out.scaffold('<|start_of_role|>available_tools<|end_of_role|>');
  out.text(text, 'tools');
  out.scaffold('<|end_of_text|>\n');
}

function nativeTools(tools: readonly ToolDefinition[]): string {
  return JSON.stringify(tools.map(functionTool), null, 4);
}
