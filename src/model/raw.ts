/** A model that is driven by prompts of our own: a format renders the conversation and reads what an engine generates. */
import type { ParseEvent, Piece, ToolCall } from '../../parsers/parser.ts';
import type { AssistantMessage } from '../../templates/template.ts';
import type { Engine } from '../engine/engine.ts';
import type { Format } from '../format.ts';
import type { FailedCall, Model, TurnResult } from './model.ts';

export function rawModel(engine: Engine, format: Format): Model {
  const { template, parser } = format;
  const { tokenize } = engine;
  return {
    name: engine.name,
    ...(engine.contextSize === undefined ? {} : { contextSize: engine.contextSize }),
    ...(tokenize ? { countTokens: text => tokenize.call(engine, [{ text, origin: 'tool' }]).length } : {}),

    async *turn(conversation, { purpose, render, sampling, maxTokens, signal, callId }) {
      const prompt = template.render(conversation, render);
      yield { type: 'turn-start', purpose, prompt };

      const prefill = template.prefill?.(render) ?? [];
      const reading = parser.start({
        tools: render?.schema === 'none' ? [] : conversation.tools,
        prefill: prefill.map(piece => piece.text).join(''),
        stops: template.stops,
        ...(engine.controlTokens ? { controlTokens: engine.controlTokens } : {}),
        ...(callId ? { callId } : {}),
      });
      const generation = engine.generate(prompt, {
        stops: template.stops,
        ...(sampling ? { sampling } : {}),
        ...(maxTokens === undefined ? {} : { maxTokens }),
        ...(signal ? { signal } : {}),
      });

      const turn = turnCollector();
      const pieces: Piece[] = [];
      for await (const piece of generation) {
        pieces.push(piece);
        yield* turn.collect(reading.push(piece));
      }
      const reason = generation.reason ?? 'stop';
      yield* turn.collect(reading.end(reason));
      yield { type: 'completion-end', pieces, reason };
      yield { type: 'usage', ...generation.usage };

      const stopped = reason === 'stop' && pieces.at(-1)?.control === true;
      return turn.result([...prefill, ...(stopped ? pieces.slice(0, -1) : pieces)], reason);
    },
  };
}

function turnCollector() {
  let content = '';
  let reasoning = '';
  const calls = new Map<number, ToolCall>();
  const failed = new Map<number, FailedCall>();

  return {
    collect(events: ParseEvent[]): ParseEvent[] {
      for (const event of events) {
        if (event.type === 'text-delta') content += event.text;
        else if (event.type === 'reasoning-delta') reasoning += event.text;
        else if (event.type === 'call-end') calls.set(event.index, event.call);
        else if (event.type === 'call-failed' && event.index >= 0) {
          const { index, problem, message, name = 'unreadable_call' } = event;
          // A call that broke before its name has no id, and its result needs one.
          const id = event.id || `unreadable_${index}`;
          failed.set(index, { call: { id, name, arguments: {}, argumentsText: '{}' }, problem, message });
        }
      }
      return events;
    },
    result(completion: readonly Piece[], reason: TurnResult['reason']): TurnResult {
      const written = [...calls, ...[...failed].map(([index, { call }]) => [index, call] as const)]
        .sort(([left], [right]) => left - right)
        .map(([, call]) => call);
      const message: AssistantMessage = {
        role: 'assistant',
        content: content.trim(),
        completion,
        ...(reasoning.trim() === '' ? {} : { reasoning: reasoning.trim() }),
        ...(written.length === 0 ? {} : { toolCalls: written }),
      };
      return { message, calls: [...calls.values()], failed: [...failed.values()], reason };
    },
  };
}
