/** How the page asks the server: JSON there and back, and streams of one JSON value a line. */
import { token } from './token.ts';

/** What the server answered that is no success, or that there was no answer at all (`status` is then 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** @throws ApiError */
export async function ask<Answer>(path: string, options: Ask = {}): Promise<Answer> {
  const response = await send(path, options);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/**
 * The lines of a stream as they come; it ends when the server ends it.
 *
 * @throws ApiError, also where the connection breaks in the middle
 */
export async function* lines<Line>(path: string, options: Ask = {}): AsyncGenerator<Line> {
  const { body } = await send(path, options);
  let rest = '';
  try {
    for await (const text of body!.pipeThrough(new TextDecoderStream())) {
      const [first = '', ...others] = text.split('\n');
      rest += first;
      for (const next of others) {
        if (rest !== '') yield JSON.parse(rest) as Line;
        rest = next;
      }
    }
  } catch (error) {
    throw options.signal?.aborted ? error : unreachable(error);
  }
}

async function send(path: string, { method = 'GET', body, signal }: Ask): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`./api/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    throw signal?.aborted ? error : unreachable(error);
  }
  if (response.ok) return response;
  throw await failure(response);
}

function unreachable(error: unknown): ApiError {
  const why = error instanceof Error ? error.message : String(error);
  return new ApiError(
    0,
    'unreachable',
    `The server does not answer (${why}). Is "rawcall play" still running?`,
  );
}

async function failure(response: Response): Promise<ApiError> {
  const { status } = response;
  if (status === 401) {
    const message =
      'This page has no valid token. Open the address that "rawcall play" printed when it was started.';
    return new ApiError(status, 'no_token', message);
  }
  const told = (await response.json().catch(() => undefined)) as
    | { readonly error?: { readonly code?: string | null; readonly message?: string } }
    | undefined;
  const message = told?.error?.message ?? `The server answered ${status}, and said no more.`;
  return new ApiError(status, told?.error?.code ?? 'failed', message);
}
