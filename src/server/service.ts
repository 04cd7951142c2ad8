/** One model as a service: requests become turns, under the names that the client gave its tools. */
import { RawcallError } from '../../parsers/error.ts';
import type { ToolCall } from '../../parsers/parser.ts';
import type { Message, RenderOptions } from '../../templates/template.ts';
import type { Engine } from '../engine/engine.ts';
import type { Format } from '../format.ts';
import type { Constrain } from '../model/constrain.ts';
import type { Model, TurnPrompt } from '../model/model.ts';
import { badRequest, refuse } from './api-error.ts';
import { completionMemory } from './memory.ts';
import { asGiven, type ServedEvent } from './served-run.ts';
import { openOffer, type ServerTools } from './server-tools.ts';
import { toolLoop } from './tool-loop.ts';
import type { TurnRequest } from './turn-request.ts';

export interface ServiceOptions {
  readonly model: Model;
  /** What clients call the model. */
  readonly id: string;
  /** Whether calls can be held to a grammar: the format has one, and the engine takes it. */
  readonly constrains: boolean;
  readonly raw?: RawParts;
  /** Default: what clients bring is all there is. */
  readonly tools?: ServerTools;
  /** How prompts are rendered where a request does not say. */
  readonly render?: RenderOptions;
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
  readonly tools?: ServerTools;
  /**
   * The prompt of a turn, which may be rendered in another way than that turn would be.
   *
   * @throws RawcallError as `turn`, but for a prompt that is too long
   */
  prompt(request: TurnRequest, render?: RenderOptions): TurnPrompt;
  /**
   * A turn, or where tools run here as many as it takes until the client has to go on.
   *
   * @throws RawcallError for what cannot be run, before the first event
   */
  turn(request: TurnRequest, signal: AbortSignal, callId: () => string): AsyncGenerator<ServedEvent, void>;
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

export function openService({
  model,
  id,
  constrains,
  raw,
  tools: own,
  render: usual = {},
}: ServiceOptions): Service {
  const memory = completionMemory();

  /** What a request comes to: its prompt, and what holds the turn. */
  function prepare(request: TurnRequest, render: RenderOptions = {}) {
    const { choice, output, thinking } = request;
    const { messages: given, tools } = request.conversation;
    const offer = openOffer(tools, own, given);
    const only = choice.tools?.map(name => {
      if (!offer.has(name)) badRequest(`There is no tool "${name}" in "tools".`, 'tool_choice');
      return offer.toModel(name);
    });
    if (only?.length === 0) badRequest('No tool is allowed: name one, or choose "none".', 'tool_choice');
    const callable = choice.mode !== 'none' && offer.source.tools.length > 0;
    if (choice.mode === 'required' && !callable)
      badRequest('A call is required, and there are no tools.', 'tool_choice');
    if (!constrains && (choice.mode === 'required' || only || output))
      badRequest(
        'This model cannot be held to calls or to a schema: its format has no grammar.',
        'tool_choice',
      );
    const asked = renamed(given, offer.toModel);
    const conversation = {
      messages: memory.recall(asked),
      // Tools that may not be called are not shown: what a small model sees it calls.
      tools: callable ? offer.source.tools : [],
    };
    const rendered: RenderOptions = {
      ...usual,
      // An output begins with its first token, and leaves no room for a thought.
      ...(output !== undefined ? { thinking: false } : thinking === undefined ? {} : { thinking }),
      ...render,
    };
    const prompt = model.render(conversation, rendered);
    return { offer, only, callable, asked, conversation, render: rendered, prompt };
  }

  async function* turn(
    request: TurnRequest,
    signal: AbortSignal,
    callId: () => string,
  ): AsyncGenerator<ServedEvent, void> {
    const prepared = prepare(request);
    const { offer, only, callable, asked, prompt } = prepared;
    const { size } = prompt;
    if (size && model.contextSize !== undefined && size.tokens >= model.contextSize)
      throw new RawcallError(
        'prompt_too_long',
        `The prompt has ${size.tokens} tokens and the context holds ${model.contextSize}. Send less.`,
        { promptTokens: size.tokens, contextSize: model.contextSize, field: request.field },
      );
    const constrain =
      !constrains || !callable ? 'off' : request.choice.mode === 'required' ? 'required' : 'calls';
    const turnOptions = (held: Constrain, isFirst: boolean) => ({
      ...heldTo(request, held, request.choice.mode !== 'required' || isFirst ? only : undefined),
      callId,
    });
    if (own && callable && offer.loops) {
      const { conversation, render } = prepared;
      const { seen, behind } = yield* toolLoop({
        ...{ model, tools: own, offer, request, messages: conversation.messages, render, constrain, signal },
        turnOptions,
      });
      const calls = seen.calls.length > 0 ? { toolCalls: seen.calls } : {};
      return memory.keep(asked, { role: 'assistant', content: seen.content, ...calls }, behind);
    }
    const events = model.turn(prompt, {
      ...turnOptions(constrain, true),
      ...(request.maxTokens === undefined ? {} : { maxTokens: request.maxTokens }),
      purpose: 'decision',
      constrain,
      signal,
    });
    try {
      for (;;) {
        const step = await events.next();
        if (!step.done) yield asGiven(step.value, offer.toClient);
        else return memory.keep(asked, step.value.message);
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
    ...(own ? { tools: own } : {}),
    prompt: (request, render) => prepare(request, render).prompt,
    turn,
    countTokens: text => model.countTokens?.(text),
    countPrompt: request => prepare(request).prompt.size?.tokens,
  };
}

/** What a turn of a request is held to. */
function heldTo(
  { output, parallel, sampling, stop, logprobs }: TurnRequest,
  constrain: Constrain,
  only: readonly string[] | undefined,
) {
  return {
    sampling,
    parallel,
    stop,
    ...(only ? { only } : {}),
    ...(output === undefined || constrain === 'required' ? {} : { output }),
    ...(logprobs === undefined ? {} : { logprobs }),
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
