/** A model that is driven by prompts of our own: a format renders the conversation and reads what an engine generates. */
import { valueGrammar } from '../../parsers/gbnf/value-grammar.ts';
import type { Piece, StopReason, ToolDefinition } from '../../parsers/parser.ts';
import { createCollector } from '../../parsers/read.ts';
import { promptOf } from '../../templates/prompt.ts';
import type { Prompt, RenderOptions } from '../../templates/template.ts';
import type { Engine, GeneratedPiece, PromptToken, Steer, Usage } from '../engine/engine.ts';
import { type Format, turnEnds } from '../format.ts';
import { steerCalls } from './constrain.ts';
import type { Model, PromptSize, TokenBill, TurnEvent, TurnOptions } from './model.ts';
import { prefixFinder } from './prefix.ts';
import { turnResult } from './turn-result.ts';

export function rawModel(engine: Engine, format: Format): Model {
  const { template, parser } = format;
  const { countTokens } = engine;
  const prefixOf = prefixFinder(template);
  return {
    name: engine.name,
    ...(engine.contextSize === undefined ? {} : { contextSize: engine.contextSize }),
    ...(countTokens ? { countTokens: text => countTokens.call(engine, [{ text, origin: 'tool' }]) } : {}),

    render(conversation, render = {}) {
      const prompt = template.render(conversation, render);
      const size = sizeOf(prompt, engine);
      return { conversation, render, prompt, ...(size ? { size } : {}) };
    },

    behind({ conversation, render, prompt }, completion) {
      const prefill = template.prefill?.(render, conversation) ?? [];
      const written = promptOf(completion.slice(prefill.length), 'assistant');
      return { conversation, render, prompt: [...prompt, ...written], within: true };
    },

    async *turn({ conversation, render, prompt, size, within }, options) {
      const { purpose, sampling, maxTokens, signal, callId, lane, callTokens = 0, parallel = true } = options;
      const { logprobs, constrain, onPiece } = options;
      const stops = [...template.stops, ...(options.stop ?? [])];
      const held = constraint(format, engine, conversation.tools, render, options);
      yield { type: 'turn-start', purpose, prompt, ...(size ? { tokens: size.tokens } : {}) };

      const prefill = within ? [] : (template.prefill?.(render, conversation) ?? []);
      const reading = parser.start({
        tools: render.schema === 'none' ? [] : readable(conversation.tools, options.unshown),
        prefill: prefill.map(piece => piece.text).join(''),
        stops,
        ...(engine.controlTokens ? { controlTokens: engine.controlTokens } : {}),
        ...(callId ? { callId } : {}),
      });
      const collector = createCollector();
      const pieces: Piece[] = [];
      let open: number | undefined;
      /** Whether the last piece is a stop. */
      let stopped = false;
      let enough = false;
      let extended = false;
      let told = 0;

      async function* generate(limit: number | undefined): AsyncGenerator<TurnEvent, StopReason> {
        const generation = engine.generate([...prompt, ...promptOf(pieces, 'assistant')], {
          stops,
          prefix: () => prefixOf(conversation, render),
          ...(sampling ? { sampling } : {}),
          ...(limit === undefined ? {} : { maxTokens: limit }),
          ...(signal ? { signal } : {}),
          ...(lane === undefined ? {} : { lane }),
          ...(logprobs === undefined ? {} : { logprobs }),
          ...(held?.steer ? { steer } : {}),
          // A call that goes on is held by `steer`, which knows where it stands.
          ...(held?.whole !== undefined && pieces.length === 0 ? { grammar: held.whole } : {}),
        });
        /** What ends a turn in another format. A model that knows it may end its own with it, and then it is no text. */
        let waiting: GeneratedPiece | undefined;
        for await (const piece of generation) {
          const raw = bare(piece);
          pieces.push(raw);
          onPiece?.(raw);
          if (piece.logprobs) yield { type: 'token-logprobs', tokens: piece.logprobs };
          if (waiting) yield* read(waiting);
          waiting =
            piece.control && turnEnds.has(piece.text) && !stops.includes(piece.text) ? piece : undefined;
          if (!waiting) yield* read(piece);
          enough = calledEnough();
          if (enough) break;
        }
        if (waiting && generation.reason !== 'stop') yield* read(waiting);
        usage.push({ ...generation.usage });
        stopped = !enough && generation.reason === 'stop' && pieces.at(-1)?.control === true;
        return enough ? 'stop' : (generation.reason ?? 'stop');
      }

      function* read(piece: GeneratedPiece): Generator<TurnEvent, void> {
        const events = reading.push(piece);
        collector.add(events);
        for (const event of events) {
          if (event.type === 'call-start') open = event.index;
          else if (event.type === 'call-end' || event.type === 'call-failed') open = undefined;
          yield event;
        }
      }

      /** What a generation ends with it tells nobody; so it is known how much was told. */
      function steer(since: readonly Piece[]): ReturnType<Steer> {
        told += since.length;
        return held?.steer?.(since);
      }

      /** What is still to come would be another call, or words about a result that there is not yet. */
      function calledEnough(): boolean {
        if (!parallel) return collector.collected.ended.length > 0;
        // The call that was cut is whole, and nothing holds what comes behind it to calls any more.
        return extended && constrain === 'required' && open === undefined;
      }

      const usage: Usage[] = [];
      let reason = yield* generate(maxTokens);
      if (reason === 'length' && open !== undefined && callTokens > 0 && hasRoom(engine, usage)) {
        extended = true;
        held?.steer?.(pieces.slice(told));
        yield { type: 'call-extended', index: open, tokens: callTokens };
        reason = yield* generate(callTokens);
      }
      const last = reading.end(reason);
      collector.add(last);
      yield* last;
      yield { type: 'completion-end', pieces, reason };
      for (const one of usage) yield { type: 'usage', ...one };

      const completion = [...prefill, ...(stopped ? pieces.slice(0, -1) : pieces)];
      return turnResult(collector.collected, completion, reason);
    },
  };
}

