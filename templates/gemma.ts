/**
 * What FunctionGemma's and Gemma 4's templates have in common: a tool's result stands in the model's own turn, right behind its
 * call, and the model goes on from there. Their files say where each comes from.
 */
import type { Parser } from '../parsers/parser.ts';
import { type DeclarationStyle, gemmaDeclaration } from './gemma-declaration.ts';
import { placeSchema } from './placement.ts';
import { promptBuilder } from './prompt.ts';
import { toolInForm } from './schema-forms.ts';
import type { AssistantMessage, Template, ToolMessage } from './template.ts';
import { lastUserTurn, toTurns } from './turns.ts';

interface GemmaFamily {
  readonly name: string;
  readonly parser: Parser;
  readonly stops: readonly string[];
  readonly controlTokens: readonly string[];
  /** What stands before a turn's role, and the end of a turn. */
  readonly turn: readonly [open: string, close: string];
  readonly systemRole: string;
  readonly declaration: readonly [open: string, close: string];
  readonly response: readonly [open: string, close: string];
  readonly style: DeclarationStyle;
  /** The sentence before the declarations that the model was trained with. */
  readonly instruction?: string;
  readonly thinking?: {
    /** At the top of the system turn it turns thinking on. */
    readonly on: string;
    readonly open: string;
    readonly close: string;
  };
}

export function createGemma(family: GemmaFamily): Template {
  const { name, parser, stops, controlTokens, systemRole, thinking, instruction } = family;
  const { quote } = family.style;
  const [turnOpen, turnClose] = family.turn;
  const [responseOpen, responseClose] = family.response;

  return {
    name,
    stops,
    controlTokens,
    render({ messages, tools }, options = {}) {
      const turns = toTurns(messages);
      const opening = turns[0]?.role === 'system' ? turns.shift() : undefined;
      const system = opening?.role === 'system' ? opening.content.trim() : undefined;
      const place = placeSchema(tools, turns, options.schema);
      const lastUser = lastUserTurn(turns);
      const { schemaForm: form = 'native' } = options;
      const thinks = options.thinking === true && thinking !== undefined;
      const out = promptBuilder(controlTokens);
      /** Whether a turn of the model's is open, waiting for results or for what it says to them. */
      let modelSpeaks = false;

      out.scaffold('<bos>');
      if (system !== undefined || place.at === 'system' || thinks) {
        begin(systemRole);
        if (thinks) out.scaffold(thinking.on);
        out.text(system ?? '', 'system');
        if (place.at === 'system') {
          if (instruction !== undefined && system) out.scaffold('\n');
          schema();
        }
        out.scaffold(turnClose);
      }

      for (const [index, turn] of turns.entries()) {
        if (turn.role === 'results') turn.results.forEach(response);
        else if (turn.role === 'assistant') assistant(turn, index > lastUser, index === turns.length - 1);
        else {
          begin(turn.role === 'system' ? systemRole : turn.role);
          if (index === place.turn) schema();
          out.text(turn.content.trim(), turn.role);
          out.scaffold(turnClose);
        }
      }

      if (place.at === 'tail') {
        begin(systemRole);
        schema();
        out.scaffold(turnClose);
      }
      if ((options.generationPrompt ?? true) && !modelSpeaks) beginReply(!thinks);
      return out.build();

      function begin(role: string): void {
        if (modelSpeaks) out.scaffold(turnClose);
        modelSpeaks = false;
        out.scaffold(`${turnOpen}${role}\n`);
      }

      /** An empty thought tells a model not to think. */
      function beginReply(quiet: boolean): void {
        begin('model');
        if (quiet && thinking) out.scaffold(thinking.open + thinking.close);
      }

      function schema(): void {
        if (instruction !== undefined) out.scaffold(instruction);
        for (const tool of tools) {
          out.scaffold(family.declaration[0]);
          if (form === 'native') out.pieces(gemmaDeclaration(tool, family.style), 'tools');
          else out.text(toolInForm(tool, form), 'tools');
          out.scaffold(family.declaration[1]);
        }
      }

      function assistant(turn: AssistantMessage, open: boolean, last: boolean): void {
        const calls = turn.toolCalls ?? [];
        const { completion, reasoning } = turn;
        // A reply that was generated behind an empty thought keeps it.
        const thought = completion?.[0]?.control && thinking?.open.startsWith(completion[0].text);
        if (!modelSpeaks) beginReply(completion !== undefined && !thinks && !thought);
        if (completion) out.pieces(completion, 'assistant');
        else {
          if (thinking && reasoning && open && calls.length > 0) {
            out.scaffold(thinking.open);
            out.text(`${reasoning}\n`, 'assistant');
            out.scaffold(thinking.close);
          }
          out.text(turn.content.trim(), 'assistant');
          out.pieces(parser.write(calls), 'assistant');
        }
        modelSpeaks = calls.length > 0;
        if (!modelSpeaks) out.scaffold(turnClose);
        else if (last) out.scaffold(responseOpen);
      }

      function response(result: ToolMessage): void {
        out.scaffold(`${responseOpen}response:`);
        out.text(result.name, 'tool');
        out.scaffold(`{value:${quote}`);
        out.text(result.content, 'tool');
        out.scaffold(`${quote}}${responseClose}`);
      }
    },
  };
}
