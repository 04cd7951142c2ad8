/** Errors of the API in OpenAI's shape. What is no fault of the client says nothing of this machine. */
import { RawcallError } from '../../parsers/error.ts';

export interface ApiError {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 501 | 503;
  readonly message: string;
  readonly type: 'invalid_request_error' | 'authentication_error' | 'rate_limit_error' | 'server_error';
  readonly param?: string;
  readonly code?: string;
  /** In seconds. */
  readonly retryAfter?: number;
}

/** The body that goes with it. */
export function errorBody({ message, type, param, code }: ApiError) {
  return { error: { message, type, param: param ?? null, code: code ?? null } };
}

/** Throws it; whoever answers the request catches it. */
export function refuse(error: ApiError): never {
  throw new RawcallError('api_error', error.message, { api: error });
}

export function badRequest(message: string, param?: string, code?: string): never {
  return refuse({
    status: 400,
    type: 'invalid_request_error',
    message,
    ...(param === undefined ? {} : { param }),
    ...(code === undefined ? {} : { code }),
  });
}

/** What a client is told of an error that was thrown on its behalf. */
export function apiErrorOf(error: unknown): ApiError {
  if (!RawcallError.isInstance(error)) return unexpected;
  const { code, message, details } = error;
  switch (code) {
    case 'api_error':
      return details.api as ApiError;
    case 'bad_messages':
    case 'bad_tools':
      return invalid(message, outermost(textOf(details.where)));
    case 'unmatched_tool_result':
      return invalid(message, `messages[${details.index}]`);
    case 'prompt_too_long':
      // An engine knows of no field: what it was given is a client's own prompt.
      return { ...invalid(message, textOf(details.field) ?? 'prompt'), code: 'context_length_exceeded' };
    case 'unknown_token':
      return invalid(message, 'prompt');
    case 'nothing_fits':
      return invalid(message, 'response_format');
    case 'nothing_to_call':
    case 'bad_grammar':
      return invalid(message, 'tools');
    case 'engine_closed':
      return { status: 503, type: 'server_error', message: 'The server is going down. Try again later.' };
    default:
      return unexpected;
  }
}

const unexpected: ApiError = {
  status: 500,
  type: 'server_error',
  message: 'The server failed. Its own log says why.',
};

function invalid(message: string, param: string | undefined): ApiError {
  return { status: 400, type: 'invalid_request_error', message, ...(param === undefined ? {} : { param }) };
}

/** `messages[3].content[0].text` is a fault of `messages[3]`: that is what clients look for. */
function outermost(where: string | undefined): string | undefined {
  return /^\w+(?:\[\d+\])?/.exec(where ?? '')?.[0] ?? where;
}

function textOf(detail: unknown): string | undefined {
  return typeof detail === 'string' ? detail : undefined;
}
