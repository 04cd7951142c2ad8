/**
 * A turn as the chat API answers it, whole and in chunks: the order of the chunks and what each field holds are OpenAI's.
 *
 * A call whose arguments do not fit its schema is given out as it is, for the client checks them too. A call that could not be read,
 * or of a tool that there is not, is given out as the text that it was, so that nothing that the model wrote is lost.
 */
import type { ParseEvent } from '../../../parsers/parser.ts';
import type { RunReason } from '../../agent/events.ts';
import type { GeneratedLogprob, Usage } from '../../engine/engine.ts';
import { type Ran, ranOf, runOf, toldOf } from '../ran.ts';
import type { ServedEvent } from '../served-run.ts';
import { chatLogprobs, textTokens } from './logprobs.ts';

export interface AnswerHead {
  readonly id: string;
  /** In seconds since 1970. */
  readonly created: number;
  readonly model: string;
}

export interface AnswerOptions {
  /** Whether thoughts are given out, as `reasoning_content`. */
  readonly reasoning: boolean;
  /** How many tokens a text is. */
  readonly countTokens: (text: string) => number | undefined;
  /** Whether the text's tokens are told how probable they were. */
  readonly logprobs?: boolean;
}

export type FinishReason = 'stop' | 'length' | 'tool_calls';

/** What a turn says, piece by piece. */
export type Saying =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'arguments'; readonly index: number; readonly text: string }
  /** The call that began is whole, whether or not its arguments fit the schema. */
  | { readonly type: 'call-end'; readonly index: number };

/** What the API calls the parts of a turn, shared by the endpoints. Indexes count the calls that are given out. */
export function sayings(): (event: ServedEvent) => readonly Saying[] {
  const indexes = new Map<number, number>();
  const written = new Map<number, string>();
  const text = (value: string): Saying[] => (value === '' ? [] : [{ type: 'text', text: value }]);
  return event => {
    switch (event.type) {
      case 'text-delta':
        return text(event.text);
      case 'reasoning-delta':
        return [{ type: 'reasoning', text: event.text }];
      case 'call-start':
        indexes.set(event.index, indexes.size);
        return [{ type: 'call', index: indexes.size - 1, id: event.id, name: event.name }];
      case 'call-delta':
        written.set(event.index, (written.get(event.index) ?? '') + event.argumentsText);
        return indexed(indexes, event, index => ({ type: 'arguments', index, text: event.argumentsText }));
      case 'call-end':
        return indexed(indexes, event, index => ({ type: 'call-end', index }));
      case 'call-failed':
        if (event.problem === 'fabricated_result') return [];
        if (event.problem === 'bad_arguments' && isObject(written.get(event.index)))
          return indexed(indexes, event, index => ({ type: 'call-end', index }));
        // A call that was cut has begun, and what there is of it was said.
        if (event.index < 0 || (event.problem === 'truncated' && indexes.has(event.index))) return [];
        return text(event.raw);
      default:
        return [];
    }
  };
}

/** Arguments of another kind are none that a client could read. */
function isObject(json = ''): boolean {
  try {
    return json.startsWith('{') && typeof JSON.parse(json) === 'object';
  } catch {
    return false;
  }
}

function indexed(
  indexes: ReadonlyMap<number, number>,
  { index }: ParseEvent & { readonly index: number },
  say: (index: number) => Saying,
): Saying[] {
  const own = indexes.get(index);
  return own === undefined ? [] : [say(own)];
}

export interface Totals {
  readonly usage: ReturnType<typeof usageOf>;
  readonly finish: FinishReason;
}

/** Runs that were ended before the model had said what it had to. */
const stoppedShort: ReadonlySet<RunReason> = new Set(['length', 'limit', 'repetition']);

/** Adds up what a reply tells of itself, all turns of it together. */
export function totals(countTokens: AnswerOptions['countTokens']) {
  const used = { prompt: 0, reused: 0, generated: 0 };
  let isFirst = true;
  let reasoning = '';
  let calls = 0;
  let cut = false;

  /** A call that was cut goes on in a second generation of its turn, whose prompt holds what the first one wrote. */
  function addUsage({ prompt, reused, generated }: Usage): void {
    if (isFirst) {
      used.prompt += prompt;
      used.reused += reused;
    }
    isFirst = false;
    used.generated += generated;
  }

  return {
    add(event: ServedEvent, said: readonly Saying[]): void {
      if (event.type === 'turn-start') isFirst = true;
      else if (event.type === 'usage') addUsage(event);
      else if (event.type === 'reasoning-delta') reasoning += event.text;
      else if (event.type === 'completion-end') cut = event.reason === 'length';
      else if (event.type === 'run-end') cut ||= stoppedShort.has(event.reason);
      calls += said.filter(({ type }) => type === 'call-end').length;
    },
    get totals(): Totals {
      const thought = reasoning === '' ? 0 : (countTokens(reasoning) ?? 0);
      return { usage: usageOf(used, thought), finish: cut ? 'length' : calls > 0 ? 'tool_calls' : 'stop' };
    },
  };
}

