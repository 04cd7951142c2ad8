/**
 * A prompt as token ids, by the tokenizer of the server that evaluates it, such that no text becomes a control token.
 *
 * llama-server leaves control tokens alone when it is told to, but not the added ones (`<tool_call>`); vLLM and SGLang know no
 * such switch. So a text is cut inside each control word, and its parts are tokenised apart.
 */
import { RawcallError } from '../../../parsers/error.ts';
import type { Prompt } from '../../../templates/template.ts';
import type { Client } from './client.ts';
import { cutInside, type FindControlWords } from './control-words.ts';
import { type EndpointInfo, unlessMissing } from './endpoint-info.ts';

export interface Tokenizer {
  /** The words of the format that are single tokens here, and their ids. */
  readonly markers: ReadonlyMap<string, number>;
  ids(prompt: Prompt, signal?: AbortSignal): Promise<readonly number[]>;
}

export interface TokenizerOptions {
  /** The format's. */
  readonly controlTokens: readonly string[];
  readonly find: FindControlWords;
}

type Ids = readonly number[];
type Encode = (text: string, how: 'special' | 'plain' | 'begin', signal?: AbortSignal) => Promise<Ids>;

/** A dialogue says the same texts at every turn. */
const mostKept = 4096;
const mostAtOnce = 8;

/** Nothing where the server has no tokenizer to ask. */
export async function openTokenizer(
  client: Client,
  info: EndpointInfo,
  { controlTokens, find }: TokenizerOptions,
): Promise<Tokenizer | undefined> {
  if (info.kind === 'other' || info.kind === 'rawcall') return undefined;
  const encode = encoder(client, info);
  const begin = await unlessMissing(encode('', 'begin'));
  if (!begin) return undefined;
  // Some vocabularies end every text with a token too.
  const bos = begin[0];
  const found = await inTurn(
    [...new Set(controlTokens)],
    async word => [word, await encode(word, 'special')] as const,
  );
  const markers = new Map(found.flatMap(([word, ids]) => (ids.length === 1 ? [[word, ids[0]!]] : [])));
  const markerIds = new Set(markers.values());
  const kept = new Map<string, Ids>();

  async function textIds(text: string, signal?: AbortSignal): Promise<Ids> {
    const parts = cutInside(text, find(text)).filter(part => part !== '');
    return (await inTurn(parts, part => partIds(part, signal))).flat();
  }

  async function partIds(part: string, signal?: AbortSignal): Promise<Ids> {
    const known = kept.get(part);
    if (known) return known;
    const ids = await encode(part, 'plain', signal);
    if (!ids.some(id => markerIds.has(id))) {
      if (kept.size >= mostKept) kept.clear();
      kept.set(part, ids);
      return ids;
    }
    throw new RawcallError(
      'forged_control_token',
      `The text ${JSON.stringify(part.slice(0, 80))} can't be written in the vocabulary of ${client.url} without one of its control tokens. Take it out, or use another model.`,
      { text: part },
    );
  }

  return {
    markers,
    async ids(prompt, signal) {
      const runs: (number | string)[] = [];
      for (const piece of prompt) {
        const id = 'control' in piece ? markers.get(piece.control) : undefined;
        const text = 'control' in piece ? piece.control : piece.text;
        const last = runs.at(-1);
        if (id !== undefined) runs.push(id);
        // Neighbours are one text, as the model was trained on it.
        else if (typeof last === 'string') runs[runs.length - 1] = last + text;
        else runs.push(text);
      }
      const ids = await inTurn(runs, run => (typeof run === 'number' ? [run] : textIds(run, signal)));
      const all = ids.flat();
      return bos === undefined || all[0] === bos ? all : [bos, ...all];
    },
  };
}

/** A few at a time: a resumed dialogue has hundreds of texts, and a server few threads. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  each: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += mostAtOnce)
    results.push(...(await Promise.all(items.slice(at, at + mostAtOnce).map(each))));
  return results;
}

function encoder(client: Client, { kind, model }: EndpointInfo): Encode {
  return async (text, how, signal) => {
    const body =
      kind === 'llama-server'
        ? { content: text, add_special: how === 'begin', parse_special: how === 'special' }
        : { model, prompt: text, add_special_tokens: how === 'begin' };
    const answer = (await client.json('/tokenize', body, signal ? { signal } : {})) as { tokens?: unknown };
    const { tokens } = answer;
    if (Array.isArray(tokens) && tokens.every(Number.isInteger)) return tokens as number[];
    throw client.failed('its /tokenize gave no token ids', { reason: 'garbage' });
  };
}
