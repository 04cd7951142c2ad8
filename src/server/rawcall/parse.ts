/** `POST /v1/rawcall/parse`: what a completion comes to, read as a format reads it. No model is asked. */
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { RawcallError } from '../../../parsers/error.ts';
import { readCompletion as readEvents } from '../../../parsers/read.ts';
import { parseTools } from '../../../templates/messages.ts';
import { type Format, formatNamed } from '../../format.ts';
import { jsonLine } from '../../json.ts';
import { piecesOf, readAsAllFormats, readCompletion, readingContext } from '../../read-completion.ts';
import { badRequest } from '../api-error.ts';
import type { Exchange } from '../exchange.ts';
import { checked } from '../openai/fields.ts';
import { rawParts } from '../service.ts';

const piece = z.looseObject({
  text: z.string(),
  control: z.boolean().optional(),
  tokens: z.array(z.int()).optional(),
});
const body = z.looseObject({
  model: z.string().nullish(),
  completion: z.union(
    [z.string(), z.array(piece)],
    'It must be a text, or a list of {"text": …, "control": …}.',
  ),
  format: z.string().optional(),
  tools: z.array(z.unknown()).optional(),
  prefill: z.string().optional(),
  stop: z.enum(['stop', 'length']).default('stop'),
  events: z.boolean().default(false),
  all_formats: z.boolean().default(false),
});
type Body = z.infer<typeof body>;

export function addParse(app: Hono, exchange: Exchange): void {
  app.post('/v1/rawcall/parse', async context => {
    const given = checked(body, await exchange.body(context));
    const { engine, format: served } = rawParts(exchange.serviceFor(given.model ?? undefined));
    const completion = piecesIn(given.completion);
    const options = {
      ...(given.tools === undefined ? {} : { tools: parseTools(given.tools) }),
      ...(given.prefill === undefined ? {} : { prefill: given.prefill }),
      ...(typeof completion === 'string' || !engine.controlTokens
        ? {}
        : { controlTokens: engine.controlTokens }),
    };
    if (given.all_formats) {
      if (given.format !== undefined || given.events)
        badRequest('"all_formats" goes with neither "format" nor "events".', 'all_formats');
      const readers = readAsAllFormats(completion, given.stop, options);
      return exactJson(context, {
        readings: readers.map(({ formats, record }) => ({ formats, ...record })),
      });
    }
    const format = given.format === undefined ? served : formatOf(given.format);
    const record = { format: format.name, ...readCompletion(completion, given.stop, { ...options, format }) };
    if (!given.events) return exactJson(context, record);
    const { events } = readEvents(
      format.parser,
      piecesOf(completion),
      readingContext({ ...options, format }),
      given.stop,
    );
    return exactJson(context, { ...record, events });
  });
}

function piecesIn(completion: Body['completion']) {
  if (typeof completion === 'string') return completion;
  return completion.map(({ text, control, tokens }) => ({
    text,
    ...(control === undefined ? {} : { control }),
    ...(tokens === undefined ? {} : { tokens }),
  }));
}

/** By its name alone: the path of a module would be a program of this machine. */
function formatOf(name: string): Format {
  try {
    return formatNamed(name);
  } catch (error) {
    return badRequest(RawcallError.isInstance(error) ? error.message : String(error), 'format');
  }
}

/** With every digit that the model wrote. */
function exactJson(context: Context, value: object): Response {
  return context.body(jsonLine(value), 200, { 'content-type': 'application/json' });
}
