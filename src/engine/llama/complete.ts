/** Token after token, until something ends the completion. */
import { RawcallError } from '../../../parsers/error.ts';
import type { Piece, StopReason } from '../../../parsers/parser.ts';
import type { GeneratedLogprob, GeneratedPiece, GenerateOptions } from '../engine.ts';
import type { Constraint } from './constraint.ts';
import { settledIds } from './forced.ts';
import { openSampling, type Sampled } from './internals.ts';
import type { Lane } from './lanes.ts';
import { logprobKeeper, logprobOf } from './logprobs.ts';
import { pieceMaker } from './pieces.ts';
import { nativeSampling } from './sampling.ts';
import { textStops } from './stops.ts';
import { pieceIds } from './tokenise.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Completing {
  readonly vocabulary: Vocabulary;
  readonly lane: Lane;
  readonly constraint: Constraint;
  readonly options: GenerateOptions;
  readonly signal: AbortSignal;
  readonly usage: { evaluated: number; generated: number; passes: number };
}

/** @param rest the end of the prompt, not yet evaluated */
export async function* complete(
  { vocabulary, lane, constraint, options, signal, usage }: Completing,
  rest: readonly number[],
): AsyncGenerator<GeneratedPiece, StopReason> {
  const { cache, sequence, priority, member } = lane;
  const { maxTokens = Number.POSITIVE_INFINITY, stops = [], steer, logprobs: top } = options;
  if (maxTokens <= 0) return 'length';
  const pieces = pieceMaker(vocabulary);
  const logprobs = logprobKeeper();
  const stopIds = new Set(stops.map(vocabulary.markerId));
  const written = textStops(stops.filter(stop => vocabulary.markerId(stop) === undefined));
  /** What came since `steer` was asked. */
  let news: Piece[] = [];
  /** What the next pass evaluates. */
  let pending = [...rest];
  const sampling = openSampling(
    sequence,
    {
      ...nativeSampling(options.sampling ?? {}, cache.last),
      tokenBias: constraint.tokenBias,
      evaluationPriority: priority,
      contextShift: { strategy: refuseShift },
    },
    constraint.held,
  );

  try {
    for (;;) {
      if (signal.aborted) return yield* finish('aborted');
      const forced = await steered();
      const room = Math.min(maxTokens - usage.generated, cache.free() - pending.length);
      for (const id of forced.slice(0, Math.max(0, room))) {
        pending.push(id);
        if (yield* write(id)) return 'stop';
      }
      if (forced.length > room || usage.generated >= maxTokens) return yield* finish('length');
      if (forced.length > 0) continue;

      const { id, probabilities } = await pass();
      pending = [id];
      constraint.settle();
      const logprob =
        top === undefined || !probabilities ? undefined : logprobOf({ id, probabilities }, top, vocabulary);
      if (yield* write(id, logprob)) return 'stop';
    }
  } finally {
    sampling.close();
  }

  /** The ids that come next without being sampled. */
  async function steered(): Promise<readonly number[]> {
    // Where a character is not complete, nothing can change.
    if (!steer || (news.length === 0 && usage.generated > 0)) return [];
    const steering = steer(news);
    news = [];
    if (steering === 'free') constraint.lift();
    if (steering === undefined || steering === 'free') return [];
    const { grammar, begun = [], forced = [] } = steering;
    if (grammar !== undefined) await constraint.hold(grammar, pieceIds(begun, vocabulary));
    // What was not sampled has no probability; the grammar sees to it that it comes all the same.
    if (constraint.holds && top !== undefined) return [];
    // What a grammar demands comes in any case, and is better left to the model than written in odd tokens.
    const ids = constraint.holds ? settledIds(forced, vocabulary) : pieceIds(forced, vocabulary);
    return ids.slice(0, constraint.follow(ids));
  }

  async function pass(): Promise<Sampled> {
    const sampled = await member.step(() => sampling.next(pending, top !== undefined));
    for (const id of pending) cache.note(id);
    if (usage.passes++ === 0) usage.evaluated += rest.length;
    return sampled;
  }

  /** Gives whether the id ended the completion. */
  function* write(id: number, logprob?: GeneratedLogprob): Generator<GeneratedPiece, boolean> {
    usage.generated++;
    if (top !== undefined) logprobs.add(logprob);
    const out = written.push(logprobs.put(pieces.push(id)));
    const stopped = vocabulary.endsGeneration(id) || stopIds.has(id);
    if (stopped && !out.stopped) yield* give(written.end());
    yield* give(out.pieces);
    return stopped || out.stopped;
  }

  function* finish(ending: StopReason): Generator<GeneratedPiece, StopReason> {
    const last = written.push(logprobs.put(pieces.end()));
    yield* last.pieces;
    if (last.stopped) return 'stop';
    yield* written.end();
    return ending;
  }

  function* give(given: readonly GeneratedPiece[]): Generator<GeneratedPiece, void> {
    for (const piece of given) {
      news.push(piece);
      yield piece;
    }
  }
}

/** The library would drop the beginning of the prompt silently, the system message first. */
function refuseShift(): never {
  throw new RawcallError('context_full', 'The context is full.');
}