function usageOf(used: { prompt: number; reused: number; generated: number }, reasoning: number) {
  return {
    prompt_tokens: used.prompt,
    completion_tokens: used.generated,
    total_tokens: used.prompt + used.generated,
    prompt_tokens_details: { cached_tokens: used.reused },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/** Of `POST /v1/chat/completions` without `stream`. */
export async function chatCompletion(
  events: AsyncIterable<ServedEvent>,
  head: AnswerHead,
  { reasoning, countTokens, logprobs = false }: AnswerOptions,
) {
  const say = sayings();
  const sum = totals(countTokens);
  const tokensOf = textTokens();
  const tokens: GeneratedLogprob[] = [];
  let content = '';
  let thoughts = '';
  const ran: Ran[] = [];
  let run: ReturnType<typeof runOf> | undefined;
  const calls: { id: string; name: string; arguments: string; whole: boolean }[] = [];
  for await (const event of events) {
    const said = say(event);
    sum.add(event, said);
    if (logprobs) tokens.push(...tokensOf(event));
    if (event.type === 'tool-end') ran.push(ranOf(event));
    else if (event.type === 'run-end') run = runOf(event);
    for (const one of said) {
      if (one.type === 'text') content += one.text;
      else if (one.type === 'reasoning') thoughts += one.text;
      else if (one.type === 'call')
        calls[one.index] = { id: one.id, name: one.name, arguments: '', whole: false };
      else if (one.type === 'arguments') calls[one.index]!.arguments += one.text;
      else calls[one.index]!.whole = true;
    }
  }
  const { usage, finish } = sum.totals;
  const whole = calls.filter(call => call.whole);
  return {
    ...headOf(head, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: content.trim() === '' && whole.length > 0 ? null : content.trim(),
          refusal: null,
          ...(reasoning && thoughts !== '' ? { reasoning_content: thoughts.trim() } : {}),
          ...(whole.length === 0
            ? {}
            : {
                tool_calls: whole.map(({ id, name, arguments: args }) => ({
                  id,
                  type: 'function',
                  function: { name, arguments: args },
                })),
              }),
        },
        logprobs: logprobsOf(tokens, logprobs),
        finish_reason: finish,
      },
    ],
    usage,
    ...(run ? { x_rawcall: { calls: ran, run } } : {}),
  };
}

/** The chunks of `POST /v1/chat/completions` with `stream`. An id and a name are sent once, and the arguments as they come. */
export async function* chatChunks(
  events: AsyncIterable<ServedEvent>,
  head: AnswerHead,
  {
    reasoning,
    countTokens,
    logprobs = false,
    includeUsage,
  }: AnswerOptions & { readonly includeUsage: boolean },
) {
  const say = sayings();
  const sum = totals(countTokens);
  const tokensOf = textTokens();
  const chunk = (
    delta: object,
    finish: FinishReason | null = null,
    tokens?: readonly GeneratedLogprob[],
  ) => ({
    ...headOf(head, 'chat.completion.chunk'),
    choices: [
      {
        index: 0,
        delta,
        logprobs: logprobsOf(tokens ?? [], logprobs && tokens !== undefined),
        finish_reason: finish,
      },
    ],
    ...(includeUsage ? { usage: null } : {}),
  });
  let begun = false;
  let run: ReturnType<typeof runOf> | undefined;
  for await (const event of events) {
    if (!begun) yield chunk({ role: 'assistant', content: '', refusal: null });
    begun = true;
    const said = say(event);
    sum.add(event, said);
    const tokens = logprobs ? tokensOf(event) : [];
    for (const one of said) {
      const delta = deltaOf(one, reasoning);
      if (delta) yield one.type === 'text' ? chunk(delta, null, tokens) : chunk(delta);
    }
    const told = toldOf(event);
    if (told) yield { ...chunk({}), x_rawcall: told };
    if (event.type === 'run-end') run = runOf(event);
  }
  const { usage, finish } = sum.totals;
  yield { ...chunk({}, finish), ...(run ? { x_rawcall: { run } } : {}) };
  if (includeUsage) yield { ...headOf(head, 'chat.completion.chunk'), choices: [], usage };
}

function logprobsOf(tokens: readonly GeneratedLogprob[], told: boolean) {
  return told ? { content: chatLogprobs(tokens), refusal: null } : null;
}

function deltaOf(one: Saying, reasoning: boolean): object | undefined {
  switch (one.type) {
    case 'text':
      return { content: one.text };
    case 'reasoning':
      return reasoning ? { reasoning_content: one.text } : undefined;
    case 'call': {
      const { index, id, name } = one;
      return { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
    }
    case 'arguments':
      return { tool_calls: [{ index: one.index, function: { arguments: one.text } }] };
    case 'call-end':
      return undefined;
    default:
      return one satisfies never;
  }
}

function headOf({ id, created, model }: AnswerHead, object: string) {
  return { id, object, created, model, system_fingerprint: null };
}
