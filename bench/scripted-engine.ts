/**
 * An engine that takes as long as the model takes to write, and whose completions are written in advance. Two ways:
 *
 * - `biased`: each token is sampled, with a bias that leaves the model no choice. The words stay in the KV cache.
 * - `free`: the model writes as many tokens as the words have, whatever they are; then the words stand in for them. The next
 *   prompt evaluates them, because the KV cache holds something else: what a server does that is told the dialogue anew.
 */
import type { Token } from 'node-llama-cpp';
import type { Piece } from '../parsers/parser.ts';
import type { Engine, Generation, Steer, Usage } from '../src/engine/engine.ts';
import { openContext } from '../src/engine/llama/context.ts';
import { openFew } from '../src/engine/llama/few.ts';
import { generate, type Machine } from '../src/engine/llama/generate.ts';
import { openGrammars } from '../src/engine/llama/grammar.ts';
import { openLanes } from '../src/engine/llama/lanes.ts';
import { loadModel } from '../src/engine/llama/model.ts';
import { openNative } from '../src/engine/llama/native.ts';
import { openQueue } from '../src/engine/llama/queue.ts';
import { openStates, type States } from '../src/engine/llama/states.ts';
import { pieceIds, promptEncoder, promptTokens } from '../src/engine/llama/tokenise.ts';
import { readVocabulary } from '../src/engine/llama/vocabulary.ts';

export interface ScriptedEngine extends Engine {
  /** Of each completion. */
  readonly usages: readonly Usage[];
  /** How many tokens each completion has. */
  readonly lengths: readonly number[];
}

export interface ScriptedOptions {
  readonly model: string;
  readonly contextSize: number;
  readonly threads?: number;
  readonly how: 'biased' | 'free';
  readonly completions: readonly (readonly Piece[])[];
  /** Where what prompts begin with is kept, evaluated, for the next engine. Default: it is not. */
  readonly stateFolder?: string;
}

export async function scriptedEngine(options: ScriptedOptions): Promise<ScriptedEngine> {
  const { contextSize, threads, how, completions, stateFolder } = options;
  const native = await openNative('off');
  const model = await loadModel(native, { model: options.model });
  const open = () =>
    openContext(native, model, { contextSize, ...(threads === undefined ? {} : { threads }) });
  const own = readVocabulary(model);
  // A model that is free to write ends its turn where it likes, and the words have their length.
  const vocabulary = { ...own, endsGeneration: () => false };
  const encode = promptEncoder(vocabulary);
  const bias = native.library.TokenBias.for(model);
  const compile = openGrammars({ native, model, vocabulary });
  const closing = new AbortController().signal;
  const machine: Machine = {
    // A grammar's own bias bans control words, and would stand in the way of this one.
    compile: async grammar => ({ ...(await compile(grammar)), tokenBias: bias }),
    few: openFew(vocabulary),
    noBias: bias,
    vocabulary,
    encode,
    lanes: openLanes({ context: await open(), open, most: 1 }),
    states: stateFolder === undefined ? undefined : statesIn(stateFolder, closing),
    queue: openQueue(),
    contextSize,
    batchSize: 512,
    closing,
  };
  const generations: Generation[] = [];
  const scripts = completions.map(pieces => pieceIds(pieces, vocabulary));
  let next = 0;
  let dictated: Token | undefined;

  /** Makes the sampler take the next id of a script each time; what a grammar forces is appended as it always is. */
  function dictate(ids: readonly number[], steer: Steer | undefined): Steer {
    let at = 0;
    return pieces => {
      at += pieces.reduce((sum, { tokens = [] }) => sum + tokens.length, 0);
      if (dictated !== undefined) bias.set(dictated, { logit: 0 });
      dictated = ids[at] as Token | undefined;
      if (dictated !== undefined) bias.set(dictated, { logit: 1000 });
      return steer?.(pieces);
    };
  }

  return {
    name: 'scripted',
    contextSize,
    controlTokens: vocabulary.controlTokens,
    get usages() {
      return generations.map(({ usage }) => usage);
    },
    lengths: scripts.map(ids => ids.length),
    tokenize: prompt => promptTokens(prompt, vocabulary),
    countTokens: prompt => encode(prompt).length,
    generate(prompt, { stops: _, ...asked } = {}) {
      const [words, ids] = [completions[next], scripts[next]];
      next++;
      if (!words || !ids) throw new Error('The dialogue has more turns than completions.');
      const steer = how === 'biased' ? { steer: dictate(ids, asked.steer) } : {};
      const generation = generate(machine, prompt, { ...asked, ...steer, maxTokens: ids.length });
      generations.push(generation);
      return {
        [Symbol.asyncIterator]: () => written(generation, ids, how === 'biased' ? undefined : words),
        get usage() {
          return generation.usage;
        },
        // The words are whole, and none of them is a stop.
        reason: 'length',
      };
    },
    async close() {
      await machine.lanes.close();
      await model.dispose();
    },
  };
}

function statesIn(folder: string, closing: AbortSignal): States {
  const fail = (message: string): never => {
    throw new Error(message);
  };
  // Of one model and one way of opening it.
  const own = { name: 'scripted', identity: '' };
  return openStates({ folder, limit: Number.POSITIVE_INFINITY, onNotice: fail, closing, ...own });
}

/** @param words what stands in for what the model wrote; absent: the model was made to write these very ids */
async function* written(
  generation: Generation,
  ids: readonly number[],
  words: readonly Piece[] | undefined,
): AsyncGenerator<Piece, void> {
  const own: number[] = [];
  for await (const piece of generation) {
    own.push(...(piece.tokens ?? []));
    if (!words) yield piece;
  }
  if (own.length !== ids.length || (!words && own.some((id, at) => id !== ids[at])))
    throw new Error(`The model wrote ${own.join()} and not ${ids.join()}.`);
  if (words) yield* words;
}
