/**
 * Texts that somebody else asks our model for: MCP servers, whose messages are untrusted. No tools are offered, so that a text
 * never starts calls of its own, and what is asked stays within limits.
 */
import { RawcallError } from '../../parsers/error.ts';
import type { Message, RenderOptions } from '../../templates/template.ts';
import type { Sampling } from '../engine/engine.ts';
import type { SamplingAnswer, SamplingRequest } from '../mcp/features.ts';
import type { Model } from '../model/model.ts';
import type { ApprovalAnswer } from './approval.ts';

export interface SamplerOptions {
  readonly model: Model;
  readonly approve: (request: SamplingRequest) => Promise<ApprovalAnswer>;
  readonly render?: Omit<RenderOptions, 'schema' | 'generationPrompt'>;
  readonly sampling?: Sampling;
  /** Of a text, whatever the server asks for. Default 1024. */
  readonly maxTokens?: number;
  /** The run in which a server may ask. Default: none, and every request is refused. */
  readonly run: () => AbortSignal | undefined;
}

export type Sampler = (request: SamplingRequest, signal: AbortSignal) => Promise<SamplingAnswer>;

/** Texts that one server gets in a run. */
const maxTexts = 16;

export function createSampler(options: SamplerOptions): Sampler {
  const { model, approve, render, sampling, maxTokens = 1024, run } = options;
  const busy = new Set<string>();
  const counts = new WeakMap<AbortSignal, Map<string, number>>();

  function refuse(why: string): never {
    throw new RawcallError('sampling_refused', `The model was not asked: ${why}.`, { reason: why });
  }

  /** A server asks again only when it was answered: texts that are made of texts would have no end. */
  function enter(server: string): Disposable & { readonly run: AbortSignal } {
    const current = run() ?? refuse('no question is being answered');
    const count = counts.get(current) ?? new Map<string, number>();
    counts.set(current, count);
    const earlier = count.get(server) ?? 0;
    if (busy.has(server)) refuse('an earlier request of this server is not answered yet');
    if (earlier >= maxTexts) refuse(`this server had ${maxTexts} texts for this question`);
    count.set(server, earlier + 1);
    busy.add(server);
    return { run: current, [Symbol.dispose]: () => busy.delete(server) };
  }

  return async (request, signal) => {
    using entered = enter(request.server);
    const within = { ...request, maxTokens: tokensFor(request) };
    const { allowed, reason } = await approve(within);
    if (!allowed) refuse(reason ?? 'the user did not allow it');
    return write(within, AbortSignal.any([signal, entered.run]));
  };

  function tokensFor({ maxTokens: asked }: SamplingRequest): number {
    return Number.isFinite(asked) && asked >= 1 ? Math.min(Math.floor(asked), maxTokens) : maxTokens;
  }

  async function write(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer> {
    const { server, system, messages, temperature, stopSequences = [] } = request;
    const opening: Message[] = system === undefined ? [] : [{ role: 'system', content: system }];
    const prompt = model.render({ messages: [...opening, ...messages], tools: [] }, render);
    const room = (model.contextSize ?? Number.POSITIVE_INFINITY) - (prompt.size?.tokens ?? 0);
    if (room < 1)
      refuse(`its messages are ${prompt.size?.tokens} tokens, and the context holds ${model.contextSize}`);
    const turn = model.turn(prompt, {
      purpose: 'answer',
      maxTokens: Math.min(request.maxTokens, room),
      lane: `sampling/${server}`,
      sampling: { ...sampling, ...(temperature === undefined ? {} : { temperature }) },
      ...(stopSequences.length === 0 ? {} : { stop: stopSequences }),
      signal,
    });
    let endedItself = false;
    for (;;) {
      const step = await turn.next();
      if (!step.done) {
        const event = step.value;
        if (event.type === 'completion-end') endedItself = event.pieces.at(-1)?.control === true;
        continue;
      }
      signal.throwIfAborted();
      const { message, reason } = step.value;
      if (message.content === '') throw new RawcallError('sampling_refused', 'The model wrote no text.');
      const stopped = endedItself || stopSequences.length === 0 ? 'endTurn' : 'stopSequence';
      return {
        model: model.name,
        text: message.content,
        stopReason: reason === 'length' ? 'maxTokens' : stopped,
      };
    }
  }
}
