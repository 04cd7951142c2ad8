/**
 * Mistral: turns between tokens in brackets, in three generations. `mistral-v3` is 7B v0.3, Nemo and the models up to tokenizer v7;
 * `mistral-v11` is Small 3.2; `mistral` (v13) is Magistral, Ministral 3 and Devstral. Sources: the chat templates of Nemo, Small 3.2 and
 * Ministral 3, and Devstral's as Unsloth mends it.
 *
 * Where it differs from those templates: text beside calls is kept (v3 and v11 drop it); no system text is made up (theirs have
 * long ones, another for each model); results stand in the order of their calls; call ids of any form become Mistral's (theirs
 * raise on them); thoughts are written from `reasoning` (theirs want them as parts of the content); a system text that comes late
 * stands where it comes, in v3 as a user's turn (theirs raise). In v3 a description is JSON (theirs puts the bare text between quotes).
 *
 * Natively v3 and v11 have the tools before the last user turn, and v3 has the system text in it, so that the next question changes the
 * prompt from the last one on. Within one exchange prompts only grow: v3's system text stays in that turn while results follow
 * (theirs drops it there). With the schemas in the system's place, all of this stands at the beginning and stays.
 */

import {
  mistral as mistralParser,
  mistralV3 as v3Parser,
  mistralV11 as v11Parser,
} from '../parsers/mistral.ts';
import { mistralCallId } from '../parsers/mistral-id.ts';
import type { Parser, ToolCall, ToolDefinition } from '../parsers/parser.ts';
import { placeSchema } from './placement.ts';
import { type PromptBuilder, promptBuilder } from './prompt.ts';
import { functionTool, jsonLine } from './schema.ts';
import { toolsInForm } from './schema-forms.ts';
import type { AssistantMessage, SchemaForm, Template } from './template.ts';
import { lastUserTurn, toTurns } from './turns.ts';

const controlTokens = [
  ...['<s>', '</s>', '[INST]', '[/INST]', '[AVAILABLE_TOOLS]', '[/AVAILABLE_TOOLS]'],
  ...['[TOOL_CALLS]', '[TOOL_RESULTS]', '[/TOOL_RESULTS]'],
];
const systemTokens = ['[SYSTEM_PROMPT]', '[/SYSTEM_PROMPT]'];

interface Generation {
  readonly name: string;
  readonly parser: Parser;
  readonly controlTokens: readonly string[];
  readonly nativeTools: 'system' | 'user';
  /** The system text stands in a user turn, not in a block of its own. */
  readonly systemInUser?: boolean;
  readonly thinks?: boolean;
  result(out: PromptBuilder, callId: string, content: string): void;
}

function createMistral(generation: Generation): Template {
  const { name, parser, nativeTools, systemInUser = false, thinks = false } = generation;
  return {
    name,
    stops: ['</s>'],
    controlTokens: generation.controlTokens,
    render({ messages, tools }, { schema = 'native', schemaForm } = {}) {
      const turns = toTurns(messages);
      const opening = turns[0]?.role === 'system' ? turns.shift() : undefined;
      const system = opening?.role === 'system' ? opening.content : undefined;
      const place = placeSchema(tools, turns, schema === 'native' ? nativeTools : schema);
      const firstUser = turns.findIndex(turn => turn.role === 'user');
      const systemTurn = place.at === 'system' ? firstUser : lastUserTurn(turns);
      const out = promptBuilder(generation.controlTokens);
      let ids = new Map<string, string>();

      out.scaffold('<s>');
      if (system !== undefined && !systemInUser) systemBlock(system);
      if (place.at === 'system') toolsBlock(out, tools, schemaForm);
      if (system !== undefined && systemInUser && systemTurn === -1) userTurn(system, 'system');
      turns.forEach((turn, index) => {
        if (index === place.turn) toolsBlock(out, tools, schemaForm);
        switch (turn.role) {
          case 'system':
            if (systemInUser) userTurn(turn.content, 'system');
            else systemBlock(turn.content);
            break;
          case 'user':
            userTurn(turn.content, 'user', systemInUser && index === systemTurn ? system : undefined);
            break;
          case 'assistant':
            ids = new Map((turn.toolCalls ?? []).map(call => [call.id, shownId(turn, call)]));
            assistantTurn(turn);
            break;
          case 'results':
            for (const { callId, content } of turn.results)
              generation.result(out, ids.get(callId) ?? callId, content);
        }
      });
      if (place.at === 'tail') toolsBlock(out, tools, schemaForm);
      return out.build();

      function systemBlock(content: string): void {
        out.scaffold('[SYSTEM_PROMPT]');
        out.text(content, 'system');
        out.scaffold('[/SYSTEM_PROMPT]');
      }

      function userTurn(content: string, origin: 'user' | 'system', before?: string): void {
        out.scaffold('[INST]');
        if (before !== undefined) {
          out.text(before, 'system');
          out.scaffold('\n\n');
        }
        out.text(content, origin);
        out.scaffold('[/INST]');
      }

      function assistantTurn(turn: AssistantMessage): void {
        if (turn.completion) out.pieces(turn.completion, 'assistant');
        else {
          if (thinks && turn.reasoning !== undefined) {
            out.scaffold('[THINK]');
            out.text(turn.reasoning, 'assistant');
            out.scaffold('[/THINK]');
          }
          out.text(turn.content, 'assistant');
          out.pieces(turn.toolCalls?.length ? parser.write(turn.toolCalls) : [], 'assistant');
        }
        out.scaffold('</s>');
      }
    },
  };
}

/** A call that stands as the model wrote it has the id that the model gave it. */
function shownId({ completion }: AssistantMessage, call: ToolCall): string {
  return (completion && call.writtenId) || mistralCallId(call);
}

function toolsBlock(
  out: PromptBuilder,
  tools: readonly ToolDefinition[],
  form: SchemaForm | undefined,
): void {
  out.scaffold('[AVAILABLE_TOOLS]');
  out.text(
    toolsInForm(tools, form, offered => jsonLine(offered.map(functionTool))),
    'tools',
  );
  out.scaffold('[/AVAILABLE_TOOLS]');
}

export const mistralV3 = createMistral({
  name: 'mistral-v3',
  parser: v3Parser,
  controlTokens,
  nativeTools: 'user',
  systemInUser: true,
  result(out, callId, content) {
    out.scaffold('[TOOL_RESULTS]{"content": ');
    out.text(content, 'tool');
    out.scaffold(', "call_id": "');
    out.text(callId, 'tool');
    out.scaffold('"}[/TOOL_RESULTS]');
  },
});

export const mistralV11 = createMistral({
  name: 'mistral-v11',
  parser: v11Parser,
  controlTokens: [...controlTokens, ...systemTokens, '[CALL_ID]', '[ARGS]', '[TOOL_CONTENT]'],
  nativeTools: 'user',
  result(out, callId, content) {
    out.scaffold('[TOOL_RESULTS]');
    out.text(callId, 'tool');
    out.scaffold('[TOOL_CONTENT]');
    out.text(content, 'tool');
    out.scaffold('[/TOOL_RESULTS]');
  },
});

export const mistral = createMistral({
  name: 'mistral',
  parser: mistralParser,
  controlTokens: [...controlTokens, ...systemTokens, '[ARGS]', '[THINK]', '[/THINK]'],
  nativeTools: 'system',
  thinks: true,
  result(out, _callId, content) {
    out.scaffold('[TOOL_RESULTS]');
    out.text(content, 'tool');
    out.scaffold('[/TOOL_RESULTS]');
  },
});