/** Whether the context can take what was generated as a part of a prompt, and a token more. */
function hasRoom({ contextSize = Number.POSITIVE_INFINITY }: Engine, [usage]: readonly Usage[]): boolean {
  return usage !== undefined && usage.prompt + usage.generated < contextSize - 1;
}

/** A name that is shown and another one that is not are the shown one's. */
function readable(
  shown: readonly ToolDefinition[],
  unshown: readonly ToolDefinition[] = [],
): readonly ToolDefinition[] {
  const names = new Set(shown.map(({ name }) => name));
  return [...shown, ...unshown.filter(({ name }) => !names.has(name))];
}

/** What holds the turn to calls, or to an output. `whole`: the grammar of the whole completion. */
function constraint(
  { parser }: Format,
  { controlTokens }: Engine,
  tools: readonly ToolDefinition[],
  { schema }: RenderOptions,
  { constrain = 'off', only, parallel = true, output }: TurnOptions,
): { readonly steer?: Steer; readonly whole?: string } | undefined {
  const callable =
    constrain === 'off' || schema === 'none' || tools.length === 0 ? undefined : parser.grammar;
  if (!callable) return output === undefined ? undefined : { whole: valueGrammar(output).gbnf };
  const limits = { parallel, ...(only === undefined ? {} : { only }) };
  // Either calls or the output: the model chooses with its first token.
  if (output !== undefined && constrain === 'calls')
    return { whole: callable(tools, { ...limits, output }).gbnf };
  const grammar = callable(tools, limits);
  const steer = steerCalls(grammar, constrain === 'off' ? 'calls' : constrain, controlTokens);
  return { steer, ...(constrain === 'required' ? { whole: grammar.gbnf } : {}) };
}

/** A history has no use for what else might have been said. */
function bare({ logprobs: _, ...piece }: GeneratedPiece): Piece {
  return piece;
}

function sizeOf(prompt: Prompt, engine: Engine): PromptSize | undefined {
  const { tokenize, countTokens, tokenIds } = engine;
  if (!tokenize || !countTokens) return undefined;
  return {
    tokens: countTokens.call(engine, prompt),
    ...(tokenIds ? { ids: () => tokenIds.call(engine, prompt) } : {}),
    bill: () => bill(tokenize.call(engine, prompt)),
    shared(other) {
      const [tokens, others] = [tokenize.call(engine, prompt), tokenize.call(engine, other)];
      const differs = tokens.findIndex(({ id }, at) => id !== others[at]?.id);
      return differs === -1 ? tokens.length : differs;
    },
  };
}

function bill(tokens: readonly PromptToken[]): TokenBill {
  const counts = { template: 0, system: 0, tools: 0, user: 0, assistant: 0, tool: 0, total: tokens.length };
  for (const { origin } of tokens) counts[origin]++;
  return counts;
}
