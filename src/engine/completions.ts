/**
 * An engine over `/v1/completions` of a server elsewhere: the prompt is ours, as token ids where the server has a tokenizer to
 * ask, else as text.
 */
import { RawcallError } from '../../parsers/error.ts';
import type { Piece, StopReason } from '../../parsers/parser.ts';
import type { Prompt } from '../../templates/template.ts';
import type { JsonRecord } from './endpoint/client.ts';
import { controlReader } from './endpoint/control-reader.ts';
import { controlWordFinder } from './endpoint/control-words.ts';
import type { ServerKind } from './endpoint/endpoint-info.ts';
import { flatPrompt, type UntrustedPolicy } from './endpoint/flat-prompt.ts';
import { samplingFields } from './endpoint/sampling.ts';
import { openTokenizer } from './endpoint/tokenizer.ts';
import { usageOf } from './endpoint/usage.ts';
import type { Endpoint } from './endpoint.ts';
import type { Engine, GenerateOptions, Generation, Usage } from './engine.ts';
import { textStops } from './llama/stops.ts';

export interface CompletionsOptions {
  /** Those of the format that the model is driven in. */
  readonly controlTokens: readonly string[];
  /** Further words that text must not spell, such as those of all formats. */
  readonly foreignTokens?: readonly string[];
  /** Default: what the server says, if it does. */
  readonly contextSize?: number;
  /** What becomes of a control word in a text, where the server takes no token ids. Default `break`. */
  readonly untrusted?: UntrustedPolicy;
  readonly onNotice?: (notice: string) => void;
}

/** OpenAI's API takes no more. Further ones are found here, and the request is closed. */
const mostStops = 4;

/** @throws RawcallError `endpoint_failed` */
export async function completionsEngine(
  { client, info }: Endpoint,
  { controlTokens, foreignTokens = [], untrusted = 'break', onNotice, ...options }: CompletionsOptions,
): Promise<Engine & { readonly takesTokens: boolean }> {
  const find = controlWordFinder([...controlTokens, ...foreignTokens]);
  const tokenizer = await openTokenizer(client, info, { controlTokens, find });
  const contextSize = options.contextSize ?? info.contextSize;
  const markers: ReadonlyMap<string, number | undefined> =
    tokenizer?.markers ?? new Map(controlTokens.map(word => [word, undefined]));
  const closing = new AbortController();
  const told = new Set<string>();

  function onBroken(origin: string, word: string): void {
    if (told.has(`${origin} ${word}`)) return;
    told.add(`${origin} ${word}`);
    onNotice?.(
      `A text of the ${origin} holds the control word ${word}. ${client.url} takes no token ids, so a zero-width joiner was put into it.`,
    );
  }

  function promptField(prompt: Prompt, signal: AbortSignal): Promise<readonly number[]> | string {
    return tokenizer
      ? tokenizer.ids(prompt, signal)
      : flatPrompt(prompt, { policy: untrusted, find, onBroken });
  }

  /** What a generation may write where nothing else is said: a server's own default may be 16 tokens. */
  function room(prompt: readonly number[] | string): number | undefined {
    if (contextSize === undefined || typeof prompt === 'string') return undefined;
    if (prompt.length < contextSize) return contextSize - prompt.length;
    throw new RawcallError(
      'prompt_too_long',
      `The prompt has ${prompt.length} tokens, and the context of ${client.url} holds ${contextSize}. Shorten it, or start the server with a larger context.`,
      { promptTokens: prompt.length, contextSize },
    );
  }

  function generate(prompt: Prompt, given: GenerateOptions = {}): Generation {
    const { stops = [], lane = '' } = given;
    const signal = AbortSignal.any([closing.signal, ...(given.signal ? [given.signal] : [])]);
    let usage: Usage = { prompt: 0, reused: 0, evaluated: 0, generated: 0 };
    let reason: StopReason | undefined;

    async function* run(): AsyncGenerator<Piece, void> {
      if (closing.signal.aborted)
        throw new RawcallError('engine_closed', `The engine of ${client.url} is closed. Open another one.`);
      let ended: StopReason = 'aborted';
      try {
        const field = await promptField(prompt, signal);
        if (typeof field !== 'string') usage = { ...usage, prompt: field.length, evaluated: field.length };
        const left = room(field);
        const maxTokens = given.maxTokens ?? left;
        const body = {
          model: info.model,
          prompt: field,
          stream: true,
          stream_options: { include_usage: true },
          ...samplingFields(info.kind, given.sampling),
          ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
          ...(stops.length === 0 ? {} : { stop: stops.slice(0, mostStops) }),
          ...serverFields(info.kind, [...markers.keys()]),
          ...(given.grammar === undefined ? {} : grammarField(info.kind, given.grammar, client.url)),
        };
        const reader = controlReader(markers);
        const stopper = textStops(stops);
        let finish: string | undefined;
        for await (const chunk of client.stream('v1/completions', body, { lane, signal })) {
          const { text, ids, finished } = choiceOf(chunk);
          usage = usageOf(chunk.usage, { ...usage, generated: usage.generated + (text === '' ? 0 : 1) });
          finish ??= finished;
          const { pieces, stopped } = stopper.push(reader.push(text, ids));
          yield* pieces;
          if (!stopped) continue;
          ended = 'stop';
          return;
        }
        if (finish === undefined)
          throw client.failed('the answer ended before it was finished', { reason: 'cut' });
        yield* stopper.push(reader.end()).pieces;
        yield* stopper.end();
        // Which stop it was, a server may not tell; that there was one is a piece all the same.
        if (finish !== 'length') yield { text: reader.unshown ?? '', control: true };
        ended = finish === 'length' ? 'length' : 'stop';
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        reason = ended;
      }
    }

    return {
      [Symbol.asyncIterator]: run,
      get usage() {
        return usage;
      },
      get reason() {
        return reason;
      },
    };
  }

  return {
    name: info.model,
    ...(contextSize === undefined ? {} : { contextSize }),
    controlTokens: new Set(markers.keys()),
    takesTokens: tokenizer !== undefined,
    generate,
    async close() {
      closing.abort();
    },
  };
}

