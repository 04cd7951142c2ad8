/** A model that is driven by prompts of our own: a format renders the conversation and reads what an engine generates. */
import type { Piece, StopReason, ToolCall } from '../../parsers/parser.ts';
import { type Collected, createCollector } from '../../parsers/read.ts';
import type { AssistantMessage } from '../../templates/template.ts';
import type { Engine } from '../engine/engine.ts';
import type { Format } from '../format.ts';
import type { Model, TurnResult } from './model.ts';

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

      const prefill = template.prefill?.(render, conversation) ?? [];
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

      const collector = createCollector();
      const pieces: Piece[] = [];
      for await (const piece of generation) {
        pieces.push(piece);
        const events = reading.push(piece);
        collector.add(events);
        yield* events;
      }
      const reason = generation.reason ?? 'stop';
      const last = reading.end(reason);
      collector.add(last);
      yield* last;
      yield { type: 'completion-end', pieces, reason };
      yield { type: 'usage', ...generation.usage };

      const stopped = reason === 'stop' && pieces.at(-1)?.control === true;
      const completion = [...prefill, ...(stopped ? pieces.slice(0, -1) : pieces)];
      return turnResult(collector.collected, completion, reason);
    },
  };
}

function turnResult(read: Collected, completion: readonly Piece[], reason: StopReason): TurnResult {
  const { content, reasoning, ended, problems } = read;
  const failed = problems
    .filter(({ index }) => index >= 0)
    .map(({ index, id, writtenId, name = 'unreadable_call', problem, message }) => {
      const call: ToolCall = {
        // A call that broke before its name has no id, and its result needs one.
        id: id || `unreadable_${index}`,
        ...(writtenId === undefined ? {} : { writtenId }),
        name,
        arguments: {},
        argumentsText: '{}',
      };
      return { index, call, problem, message };
    });
  const toolCalls = [...ended, ...failed]
    .sort((left, right) => left.index - right.index)
    .map(({ call }) => call);
  const message: AssistantMessage = {
    role: 'assistant',
    content: content.trim(),
    completion,
    ...(reasoning.trim() === '' ? {} : { reasoning: reasoning.trim() }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
  return { message, calls: ended.map(({ call }) => call), failed, reason };
}
