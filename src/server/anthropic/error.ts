/** Errors in Anthropic's shape. */
import type { ApiError } from '../api-error.ts';

const types = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  409: 'invalid_request_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  501: 'api_error',
  503: 'overloaded_error',
} as const satisfies Record<ApiError['status'], string>;

export function messageError({ status, message }: ApiError) {
  return { type: 'error', error: { type: types[status], message } };
}
