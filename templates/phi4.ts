/**
 * Phi-4-mini: role tokens, the tools as a JSON list between tokens of their own at the end of the system turn. Source: the chat template
 * that Microsoft publishes with Phi-4-mini-instruct, and its model card: tools in the flat shape, calls between `<|tool_call|>`
 * tokens. The template was compared; the card was read as others quote it, and it says nothing of results.
 *
 * Where it differs from that template: it puts the tools in itself (theirs wants them in a message as text, and does not see the ones
 * that it is given); where the conversation brings no system text the card's own stands before the tools; calls are written (theirs
 * leaves them out); a result is a turn of `<|tool_response|>`, which the vocabulary has for it (theirs would name the message's role,
 * `<|tool|>`, which is the tools' token); the prompt has no end-of-text token behind a last reply (theirs does, for training).
 */
import type { ToolDefinition } from '../parsers/parser.ts';
import { phi4 } from '../parsers/phi4.ts';
import { placeSchema } from './placement.ts';
import { type PromptBuilder, promptBuilder } from './prompt.ts';
import { functionTool, jsonLine } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { SchemaForm, Template } from './template.ts';
import { toTurns } from './turns.ts';

const controlTokens = [
  '<|system|>',
  '<|user|>',
  '<|assistant|>',
  '<|end|>',
  '<|tool|>',
  '<|/tool|>',
  '<|tool_call|>',
  '<|/tool_call|>',
  '<|tool_response|>',
  '<|endoftext|>',
];
const cardSystem = 'You are a helpful assistant with some tools.';

export const phi4Mini: Template = {
  name: 'phi4-mini',
  stops: ['<|end|>', '<|endoftext|>'],
  controlTokens,
  render({ messages, tools }, options = {}) {
    const turns = toTurns(messages);
    const opening = turns[0]?.role === 'system' ? turns.shift() : undefined;
    const place = placeSchema(tools, turns, options.schema);
    const out = promptBuilder(controlTokens);

    if (opening?.role === 'system' || place.at === 'system') {
      out.scaffold('<|system|>');
      if (opening?.role === 'system') out.text(opening.content, 'system');
      else out.scaffold(cardSystem);
      if (place.at === 'system') toolsText(out, tools, options.schemaForm);
      out.scaffold('<|end|>');
    }
    turns.forEach((turn, index) => {
      if (turn.role === 'results') {
        for (const { content } of turn.results) {
          out.scaffold('<|tool_response|>');
          out.text(content, 'tool');
          out.scaffold('<|end|>');
        }
        return;
      }
      out.scaffold(`<|${turn.role}|>`);
      if (index === place.turn) toolsText(out, tools, options.schemaForm);
      if (turn.role !== 'assistant') out.text(turn.content, turn.role);
      else if (turn.completion) out.pieces(turn.completion, 'assistant');
      else {
        out.text(turn.content, 'assistant');
        if (turn.toolCalls?.length) out.pieces(phi4.write(turn.toolCalls), 'assistant');
      }
      out.scaffold('<|end|>');
    });
    if (place.at === 'tail') {
      out.scaffold('<|system|>');
      toolsText(out, tools, options.schemaForm);
      out.scaffold('<|end|>');
    }
    if (options.generationPrompt ?? true) out.scaffold('<|assistant|>');
    return out.build();
  },
};

function toolsText(out: PromptBuilder, tools: readonly ToolDefinition[], form: SchemaForm | undefined): void {
  out.scaffold('<|tool|>');
  out.text(toolsInForm(tools, form, nativeTools), 'tools');
  out.scaffold('<|/tool|>');
}

const nativeTools = (tools: readonly ToolDefinition[]) =>
  jsonLine(tools.map(tool => functionTool(tool).function));
