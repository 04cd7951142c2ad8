/** One model as a service: requests become turns, under the names that the client gave its tools. */
import { RawcallError } from '../../parsers/error.ts';
import type { ParseEvent, ToolCall } from '../../parsers/parser.ts';
import type { Conversation, Message, RenderOptions } from '../../templates/template.ts';
import type { Engine } from '../engine/engine.ts';
import type { Format } from '../format.ts';
import { openNames } from '../mcp/names.ts';
import type { Model, TurnEvent, TurnPrompt, TurnResult } from '../model/model.ts';
import { badRequest, refuse } from './api-error.ts';
import { completionMemory } from './memory.ts';
import type { TurnRequest } from './turn-request.ts';

export interface ServiceOptions {
  readonly model: Model;
  /** What clients call the model. */
  readonly id: string;
  /** Whether calls can be held to a grammar: the format has one, and the engine takes it. */
  readonly constrains: boolean;
  readonly raw?: RawParts;
}

/** What takes prompts of a client's own; absent where the model is driven by somebody else's. */
export interface RawParts {
  readonly engine: Engine;
  readonly format: Format;
}

export interface Service {
  readonly id: string;
  readonly contextSize?: number;
  readonly raw?: RawParts;
  /**
   * The prompt of a turn, which may be rendered in another way than that turn would be.
   *
   * @throws RawcallError as `turn`, but for a prompt that is too long
   */
  prompt(request: TurnRequest, render?: RenderOptions): TurnPrompt;
  /** @throws RawcallError for what cannot be run, before the first event */
  turn(
    request: TurnRequest,
    signal: AbortSignal,
    callId: () => string,
  ): AsyncGenerator<TurnEvent, TurnResult>;
  countTokens(text: string): number | undefined;
  /**
   * How many tokens the prompt of a turn is, where the model has a tokenizer. Nothing is evaluated.
   *
   * @throws RawcallError as `turn`, but for a prompt that is too long
   */
  countPrompt(request: TurnRequest): number | undefined;
}

/** @throws RawcallError `api_error` (501) */
export function rawParts({ raw }: Service): RawParts {
  return (
    raw ??
    refuse({
      status: 501,
      type: 'invalid_request_error',
      code: 'no_raw_prompts',
      message: 'The model behind this server takes no prompts of your own. Use /v1/chat/completions.',
    })
  );
}

export function openService({ model, id, constrains, raw }: ServiceOptions): Service {
  const memory = completionMemory();

  /** What a request comes to: its prompt, and what holds the turn. */
  function prepare(request: TurnRequest, render: RenderOptions = {}) {
    const names = safeNames(request.conversation);
    const { choice, output, thinking } = request;
    const only = choice.tools?.map(name => {
      if (!request.conversation.tools.some(tool => tool.name === name))
        badRequest(`There is no tool "${name}" in "tools".`, 'tool_choice');
      return names.toModel(name);
    });
    const callable = choice.mode !== 'none' && request.conversation.tools.length > 0;
    if (choice.mode === 'required' && !callable)
      badRequest('A call is required, and there are no tools.', 'tool_choice');
    if (!constrains && (choice.mode === 'required' || only || output))
      badRequest(
        'This model cannot be held to calls or to a schema: its format has no grammar.',
        'tool_choice',
      );
    const conversation = {
      messages: memory.recall(renamed(request.conversation.messages, names.toModel)),
      // Tools that may not be called are not shown: what a small model sees it calls.
      tools: callable
        ? request.conversation.tools.map(tool => ({ ...tool, name: names.toModel(tool.name) }))
        : [],
    };
    const prompt = model.render(conversation, {
      // An output begins with its first token, and leaves no room for a thought.
      ...(output !== undefined ? { thinking: false } : thinking === undefined ? {} : { thinking }),
      ...render,
    });
    return { names, only, callable, conversation, prompt };
  }

  async function* turn(
    request: TurnRequest,
    signal: AbortSignal,
    callId: () => string,
  ): AsyncGenerator<TurnEvent, TurnResult> {
    const { names, only, callable, conversation, prompt } = prepare(request);
    const { choice, output, parallel, sampling, maxTokens, stop, logprobs } = request;
    const { size } = prompt;
    if (size && model.contextSize !== undefined && size.tokens >= model.contextSize)
      throw new RawcallError(
        'prompt_too_long',
        `The prompt has ${size.tokens} tokens and the context holds ${model.contextSize}. Send less.`,
        { promptTokens: size.tokens, contextSize: model.contextSize, field: request.field },
      );
    const events = model.turn(prompt, {
      purpose: 'decision',
      sampling,
      signal,
      callId,
      parallel,
      stop,
      ...(constrains && callable ? { constrain: choice.mode === 'required' ? 'required' : 'calls' } : {}),
      ...(only ? { only } : {}),
      ...(output === undefined || choice.mode === 'required' ? {} : { output }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(logprobs === undefined ? {} : { logprobs }),
    });
    try {
      for (;;) {
        const step = await events.next();
        if (!step.done) {
          yield asGiven(step.value, names.toClient);
          continue;
        }
        const { message } = step.value;
        memory.keep(conversation.messages, message);
        return { ...step.value, message: { ...message, ...namedCalls(message.toolCalls, names.toClient) } };
      }
    } finally {
      // Where nobody wants the rest, the generation ends with it and leaves the engine to others.
      await events.return(undefined as never);
    }
  }

  return {
    id,
    ...(model.contextSize === undefined ? {} : { contextSize: model.contextSize }),
    ...(raw ? { raw } : {}),
    prompt: (request, render) => prepare(request, render).prompt,
    turn,
    countTokens: text => model.countTokens?.(text),
    countPrompt: request => prepare(request).prompt.size?.tokens,
  };
}

interface NameMap {
  toModel(name: string): string;
  toClient(name: string): string;
}

/** Clients name tools as they like; a format can write only some names. */
function safeNames({ tools }: Conversation): NameMap {
  const names = openNames();
  const given = names.give(tools.map(({ name }) => ({ server: '', tool: name })));
  const toModel = new Map(tools.map(({ name }, index) => [name, given[index]!]));
  return {
    // A call in the history may be of a tool that is no longer there.
    toModel: name => toModel.get(name) ?? name,
    toClient: name => names.owner(name)?.tool ?? name,
  };
}

function renamed(messages: readonly Message[], rename: (name: string) => string): Message[] {
  return messages.map(message => {
    if (message.role === 'tool') return { ...message, name: rename(message.name) };
    if (message.role === 'assistant') return { ...message, ...namedCalls(message.toolCalls, rename) };
    return message;
  });
}

function namedCalls(
  calls: readonly ToolCall[] | undefined,
  rename: (name: string) => string,
): { readonly toolCalls?: readonly ToolCall[] } {
  return calls === undefined ? {} : { toolCalls: calls.map(call => ({ ...call, name: rename(call.name) })) };
}

function asGiven<Event extends TurnEvent>(event: Event, rename: (name: string) => string): TurnEvent {
  const told = event as ParseEvent;
  if (told.type === 'call-start') return { ...told, name: rename(told.name) };
  if (told.type === 'call-end') return { ...told, call: { ...told.call, name: rename(told.call.name) } };
  if (told.type === 'call-failed' && told.name !== undefined) return { ...told, name: rename(told.name) };
  return event;
}