/** So that control tokens show in the text, and their ids with them. */
function serverFields(kind: ServerKind, words: readonly string[]): JsonRecord {
  const shown = { skip_special_tokens: false, spaces_between_special_tokens: false };
  if (kind === 'llama-server') return { preserved_tokens: words, logprobs: 1 };
  // `rawcall serve` reads no control word in a text unless it is told to.
  if (kind === 'rawcall') return { x_rawcall: { special: true } };
  if (kind === 'vllm') return { ...shown, return_token_ids: true };
  return kind === 'sglang' ? shown : {};
}

function grammarField(kind: ServerKind, grammar: string, endpoint: string): JsonRecord {
  if (kind === 'llama-server') return { grammar };
  if (kind === 'vllm') return { structured_outputs: { grammar } };
  if (kind === 'sglang') return { ebnf: grammar };
  if (kind === 'rawcall') return { x_rawcall: { special: true, grammar } };
  throw new RawcallError(
    'bad_grammar',
    `${endpoint} is not known to take a grammar, so calls and outputs can't be held to one there: leave --constrain out, or use --api chat.`,
    { endpoint },
  );
}

interface Choice {
  readonly text?: unknown;
  readonly finish_reason?: unknown;
  /** vLLM's. */
  readonly token_ids?: unknown;
  /** llama-server's have ids. */
  readonly logprobs?: { readonly content?: readonly { readonly id?: unknown }[] } | null;
}

function choiceOf({ choices }: JsonRecord) {
  const choice: Choice = (Array.isArray(choices) ? (choices[0] as Choice) : undefined) ?? {};
  const { text, finish_reason, token_ids, logprobs } = choice;
  const ids = Array.isArray(token_ids) ? token_ids : logprobs?.content?.map(({ id }) => id);
  const finished = typeof finish_reason === 'string' ? finish_reason : undefined;
  return {
    text: typeof text === 'string' ? text : '',
    ...(ids?.every(Number.isInteger) ? { ids: ids as number[] } : { ids: undefined }),
    finished,
  };
}
