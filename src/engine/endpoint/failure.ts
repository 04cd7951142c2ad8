/** What goes wrong with an endpoint, in words: who, what, and what the server itself said. */
import { RawcallError } from '../../../parsers/error.ts';

export type FailureReason =
  /** There was no connection. */
  | 'unreachable'
  | 'connect_timeout'
  /** Connected, and then no answer in time. */
  | 'first_byte_timeout'
  /** The answer began and fell silent. */
  | 'idle_timeout'
  /** The answer ended in its middle. */
  | 'cut'
  /** The answer is not what the API says. */
  | 'garbage'
  /** The server answered with an error. */
  | 'status';

export interface FailureDetails {
  readonly endpoint: string;
  readonly reason: FailureReason;
  readonly status?: number;
  /** In milliseconds, where the server said when to come again. */
  readonly retryAfter?: number;
}

export function endpointFailed(message: string, details: FailureDetails, cause?: unknown): RawcallError {
  return new RawcallError('endpoint_failed', `${details.endpoint}: ${message}`, { ...details }, cause);
}

/** A server's words about an error are for people; a page of HTML is not. */
const mostWords = 300;

/** Of whatever shape the body is: OpenAI's, FastAPI's, llama-server's, or text. */
export function wordsOf(body: string): string {
  const value = parsed(body);
  const found = [value?.error?.message, value?.message, value?.detail, value?.error].find(
    one => typeof one === 'string' && one !== '',
  );
  const words = String(found ?? (value?.detail ? JSON.stringify(value.detail) : body)).trim();
  if (found === undefined && words.startsWith('<')) return '';
  return words.length > mostWords ? `${words.slice(0, mostWords).toWellFormed()}…` : words;
}

interface ErrorBody {
  readonly error?: {
    readonly message?: unknown;
    readonly n_prompt_tokens?: unknown;
    readonly n_ctx?: unknown;
  };
  readonly message?: unknown;
  readonly detail?: unknown;
}

function parsed(body: string): ErrorBody | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A prompt that is too long has an error of its own, which the loop knows how to end on. Each server says it in other words. */
export function tooLong(body: string, endpoint: string): RawcallError | undefined {
  const words = wordsOf(body);
  if (!/context (?:size|length|window)|maximum model length/i.test(words)) return undefined;
  const { n_prompt_tokens: promptTokens, n_ctx: contextSize } = parsed(body)?.error ?? {};
  const counts = typeof promptTokens === 'number' ? { promptTokens, contextSize } : {};
  return new RawcallError('prompt_too_long', `${endpoint}: ${words}`, { endpoint, ...counts });
}

/** `Retry-After`, in seconds or as a date, in milliseconds from now. */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
