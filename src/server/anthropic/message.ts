/** A message of Anthropic's API and what it is made of. */
import type { JsonObject } from '../../../parsers/parser.ts';
import type { Block, BlockHead, TurnEnd } from '../blocks.ts';
import type { Ran } from '../ran.ts';

export interface MessageHead {
  readonly id: string;
  readonly model: string;
  /** The texts that the request lets the turn end with. */
  readonly stops: readonly string[];
}

/** As it is before anything was said. */
export function emptyMessage({ id, model }: MessageHead, promptTokens: number) {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: tokens(promptTokens, 0, 0),
  };
}

/** Why the turn ended. Calls come first, for the client has to run them. */
export function stopOf({ finish, stop }: TurnEnd, { stops }: MessageHead) {
  const reasons = { length: 'max_tokens', tool_calls: 'tool_use', stop: 'end_turn' } as const;
  return finish === 'stop' && stop !== undefined && stops.includes(stop)
    ? { stop_reason: 'stop_sequence', stop_sequence: stop }
    : { stop_reason: reasons[finish], stop_sequence: null };
}

export function usageOf({ usage }: TurnEnd) {
  const { prompt_tokens, completion_tokens, prompt_tokens_details: details } = usage;
  return {
    ...tokens(prompt_tokens - details.cached_tokens, details.cached_tokens, completion_tokens),
    output_tokens_details: { thinking_tokens: usage.completion_tokens_details.reasoning_tokens },
  };
}

/** `input` counts what was not read from the cache. */
function tokens(input: number, cached: number, output: number) {
  return {
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
  };
}

/** A block before its text came. */
export function blockStart(head: BlockHead) {
  return contentOf(head, '', {});
}

export function wholeBlock(block: Block) {
  const input = block.kind === 'call' ? (JSON.parse(block.text) as JsonObject) : {};
  return contentOf(block, block.text, input);
}

function contentOf(head: BlockHead, text: string, input: JsonObject) {
  switch (head.kind) {
    case 'text':
      return { type: 'text', text, citations: null };
    case 'reasoning':
      // Nobody checks whose thoughts they are.
      return { type: 'thinking', thinking: text, signature: '' };
    case 'call':
      return { type: 'tool_use', id: head.id, name: head.name, input };
    default:
      return head satisfies never;
  }
}

/** As Anthropic has the calls that its own servers make: a block with the call, and one with its result. */
export function ranBlocks({ id, server = '', name, arguments: args, result, is_error }: Ran) {
  const input = JSON.parse(args) as JsonObject;
  return [
    { type: 'mcp_tool_use', id, name, server_name: server, input },
    { type: 'mcp_tool_result', tool_use_id: id, is_error, content: [{ type: 'text', text: result }] },
  ] as const;
}

export function blockDelta(kind: BlockHead['kind'], text: string) {
  switch (kind) {
    case 'text':
      return { type: 'text_delta', text };
    case 'reasoning':
      return { type: 'thinking_delta', thinking: text };
    case 'call':
      return { type: 'input_json_delta', partial_json: text };
    default:
      return kind satisfies never;
  }
}
