/** How requests of the page are read, and answered by a stream. */
import type { Context } from 'hono';
import type { z } from 'zod';
import { jsonLine } from '../json.ts';
import { badRequest } from '../server/api-error.ts';
import { checked } from '../server/openai/fields.ts';
import { textStream } from '../server/text-stream.ts';

/** @throws RawcallError `api_error` (400) */
export async function bodyOf<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return checked(schema, await jsonOf(context));
}

/** @throws RawcallError `api_error` (400) */
export async function jsonOf(context: Context): Promise<unknown> {
  const text = await context.req.text();
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return badRequest(`The body is not JSON: ${(error as Error).message}.`);
  }
}

/** With every digit that a model wrote. */
export function exactJson(context: Context, value: object): Response {
  return context.body(jsonLine(value), 200, { 'content-type': 'application/json' });
}

/** One JSON object a line. Each list that comes is sent at once, and an empty line where nothing comes for a while. */
export function lineStream(
  lists: (signal: AbortSignal) => AsyncGenerator<readonly unknown[], void>,
  keepAlive = 10_000,
): Response {
  const gone = new AbortController();
  return textStream(asText(lists(gone.signal)), {
    headers: { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' },
    keepAlive,
    idle: '\n',
    onCancel: () => gone.abort(),
  });
}

async function* asText(lists: AsyncGenerator<readonly unknown[], void>): AsyncGenerator<string, void> {
  for await (const list of lists) yield list.map(one => `${jsonLine(one)}\n`).join('');
}
