/** The body of `POST /v1/completions`, checked: a prompt as the client wrote it, and how it is to go on. */
import { z } from 'zod';
import { valueGrammar } from '../../../parsers/gbnf/value-grammar.ts';
import { promptBuilder } from '../../../templates/prompt.ts';
import type { Prompt } from '../../../templates/template.ts';
import type { Engine, GenerateOptions } from '../../engine/engine.ts';
import { badRequest } from '../api-error.ts';
import { checked, outputOf, responseFormat, samplingFields, samplingOf, stopField } from './fields.ts';
import { mostLogprobs } from './logprobs.ts';

export interface CompletionRequest {
  readonly model: string | undefined;
  /** In the pieces of an engine. @throws RawcallError `api_error` (400), `unknown_token` */
  readonly prompt: (engine: Engine) => Prompt;
  readonly options: GenerateOptions;
  /** The field that the grammar came in, for errors. */
  readonly grammarField: 'x_rawcall.grammar' | 'response_format';
  readonly echo: boolean;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** Whether the pieces are told beside the text. */
  readonly pieces: boolean;
}

const text = z.string();
const ids = z.array(z.int().min(0)).min(1);
const piece = z.union(
  [z.strictObject({ control: z.string().min(1) }), z.strictObject({ text: z.string() })],
  'It must be {"control": …} or {"text": …}.',
);
const body = z.looseObject({
  ...samplingFields,
  model: z.string().nullish(),
  prompt: z
    .union(
      [text, ids, z.tuple([text]), z.tuple([ids])],
      'It must be one text or one list of token ids; several prompts are several requests.',
    )
    .nullish(),
  max_tokens: z.int().min(0).nullish(),
  stop: stopField,
  n: z.literal(1, 'One choice is what there is: leave "n" out, or make it 1.').nullish(),
  best_of: z.literal(1, 'One completion is what there is: leave "best_of" out.').nullish(),
  suffix: z.literal('', 'A completion has no end that is given: leave "suffix" out.').nullish(),
  echo: z.boolean().nullish(),
  logprobs: z.int().min(0).max(mostLogprobs).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  response_format: responseFormat.nullish(),
  x_rawcall: z
    .strictObject({
      prompt: z.array(piece).optional(),
      special: z.boolean().optional(),
      grammar: z.string().min(1).optional(),
      pieces: z.boolean().optional(),
    })
    .nullish(),
});

/** As OpenAI has it. */
const usualMaxTokens = 16;

/** @throws RawcallError `api_error` (400), `nothing_fits` */
export function readCompletionRequest(json: unknown): CompletionRequest {
  const given = checked(body, json);
  const own = given.x_rawcall ?? {};
  const output = outputOf(given.response_format ?? undefined);
  if (own.grammar !== undefined && output !== undefined)
    badRequest('Give either "x_rawcall.grammar" or "response_format".', 'x_rawcall.grammar');
  const grammar = own.grammar ?? (output === undefined ? undefined : valueGrammar(output).gbnf);
  const { logprobs, echo } = given;
  if (echo && typeof logprobs === 'number')
    badRequest('The tokens of a prompt have no logprobs here: ask for "echo" or for "logprobs".', 'logprobs');
  return {
    model: given.model ?? undefined,
    prompt: promptOf(given.prompt ?? undefined, own),
    options: {
      sampling: samplingOf(given),
      stops: given.stop,
      maxTokens: given.max_tokens ?? usualMaxTokens,
      ...(grammar === undefined ? {} : { grammar }),
      ...(typeof logprobs === 'number' ? { logprobs } : {}),
    },
    grammarField: own.grammar === undefined ? 'response_format' : 'x_rawcall.grammar',
    echo: echo ?? false,
    stream: given.stream ?? false,
    includeUsage: given.stream_options?.include_usage ?? false,
    pieces: own.pieces ?? false,
  };
}

type Body = z.infer<typeof body>;

function promptOf(
  given: Exclude<Body['prompt'], null>,
  { prompt: pieces, special = false }: NonNullable<Body['x_rawcall']>,
): CompletionRequest['prompt'] {
  if (pieces !== undefined) {
    if (given !== undefined && given.length > 0)
      badRequest('Give either "prompt" or "x_rawcall.prompt".', 'x_rawcall.prompt');
    return engine => {
      for (const [index, one] of pieces.entries())
        if ('control' in one && engine.controlTokens?.has(one.control) === false)
          badRequest(
            `${JSON.stringify(one.control)} is no control token of this model. Give it as {"text": …}.`,
            `x_rawcall.prompt[${index}]`,
          );
      return filled(
        pieces.map(one => ('control' in one ? one : { ...one, origin: 'user' })),
        'x_rawcall.prompt',
      );
    };
  }
  if (given === undefined) return badRequest('There is no prompt.', 'prompt');
  const [first] = given;
  const one = typeof given === 'string' ? given : typeof first === 'number' ? (given as number[]) : first!;
  if (typeof one !== 'string')
    return engine =>
      engine.promptOfIds?.(one) ??
      badRequest('This model takes no token ids: send the prompt as a text.', 'prompt');
  return engine => {
    if (!special) return filled([{ text: one, origin: 'user' }], 'prompt');
    const builder = promptBuilder(longestFirst(engine.controlTokens ?? []));
    builder.scaffold(one);
    return filled(builder.build(), 'prompt');
  };
}

/** A model needs something to go on from. */
function filled(prompt: Prompt, field: string): Prompt {
  if (prompt.some(one => 'control' in one || one.text !== '')) return prompt;
  return badRequest('The prompt is empty.', field);
}

function longestFirst(texts: Iterable<string>): string[] {
  return [...texts].sort((left, right) => right.length - left.length);
}
