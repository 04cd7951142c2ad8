/** A model that says what it said: prompts are rendered anew, and what was generated is read anew. */
import { RawcallError } from '../../parsers/error.ts';
import type { Piece, StopReason, ToolDefinition } from '../../parsers/parser.ts';
import { createCollector, isParseEvent, parseEventTypes } from '../../parsers/read.ts';
import type { Prompt } from '../../templates/template.ts';
import type { Engine, Generation, Usage } from '../engine/engine.ts';
import type { Format } from '../format.ts';
import { chatNames } from '../model/chat-names.ts';
import { chatPrompt } from '../model/chat-request.ts';
import type { Model, PromptSize, TokenBill, TurnEvent, TurnPrompt, TurnResult } from '../model/model.ts';
import { rawModel } from '../model/raw.ts';
import { turnResult } from '../model/turn-result.ts';
import type { TranscriptModel } from '../transcript/transcript.ts';
import type { RunEvent } from './runs.ts';
import type { RecordedTurn, Script } from './script.ts';

/** `chat`: an endpoint read the completions itself, so they are as it read them. */
export type ReplayFormat = Format | 'chat';

/** @param shown how the endpoint was shown a tool */
export function recordedModel(
  { name, contextSize, controlTokens }: TranscriptModel,
  format: ReplayFormat,
  script: () => Script,
  shown: (tool: ToolDefinition) => ToolDefinition,
): Model {
  const size = contextSize === undefined ? {} : { contextSize };
  let generations: Generated[] = [];
  const engine: Engine = {
    name,
    ...size,
    ...(controlTokens ? { controlTokens: new Set(controlTokens) } : {}),
    generate: () => generationOf(generations.shift()),
    close: async () => {},
  };
  const raw = format === 'chat' ? undefined : rawModel(engine, format);

  const behind = raw?.behind;

  /** A model without a tokenizer was not asked. */
  function sized<Asked extends TurnPrompt | undefined>(prompt: Asked): Asked {
    const measured = prompt && script().answer('measure', ({ of }) => of === 'prompt');
    if (!measured || !('tokens' in measured)) return prompt;
    return { ...prompt, size: recordedSize(measured.tokens, script) };
  }

  return {
    name,
    ...size,
    countTokens: text => {
      const measured = script().answer('measure', ({ of }) => of === 'text');
      return measured && 'tokens' in measured ? measured.tokens : Math.ceil(text.length / 3);
    },
    render(conversation, render = {}) {
      const prompt = raw
        ? raw.render(conversation, render).prompt
        : chatPrompt(
            { ...conversation, tools: conversation.tools.map(shown) },
            render,
            chatNames(conversation),
          );
      return sized({ conversation, render, prompt });
    },
    ...(behind ? { behind: (...asked) => sized(behind(...asked)) } : {}),
    async *turn(prompt, options): AsyncGenerator<TurnEvent, TurnResult> {
      const turn = script().turn();
      if (!turn) throw ended();
      generations = generationsOf(turn) ?? [];
      if (raw && generations.length > 0) return yield* raw.turn(prompt, options);
      yield {
        type: 'turn-start',
        purpose: options.purpose,
        prompt: prompt.prompt,
        ...(prompt.size ? { tokens: prompt.size.tokens } : {}),
      };
      return yield* asRead(turn);
    },
  };
}

function recordedSize(tokens: number, script: () => Script): PromptSize {
  return {
    tokens,
    bill() {
      const measured = script().answer('measure', ({ of }) => of === 'bill');
      return measured && 'bill' in measured ? measured.bill : allTemplate(tokens);
    },
    shared(_other: Prompt) {
      const measured = script().answer('measure', ({ of }) => of === 'shared');
      return measured && 'tokens' in measured ? measured.tokens : 0;
    },
  };
}

const allTemplate = (total: number): TokenBill => ({
  ...{ template: total, system: 0, tools: 0, user: 0, assistant: 0, tool: 0 },
  total,
});

function ended(): RawcallError {
  return new RawcallError(
    'recording_ended',
    'The recording has no further turn, and one more was asked for. Record the run again.',
  );
}

/** What a turn without an end ends with. */
function endOf({ failed }: RecordedTurn): RawcallError {
  return failed
    ? new RawcallError(failed.code, failed.message, failed.details)
    : new RawcallError('recording_ended', 'The recording ends in this turn.');
}

interface Generated {
  readonly pieces: readonly Piece[];
  readonly end: { readonly reason: StopReason; readonly usage: Usage } | { readonly error: RawcallError };
}

function generationOf(generated: Generated | undefined): Generation {
  if (!generated) throw ended();
  const { pieces, end } = generated;
  return {
    async *[Symbol.asyncIterator]() {
      yield* pieces;
      if ('error' in end) throw end.error;
    },
    usage: 'usage' in end ? end.usage : { prompt: 0, reused: 0, evaluated: 0, generated: pieces.length },
    reason: 'reason' in end ? end.reason : undefined,
  };
}

/** Each generation of a turn; undefined where the recording does not tell them apart, or has none of their pieces. */
function generationsOf(turn: RecordedTurn): Generated[] | undefined {
  const { events, failed, cut } = turn;
  const end = events.find(event => event.type === 'completion-end');
  if (failed || cut) {
    const part = events.find(event => event.type === 'completion-delta');
    if (!part || events.some(({ type }) => type === 'call-extended')) return undefined;
    return [{ pieces: part.pieces, end: { error: endOf(turn) } }];
  }
  const usages = events.filter(event => event.type === 'usage').map(usageOf);
  const last = usages.at(-1);
  if (!end || !last) return undefined;
  const { pieces, reason } = end;
  const [first] = usages;
  if (usages.length === 1 || !first) return [{ pieces, end: { reason, usage: last } }];
  let tokens = 0;
  const split = pieces.findIndex(piece => {
    tokens += piece.tokens?.length ?? 1;
    return tokens === first.generated;
  });
  if (split === -1) return undefined;
  return [
    { pieces: pieces.slice(0, split + 1), end: { reason: 'length', usage: first } },
    { pieces: pieces.slice(split + 1), end: { reason, usage: last } },
  ];
}

function usageOf({ type: _, at: __, line: ___, ...usage }: Extract<RunEvent, { type: 'usage' }>): Usage {
  return usage;
}

/** The turn's own events, where there is nothing to read anew. */
async function* asRead(turn: RecordedTurn): AsyncGenerator<TurnEvent, TurnResult> {
  const collector = createCollector();
  let reason: StopReason = 'aborted';
  for (const event of turn.events) {
    if (!isTurnEvent(event)) continue;
    const { at: _, line: __, ...told } = event;
    if (isParseEvent(told)) collector.add([told]);
    if (told.type === 'completion-end') reason = told.reason;
    yield told;
  }
  if (turn.failed || turn.cut) throw endOf(turn);
  return turnResult(collector.collected, undefined, reason);
}

const turnTypes = [...parseEventTypes, 'call-extended', 'completion-end', 'usage'] as const;

function isTurnEvent(event: RunEvent): event is Extract<RunEvent, { type: (typeof turnTypes)[number] }> {
  return turnTypes.some(type => type === event.type);
}
