/**
 * A model behind somebody's `/v1/chat/completions`: the endpoint's own template writes the prompt and its own parser finds the
 * calls. What it finds is checked against the tools' schemas here, as everywhere.
 */
import type { ParseEvent, Piece, StopReason, ToolDefinition } from '../../parsers/parser.ts';
import { createCollector } from '../../parsers/read.ts';
import { toolCallJson } from '../../parsers/tool-call-json.ts';
import type { Conversation } from '../../templates/template.ts';
import { usageOf } from '../engine/endpoint/usage.ts';
import type { Endpoint } from '../engine/endpoint.ts';
import type { Usage } from '../engine/engine.ts';
import { chatDeltas, chatMarkers } from './chat-deltas.ts';
import { chatNames } from './chat-names.ts';
import { chatPrompt, chatRequest } from './chat-request.ts';
import type { Model } from './model.ts';
import { turnResult } from './turn-result.ts';

export interface ChatModelOptions {
  /** Default: what the server says, if it does. */
  readonly contextSize?: number;
  /** How a tool is shown to the model. Its calls are checked by the schema that it has. Default: as it is. */
  readonly shown?: (tool: ToolDefinition) => ToolDefinition;
}

export function chatModel({ client, info }: Endpoint, options: ChatModelOptions = {}): Model {
  const { shown = tool => tool, contextSize = info.contextSize } = options;
  const seen = (conversation: Conversation) => ({ ...conversation, tools: conversation.tools.map(shown) });
  return {
    name: info.model,
    ...(contextSize === undefined ? {} : { contextSize }),

    render(conversation, render = {}) {
      return {
        conversation,
        render,
        prompt: chatPrompt(seen(conversation), render, chatNames(conversation)),
      };
    },

    async *turn({ conversation, render, prompt }, options) {
      const { purpose, signal, lane = '', parallel = true } = options;
      const names = chatNames(conversation);
      yield { type: 'turn-start', purpose, prompt };

      const deltas = chatDeltas(names.fromApi, what => client.failed(what, { reason: 'garbage' }));
      const known = new Set(
        conversation.messages.flatMap(message =>
          message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
        ),
      );
      const reading = toolCallJson.start({
        tools: render.schema === 'none' ? [] : conversation.tools,
        controlTokens: chatMarkers,
        stops: [],
        callId(index, name) {
          const { callId } = deltas;
          // Some endpoints begin to count anew at each turn, and a dialogue needs ids that are its own.
          const id =
            callId !== undefined && !known.has(callId)
              ? callId
              : (options.callId?.(index, name) ?? `call_${known.size + 1}`);
          known.add(id);
          return id;
        },
      });
      const collector = createCollector();
      const pieces: Piece[] = [];
      /** What would be another call is not read where one is enough. */
      const enough = () => !parallel && collector.collected.ended.length > 0;
      function* read(given: readonly Piece[]): Generator<ParseEvent, void> {
        for (const piece of given) {
          if (enough()) return;
          pieces.push(piece);
          options.onPiece?.(piece);
          const events = reading.push(piece);
          collector.add(events);
          yield* events;
        }
      }

      const request = chatRequest(seen(conversation), render, options, info, names);
      let usage: Usage = { prompt: 0, reused: 0, evaluated: 0, generated: 0 };
      let finish: string | undefined;
      try {
        for await (const chunk of client.stream('v1/chat/completions', request, {
          lane,
          ...(signal ? { signal } : {}),
        })) {
          const step = deltas.push(chunk);
          usage = usageOf(chunk.usage, { ...usage, generated: usage.generated + 1 });
          finish ??= step.finish;
          if (step.reasoning !== '') {
            const thought = { type: 'reasoning-delta', text: step.reasoning } as const;
            collector.add([thought]);
            yield thought;
          }
          yield* read(step.pieces);
          if (enough()) break;
        }
      } catch (error) {
        if (!signal?.aborted) throw error;
      }
      const aborted = signal?.aborted === true && finish === undefined;
      if (finish === undefined && !aborted && !enough())
        throw client.failed('the answer ended before it was finished', { reason: 'cut' });

      const reason: StopReason = aborted ? 'aborted' : finish === 'length' ? 'length' : 'stop';
      // A call that was cut stays open, so that the reader says so.
      if (reason === 'stop' && !enough()) yield* read(deltas.end());
      const last = reading.end(reason);
      collector.add(last);
      yield* last;
      yield { type: 'completion-end', pieces, reason };
      yield { type: 'usage', ...usage };
      return turnResult(collector.collected, undefined, reason);
    },
  };
}
