/** What a raw prompt came to, as the completions API answers it, whole and in chunks. */
import type { StopReason } from '../../../parsers/parser.ts';
import { promptText } from '../../../templates/prompt.ts';
import type { GeneratedLogprob, GeneratedPiece } from '../../engine/engine.ts';
import type { RawEvent } from '../raw-turn.ts';
import { type AnswerHead, totals } from './chat-answer.ts';
import type { CompletionRequest } from './completion-request.ts';
import { completionLogprobs } from './logprobs.ts';

type Options = Pick<CompletionRequest, 'echo' | 'pieces' | 'includeUsage'> & {
  readonly logprobs: boolean;
};

/** One step of the answer: a text, and what is told of it. */
interface Part {
  readonly text: string;
  readonly pieces: readonly GeneratedPiece[];
}

/** Of `POST /v1/completions` without `stream`. */
export async function textCompletion(events: AsyncIterable<RawEvent>, head: AnswerHead, options: Options) {
  const sum = totals(() => undefined);
  let text = '';
  let finish: StopReason = 'stop';
  const pieces: GeneratedPiece[] = [];
  for await (const event of events) {
    if (event.type === 'usage') sum.add(event, []);
    if (event.type === 'completion-end') finish = event.reason;
    const part = partOf(event, options);
    text += part?.text ?? '';
    pieces.push(...(part?.pieces ?? []));
  }
  const choice = choiceOf({ text, pieces }, 0, options);
  return {
    ...headOf(head),
    choices: [{ ...choice, finish_reason: finishOf(finish) }],
    usage: sum.totals.usage,
  };
}

/** The chunks of `POST /v1/completions` with `stream`. */
export async function* textChunks(
  events: AsyncIterable<RawEvent>,
  head: AnswerHead,
  options: Options,
): AsyncGenerator<object> {
  const sum = totals(() => undefined);
  const chunk = (choices: readonly object[]) => ({
    ...headOf(head),
    choices,
    ...(options.includeUsage ? { usage: null } : {}),
  });
  let offset = 0;
  let finish: StopReason = 'stop';
  for await (const event of events) {
    if (event.type === 'usage') sum.add(event, []);
    if (event.type === 'completion-end') finish = event.reason;
    const part = partOf(event, options);
    if (!part) continue;
    yield chunk([{ ...choiceOf(part, offset, options), finish_reason: null }]);
    offset += part.text.length;
  }
  yield chunk([{ index: 0, text: '', logprobs: null, finish_reason: finishOf(finish) }]);
  if (options.includeUsage) yield { ...headOf(head), choices: [], usage: sum.totals.usage };
}

function partOf(event: RawEvent, { echo }: Options): Part | undefined {
  if (event.type === 'turn-start' && echo) return { text: promptText(event.prompt), pieces: [] };
  return event.type === 'piece' ? { text: event.piece.text, pieces: [event.piece] } : undefined;
}

function choiceOf({ text, pieces }: Part, offset: number, { logprobs, pieces: told }: Options) {
  const tokens: readonly GeneratedLogprob[] = pieces.flatMap(piece => piece.logprobs ?? []);
  return {
    index: 0,
    text,
    logprobs: logprobs ? completionLogprobs(tokens, offset) : null,
    ...(told ? { x_rawcall: { pieces: pieces.map(({ logprobs: _, ...piece }) => piece) } } : {}),
  };
}

function finishOf(reason: StopReason): 'stop' | 'length' {
  return reason === 'stop' ? 'stop' : 'length';
}

function headOf({ id, created, model }: AnswerHead) {
  return { id, object: 'text_completion', created, model, system_fingerprint: null };
}
