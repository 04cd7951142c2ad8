/** A model for the AI SDK: its calls are turns of a service, as a server's requests are, without a server between. */
import { randomUUID } from 'node:crypto';
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import { promptText } from '../../templates/prompt.ts';
import type { Engine } from '../engine/engine.ts';
import type { Format } from '../format.ts';
import { rawModel } from '../model/raw.ts';
import { turnBlocks } from '../server/blocks.ts';
import type { ServedEvent } from '../server/served-run.ts';
import { openService, type Service } from '../server/service.ts';
import { openNotes } from './notes.ts';
import { contentOf, failedFinish, finishOf, partWriter } from './parts.ts';
import { callRequest } from './request.ts';

export interface LanguageModelOptions {
  readonly engine: Engine;
  readonly format: Format;
  /** What the AI SDK calls the model. Default: the engine's name. */
  readonly id?: string;
}

/** A model over an engine that is open already, and that whoever opened it closes. */
export function languageModel({ engine, format, id = engine.name }: LanguageModelOptions): LanguageModelV3 {
  const service = openService({
    model: rawModel(engine, format),
    id,
    constrains: format.parser.grammar !== undefined,
  });
  return serviceModel(id, async () => service);
}

/** @param open is asked at each call */
export function serviceModel(modelId: string, open: () => Promise<Service>): LanguageModelV3 {
  /** Runs up to the turn's first event: what cannot be run is thrown before there is a stream. */
  async function begin(options: LanguageModelV3CallOptions, signal: AbortSignal) {
    signal.throwIfAborted();
    const { turn, warnings } = callRequest(options);
    const service = await open();
    signal.throwIfAborted();
    const events = service.turn(turn, signal, () => `call_${newId()}`);
    const first = await events.next();
    const notes = openNotes();
    const raw: ServedEvent[] = [];
    const told = noted(first, events, event => {
      notes.add(event);
      if (options.includeRawChunks) raw.push(event);
    });
    return {
      warnings,
      notes,
      /** The events since it was asked last, where somebody wants them. */
      takeRaw: () => raw.splice(0),
      blocks: turnBlocks(told, { reasoning: true, countTokens: service.countTokens }),
      request: { body: bodyOf(first) },
      response: { id: newId(), timestamp: new Date(), modelId },
    };
  }

  return {
    specificationVersion: 'v3',
    provider: 'rawcall',
    modelId,
    supportedUrls: {},

    async doGenerate(options) {
      const { abortSignal: signal = new AbortController().signal } = options;
      const { blocks, notes, warnings, request, response } = await begin(options, signal);
      const content: LanguageModelV3Content[] = [];
      let end = failedFinish;
      for await (const event of blocks) {
        signal.throwIfAborted();
        if (event.type === 'block-end') content.push(...contentOf(event.block));
        else if (event.type === 'turn-end') end = finishOf(event);
      }
      return { content, ...end, providerMetadata: notes.metadata, warnings, request, response };
    },

    async doStream(options) {
      const gone = new AbortController();
      const signal = AbortSignal.any([gone.signal, ...(options.abortSignal ? [options.abortSignal] : [])]);
      const call = await begin(options, signal);
      return { stream: streamOf(streamParts(call, signal), signal, gone), request: call.request };
    },
  };

  type Call = Awaited<ReturnType<typeof begin>>;

  async function* streamParts(call: Call, signal: AbortSignal): AsyncGenerator<LanguageModelV3StreamPart> {
    const { blocks, notes, takeRaw } = call;
    const partsOf = partWriter();
    yield { type: 'stream-start', warnings: call.warnings };
    yield { type: 'response-metadata', ...call.response };
    const ended = (end: ReturnType<typeof finishOf>): LanguageModelV3StreamPart => ({
      type: 'finish',
      ...end,
      providerMetadata: notes.metadata,
    });
    try {
      for await (const event of blocks) {
        signal.throwIfAborted();
        for (const rawValue of takeRaw()) yield { type: 'raw', rawValue };
        yield* partsOf(event);
        if (event.type === 'turn-end') yield ended(finishOf(event));
      }
    } catch (error) {
      if (signal.aborted) throw error;
      yield { type: 'error', error };
      yield ended(failedFinish);
    }
  }
}

type Turn = ReturnType<Service['turn']>;
type Step = Awaited<ReturnType<Turn['next']>>;

async function* noted(
  first: Step,
  turn: Turn,
  note: (event: ServedEvent) => void,
): AsyncGenerator<ServedEvent> {
  try {
    for (let step = first; !step.done; step = await turn.next()) {
      note(step.value);
      yield step.value;
    }
  } finally {
    await turn.return(undefined as never);
  }
}

/** The prompt as it goes to the model: there is no other request. */
function bodyOf({ done, value }: Step): string | undefined {
  return !done && value.type === 'turn-start' ? promptText(value.prompt) : undefined;
}

/** The turn runs ahead of its reader: one that is not read to its end would keep the engine from others. */
function streamOf(
  parts: AsyncGenerator<LanguageModelV3StreamPart>,
  signal: AbortSignal,
  gone: AbortController,
): ReadableStream<LanguageModelV3StreamPart> {
  return new ReadableStream<LanguageModelV3StreamPart>(
    {
      start(controller) {
        signal.addEventListener('abort', () => {
          controller.error(signal.reason);
          void parts.return(undefined);
        });
      },
      async pull(controller) {
        const { done, value } = await parts.next();
        if (signal.aborted) return;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => gone.abort(),
    },
    { highWaterMark: Number.POSITIVE_INFINITY },
  );
}

function newId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 24);
}
