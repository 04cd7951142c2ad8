/** A response and its items, as they stand in answers and events. */
import type { ApiError } from '../api-error.ts';
import type { Block } from '../blocks.ts';
import type { Ran } from '../ran.ts';
import type { Totals } from './chat-answer.ts';
import type { Repeated } from './responses-request.ts';

export interface ResponseHead {
  readonly id: string;
  /** In seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly repeated: Repeated;
}

export interface ResponseState {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly output: readonly Item[];
  readonly usage?: Totals['usage'];
  readonly error?: ApiError;
}

export type Item = ReturnType<typeof itemOf | typeof ranItem>;
export type ResponseObject = ReturnType<typeof responseObject>;

export function responseObject(head: ResponseHead, { status, output, usage, error }: ResponseState) {
  return {
    id: head.id,
    object: 'response',
    created_at: head.created,
    status,
    background: false,
    error: error ? { code: 'server_error', message: error.message } : null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    model: head.model,
    output,
    previous_response_id: null,
    store: false,
    truncation: 'disabled',
    usage: usage ? usageOf(usage) : null,
    ...head.repeated,
  };
}

function usageOf(usage: Totals['usage']) {
  return {
    input_tokens: usage.prompt_tokens,
    input_tokens_details: usage.prompt_tokens_details,
    output_tokens: usage.completion_tokens,
    output_tokens_details: usage.completion_tokens_details,
    total_tokens: usage.total_tokens,
  };
}

export function itemOf(id: string, block: Block, status: 'in_progress' | 'completed' | 'incomplete') {
  switch (block.kind) {
    case 'text':
      return { id, type: 'message', status, role: 'assistant', content: [partOf(block.kind, block.text)] };
    case 'reasoning':
      return { id, type: 'reasoning', status, summary: [], content: [partOf(block.kind, block.text)] };
    case 'call': {
      const { id: callId, name, text } = block;
      return { id, type: 'function_call', status, call_id: callId, name, arguments: text };
    }
    default:
      return block satisfies never;
  }
}

/** As OpenAI has the calls that its own servers make. */
export function ranItem({ id, server = '', name, arguments: args, result, is_error: failed }: Ran) {
  return {
    id,
    type: 'mcp_call',
    status: failed ? 'failed' : 'completed',
    server_label: server,
    name,
    arguments: args,
    output: failed ? null : result,
    error: failed ? result : null,
    approval_request_id: null,
  };
}

export function partOf(kind: 'text' | 'reasoning', text: string) {
  return kind === 'text'
    ? { type: 'output_text', text, annotations: [], logprobs: [] }
    : { type: 'reasoning_text', text };
}
