/**
 * Kimi K2: turns between role tokens, the tools as JSON before everything, each result under the id of its call. Sources: the chat
 * templates that Moonshot AI publishes with K2-Instruct (`kimi-k2`) and K2-Thinking (`kimi-k2-thinking`). Thoughts are shown after
 * the last reply without calls.
 *
 * Where it differs from those templates: ids in the model's own form are kept, and only other calls are given one, by their number
 * in the conversation (theirs give one to every call); results stand in the order of their calls; K2-Instruct's line break
 * after the system text that stands where the conversation brings none is left out, as in K2-Thinking's. The first template
 * published with the model counted the calls of each message anew, which is no longer so.
 */
import { kimiCallId, kimiK2 as parser } from '../parsers/kimi-k2.ts';
import type { ToolDefinition } from '../parsers/parser.ts';
import { placeSchema } from './placement.ts';
import { type PromptBuilder, promptBuilder } from './prompt.ts';
import { functionTool, jsonLine } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { AssistantMessage, SchemaForm, Template } from './template.ts';
import { type Turn, toTurns } from './turns.ts';

const controlTokens = [
  ...['<|im_system|>', '<|im_user|>', '<|im_assistant|>', '<|im_middle|>', '<|im_end|>'],
  ...['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
  ...['<|tool_call_begin|>', '<|tool_call_argument_begin|>', '<|tool_call_end|>'],
];
const defaultSystem = 'You are Kimi, an AI assistant created by Moonshot AI.';

function createKimi(name: string, thinks: boolean): Template {
  const tokens = thinks ? [...controlTokens, '<think>', '</think>'] : controlTokens;
  return {
    name,
    stops: ['<|im_end|>'],
    controlTokens: tokens,
    render({ messages, tools }, options = {}) {
      const turns = toTurns(messages);
      const place = placeSchema(tools, turns, options.schema);
      const lastReply = turns.findLastIndex(isReply);
      const out = promptBuilder(tokens);
      const ids = callIds(turns);

      if (place.at === 'system') toolsTurn(out, tools, options.schemaForm);
      if (turns[0]?.role !== 'system')
        out.scaffold(`<|im_system|>system<|im_middle|>${defaultSystem}<|im_end|>`);
      turns.forEach((turn, index) => {
        if (index === place.turn) toolsTurn(out, tools, options.schemaForm);
        if (turn.role === 'results') {
          for (const result of turn.results) {
            out.scaffold('<|im_system|>');
            out.text(result.name, 'tool');
            out.scaffold('<|im_middle|>## Return of ');
            out.text(ids.get(turn)?.get(result.callId) ?? result.callId, 'tool');
            out.scaffold('\n');
            out.text(result.content, 'tool');
            out.scaffold('<|im_end|>');
          }
          return;
        }
        out.scaffold(`<|im_${turn.role}|>${turn.role}<|im_middle|>`);
        if (turn.role === 'assistant') assistant(turn, ids.get(turn), index > lastReply);
        else out.text(turn.content, turn.role);
        out.scaffold('<|im_end|>');
      });
      if (place.at === 'tail') toolsTurn(out, tools, options.schemaForm);
      if (options.generationPrompt ?? true) out.scaffold('<|im_assistant|>assistant<|im_middle|>');
      return out.build();

      function assistant(turn: AssistantMessage, shown: CallIds | undefined, open: boolean): void {
        if (turn.completion) {
          out.pieces(turn.completion, 'assistant');
          return;
        }
        if (thinks) {
          out.scaffold('<think>');
          if (open) out.text(turn.reasoning ?? '', 'assistant');
          out.scaffold('</think>');
        }
        out.text(turn.content, 'assistant');
        const calls = (turn.toolCalls ?? []).map(call => ({ ...call, id: shown?.get(call.id) ?? call.id }));
        if (calls.length > 0) out.pieces(parser.write(calls), 'assistant');
      }
    },
  };
}

type CallIds = ReadonlyMap<string, string>;

/** For each turn with calls and for their results: the ids that the calls have in the prompt. */
function callIds(turns: readonly Turn[]): ReadonlyMap<Turn, CallIds> {
  const all = new Map<Turn, CallIds>();
  let number = 0;
  turns.forEach((turn, index) => {
    if (turn.role !== 'assistant') return;
    const ids = new Map<string, string>();
    for (const call of turn.toolCalls ?? []) {
      // A call that stands as the model wrote it has the id that the model gave it, whatever it looks like.
      const written = turn.completion && call.writtenId;
      ids.set(call.id, written || kimiCallId(call, number));
      number++;
    }
    all.set(turn, ids);
    const next = turns[index + 1];
    if (next?.role === 'results') all.set(next, ids);
  });
  return all;
}

function isReply(turn: Turn): boolean {
  return turn.role === 'assistant' && !turn.toolCalls?.length;
}

function toolsTurn(out: PromptBuilder, tools: readonly ToolDefinition[], form: SchemaForm | undefined): void {
  out.scaffold('<|im_system|>tool_declare<|im_middle|>');
  out.text(
    toolsInForm(tools, form, offered => jsonLine(offered.map(functionTool))),
    'tools',
  );
  out.scaffold('<|im_end|>');
}

export const kimiK2 = createKimi('kimi-k2', false);
export const kimiK2Thinking = createKimi('kimi-k2-thinking', true);
