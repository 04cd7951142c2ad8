/**
 * gpt-oss (harmony): a system message of the template's own, the system text and the tools in a developer message, one message a
 * thought, call, result or reply. Source: the chat template that OpenAI publishes with the models.
 *
 * Where it differs from that template: several calls of one message are written, one after another, before their results (theirs
 * writes the first and leaves the others out); text beside a call is the preamble that it was, on the commentary channel, and thoughts may
 * stand beside it (theirs takes the text for a thought, and raises where both are there); a later system message is a developer message
 * (theirs drops it); a reply ends with `<|end|>` wherever it stands (theirs has `<|return|>` on the last one, for training); a tool
 * without a description has no comment (theirs prints the missing one); the date is stated only where one is given (theirs asks the
 * clock). Thinking cannot be turned off: `thinking: false` asks for little.
 */
import { harmony } from '../parsers/harmony.ts';
import type { Piece, ToolDefinition } from '../parsers/parser.ts';
import { respelled } from './date.ts';
import { placeSchema } from './placement.ts';
import { type PromptBuilder, promptBuilder } from './prompt.ts';
import type { AssistantMessage, Origin, RenderOptions, SchemaForm, Template } from './template.ts';
import { type Turn, toTurns } from './turns.ts';
import { typescriptTools } from './typescript-tools.ts';

const controlTokens = [
  '<|start|>',
  '<|channel|>',
  '<|constrain|>',
  '<|message|>',
  '<|end|>',
  '<|call|>',
  '<|return|>',
  '<|endoftext|>',
];

export const gptOss: Template = {
  name: 'gpt-oss',
  stops: ['<|return|>', '<|call|>'],
  controlTokens,
  render({ messages, tools }, options = {}) {
    const turns = toTurns(messages);
    const opening = turns[0]?.role === 'system' ? turns.shift() : undefined;
    const instructions = opening?.role === 'system' ? opening.content : '';
    const place = placeSchema(tools, turns, options.schema);
    const answered = turns.findLastIndex(turn => turn.role === 'assistant' && !turn.toolCalls?.length);
    const out = promptBuilder(controlTokens);

    systemMessage(out, place.at !== 'none', options);
    const offered = place.at === 'system' ? tools : [];
    if (instructions !== '' || offered.length > 0)
      developerMessage(out, instructions, offered, options.schemaForm);
    turns.forEach((turn, index) => {
      if (turn.role === 'system') developerMessage(out, turn.content, []);
      else if (turn.role === 'results') results(out, turn);
      else if (turn.role === 'assistant') {
        const last = index === turns.length - 1 && options.generationPrompt === false;
        assistant(out, turn, index > answered || (last && index === answered));
      } else {
        out.scaffold('<|start|>user<|message|>');
        if (index === place.turn) {
          toolsText(out, tools, options.schemaForm);
          out.scaffold('\n\n');
        }
        out.text(turn.content, 'user');
        out.scaffold('<|end|>');
      }
    });
    if (place.at === 'tail') developerMessage(out, '', tools, options.schemaForm);
    if (options.generationPrompt ?? true) out.scaffold('<|start|>assistant');
    return out.build();
  },
};

function systemMessage(out: PromptBuilder, tooled: boolean, { date, thinking }: RenderOptions): void {
  out.scaffold(
    '<|start|>system<|message|>You are ChatGPT, a large language model trained by OpenAI.\nKnowledge cutoff: 2024-06\n' +
      `${date === undefined ? '' : `Current date: ${respelled(date, 'iso')}\n`}\nReasoning: ${thinking === false ? 'low' : 'medium'}\n\n` +
      '# Valid channels: analysis, commentary, final. Channel must be included for every message.' +
      `${tooled ? "\nCalls to these tools must go to the commentary channel: 'functions'." : ''}<|end|>`,
  );
}

function developerMessage(
  out: PromptBuilder,
  instructions: string,
  tools: readonly ToolDefinition[],
  form?: SchemaForm,
): void {
  out.scaffold('<|start|>developer<|message|>');
  if (instructions !== '') {
    out.scaffold('# Instructions\n\n');
    out.text(instructions, 'system');
    out.scaffold('\n\n');
  }
  if (tools.length > 0) toolsText(out, tools, form);
  out.scaffold('<|end|>');
}

function toolsText(out: PromptBuilder, tools: readonly ToolDefinition[], form?: SchemaForm): void {
  out.scaffold('# Tools\n\n');
  out.text(typescriptTools('functions', tools, form), 'tools');
}

/** The text of a message of the assistant's, on its channel. */
function said(out: PromptBuilder, channel: string, text: string): void {
  out.scaffold(`<|start|>assistant<|channel|>${channel}<|message|>`);
  out.text(text, 'assistant');
  out.scaffold('<|end|>');
}

/** Thoughts are shown as long as no reply was given that they led to. */
function assistant(out: PromptBuilder, turn: AssistantMessage, thoughts: boolean): void {
  const calls = turn.toolCalls ?? [];
  if (turn.completion) {
    out.scaffold('<|start|>assistant');
    out.pieces(ended(turn.completion), 'assistant');
    return;
  }
  if (thoughts && turn.reasoning) said(out, 'analysis', turn.reasoning);
  if (calls.length === 0) said(out, 'final', turn.content);
  else if (turn.content !== '') said(out, 'commentary', turn.content);
  if (calls.length > 0) {
    out.scaffold('<|start|>assistant');
    out.pieces(harmony.write(calls), 'assistant');
  }
}

/** A completion with the token that ends its last message; `<|return|>` is for the model to write, not to read. */
function ended(completion: readonly Piece[]): readonly Piece[] {
  const last = completion.at(-1);
  if (last?.control && ['<|call|>', '<|end|>'].includes(last.text)) return completion;
  const open = last?.control && last.text === '<|return|>' ? completion.slice(0, -1) : completion;
  return [...open, { text: endsWithCall(open) ? '<|call|>' : '<|end|>', control: true }];
}

/** Whether the last message has a recipient. */
function endsWithCall(completion: readonly Piece[]): boolean {
  const body = completion.findLastIndex(({ text, control }) => control && text === '<|message|>');
  const header = completion.slice(0, Math.max(0, body));
  const start = header.findLastIndex(({ text, control }) => control && text === '<|start|>');
  const words = header.slice(start + 1).map(piece => piece.text);
  return words.join('').includes(' to=');
}

function results(out: PromptBuilder, turn: Extract<Turn, { role: 'results' }>): void {
  const origin: Origin = 'tool';
  for (const { name, content } of turn.results) {
    out.scaffold('<|start|>functions.');
    out.text(name, origin);
    out.scaffold(' to=assistant<|channel|>commentary<|message|>');
    out.text(JSON.stringify(content), origin);
    out.scaffold('<|end|>');
  }
}
