/** The options of an AI SDK call as a turn, checked; and what of them has no effect here, as warnings. */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3ToolChoice,
  SharedV3Warning,
} from '@ai-sdk/provider';
import { z } from 'zod';
import type { JsonSchema, ToolDefinition } from '../../parsers/parser.ts';
import { checked } from '../server/openai/fields.ts';
import type { ToolChoice, TurnRequest } from '../server/turn-request.ts';
import { messagesOf } from './prompt.ts';

const settings = z.looseObject({
  maxOutputTokens: z.int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.int().min(0).optional(),
  seed: z.int().optional(),
  stopSequences: z.array(z.string().min(1)).optional(),
  providerOptions: z
    .looseObject({
      // What is misspelt here would be of no effect, and nobody would be told.
      rawcall: z
        .strictObject({
          thinking: z.boolean().optional(),
          parallelToolCalls: z.boolean().optional(),
          minP: z.number().min(0).max(1).optional(),
          repeatPenalty: z.number().positive().optional(),
        })
        .optional(),
    })
    .optional(),
});

export interface CallRequest {
  readonly turn: TurnRequest;
  readonly warnings: SharedV3Warning[];
}

/** @throws RawcallError `api_error` for a setting that is out of its range, `bad_messages` */
export function callRequest(options: LanguageModelV3CallOptions): CallRequest {
  const { maxOutputTokens, stopSequences, providerOptions, ...given } = checked(settings, options);
  const { thinking, parallelToolCalls, minP, repeatPenalty } = providerOptions?.rawcall ?? {};
  const { temperature, topP, topK, seed } = given;
  const tools = (options.tools ?? []).filter(tool => tool.type === 'function');
  const output = outputOf(options.responseFormat);
  return {
    warnings: warningsOf(options),
    turn: {
      conversation: { messages: messagesOf(options.prompt), tools: tools.map(definitionOf) },
      field: 'messages',
      choice: choiceOf(options.toolChoice),
      parallel: parallelToolCalls ?? true,
      sampling: present({ temperature, topP, topK, minP, repeatPenalty, seed }),
      stop: stopSequences ?? [],
      ...present({ output, maxTokens: maxOutputTokens, thinking }),
    },
  };
}

function warningsOf({ presencePenalty, frequencyPenalty, tools = [] }: LanguageModelV3CallOptions) {
  const warnings: SharedV3Warning[] = [];
  const unsupported = (feature: string, details: string) =>
    warnings.push({ type: 'unsupported', feature, details });
  const penalty = 'Use providerOptions.rawcall.repeatPenalty.';
  if (presencePenalty) unsupported('presencePenalty', penalty);
  if (frequencyPenalty) unsupported('frequencyPenalty', penalty);
  for (const tool of tools)
    if (tool.type === 'provider')
      unsupported(`provider-defined tool ${tool.id}`, 'No tools are run here: give functions of your own.');
  return warnings;
}

function definitionOf({ name, description, inputSchema }: LanguageModelV3FunctionTool): ToolDefinition {
  return { name, inputSchema: inputSchema as JsonSchema, ...present({ description }) };
}

function choiceOf(given: LanguageModelV3ToolChoice = { type: 'auto' }): ToolChoice {
  return given.type === 'tool' ? { mode: 'required', tools: [given.toolName] } : { mode: given.type };
}

function outputOf(format: LanguageModelV3CallOptions['responseFormat']): JsonSchema | undefined {
  if (format?.type !== 'json') return undefined;
  return (format.schema as JsonSchema | undefined) ?? { type: 'object' };
}

/** Without what is undefined. */
function present<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
