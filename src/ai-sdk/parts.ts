/** The blocks of a turn as the AI SDK's parts: each with its start, its deltas and its end, and a call once more when it is whole. */
import type {
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { Block, BlockEvent, BlockHead, TurnEnd } from '../server/blocks.ts';

const kindName = { text: 'text', reasoning: 'reasoning', call: 'tool-input' } as const;

/** Makes the parts of one block after another; it knows which one is open. */
export function partWriter(): (event: BlockEvent) => readonly LanguageModelV3StreamPart[] {
  let kind: (typeof kindName)[BlockHead['kind']] = 'text';
  let id = '';
  return event => {
    switch (event.type) {
      case 'block-start': {
        const { head, index } = event;
        kind = kindName[head.kind];
        id = head.kind === 'call' ? head.id : String(index);
        return [
          head.kind === 'call'
            ? { type: 'tool-input-start', id, toolName: head.name }
            : { type: `${head.kind}-start`, id },
        ];
      }
      case 'block-delta':
        return [{ type: `${kind}-delta`, id, delta: event.text }];
      case 'block-end':
        return [{ type: `${kind}-end`, id }, ...callOf(event.block)];
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

export function contentOf(block: Block): LanguageModelV3Content[] {
  return block.kind === 'call' ? callOf(block) : [{ type: block.kind, text: block.text }];
}

/** A call that was cut is none. */
function callOf(block: Block): LanguageModelV3ToolCall[] {
  if (block.kind !== 'call' || !block.whole) return [];
  const { id, name, text } = block;
  return [{ type: 'tool-call', toolCallId: id, toolName: name, input: text }];
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
