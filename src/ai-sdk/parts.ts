/** The blocks of a turn as the AI SDK's parts: each with its start, its deltas and its end, and a call once more when it is whole. */
import type {
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { Block, BlockEvent, BlockHead, TurnEnd } from '../server/blocks.ts';

/** Makes the parts of one block after another; it knows which one is open. */
export function partWriter(): (event: BlockEvent) => readonly LanguageModelV3StreamPart[] {
  let kind: BlockHead['kind'] = 'text';
  let id = '';
  const part = (place: 'start' | 'delta' | 'end', fields: object = {}) =>
    ({
      type: `${kind === 'call' ? 'tool-input' : kind}-${place}`,
      id,
      ...fields,
    }) as LanguageModelV3StreamPart;
  return event => {
    switch (event.type) {
      case 'block-start':
        kind = event.head.kind;
        id = event.head.kind === 'call' ? event.head.id : String(event.index);
        return [part('start', event.head.kind === 'call' ? { toolName: event.head.name } : {})];
      case 'block-delta':
        return [part('delta', { delta: event.text })];
      case 'block-end': {
        const call = event.block.kind === 'call' ? contentOf(event.block) : [];
        return [part('end'), ...(call as LanguageModelV3StreamPart[])];
      }
      case 'turn-start':
      case 'turn-end':
      // Nothing runs in this model: whoever asks it runs the calls.
      case 'ran':
        return [];
      default:
        return event satisfies never;
    }
  };
}

/** A call that was cut is none. */
export function contentOf(block: Block): LanguageModelV3Content[] {
  if (block.kind !== 'call') return [{ type: block.kind, text: block.text }];
  const { id, name, text, whole } = block;
  return whole ? [{ type: 'tool-call', toolCallId: id, toolName: name, input: text }] : [];
}

export interface Finish {
  readonly finishReason: LanguageModelV3FinishReason;
  readonly usage: LanguageModelV3Usage;
}

export function finishOf({ finish, usage }: TurnEnd): Finish {
  const { prompt_tokens: total, completion_tokens: generated } = usage;
  const { cached_tokens: cacheRead } = usage.prompt_tokens_details;
  const { reasoning_tokens: reasoning } = usage.completion_tokens_details;
  return {
    finishReason: { unified: finish === 'tool_calls' ? 'tool-calls' : finish, raw: finish },
    usage: {
      inputTokens: { total, noCache: total - cacheRead, cacheRead, cacheWrite: undefined },
      outputTokens: { total: generated, text: generated - reasoning, reasoning },
    },
  };
}

/** Of a turn that broke off. */
export const failedFinish: Finish = {
  finishReason: { unified: 'error', raw: undefined },
  usage: {
    inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  },
};
