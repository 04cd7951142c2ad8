/**
 * The deltas of a chat endpoint as pieces of a completion, so that its calls are read, checked and reported by the same reader
 * as all others: each call is written as the reader's own syntax has it, with markers that no text can be.
 */
import type { Piece } from '../../parsers/parser.ts';
import type { JsonRecord } from '../engine/endpoint/client.ts';

/** Of `tool-call-json`. A marker is one in a piece with `control` alone. */
export const chatMarkers: ReadonlySet<string> = new Set([
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '<|im_start|>',
  '<|im_end|>',
]);

const open: Piece = { text: '<tool_call>', control: true };
const close: Piece = { text: '</tool_call>', control: true };

export interface ChatStep {
  readonly reasoning: string;
  readonly pieces: readonly Piece[];
  readonly finish: string | undefined;
}

export interface ChatDeltas {
  /** @throws whatever `misfit` gives for a call that goes on after the next one began */
  push(chunk: JsonRecord): ChatStep;
  end(): readonly Piece[];
  /** The id of the call that is being read, as the endpoint gave it. */
  readonly callId: string | undefined;
}

interface Delta {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly tool_calls?: unknown;
}

interface CallDelta {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

export function chatDeltas(fromApi: (name: string) => string, misfit: (what: string) => Error): ChatDeltas {
  let openIndex: number | undefined;
  let empty = true;
  let callId: string | undefined;
  const ended = new Set<number>();

  function endCall(): Piece[] {
    if (openIndex === undefined) return [];
    ended.add(openIndex);
    openIndex = undefined;
    // Some endpoints leave out the arguments of a call that has none.
    return [{ text: `${empty ? '{}' : ''}}\n` }, close];
  }

  function readCall({ index, id, function: called }: CallDelta, place: number): Piece[] {
    const at = typeof index === 'number' ? index : place;
    const args = called?.arguments;
    const text = typeof args === 'string' ? args : args ? JSON.stringify(args) : '';
    const pieces: Piece[] = [];
    if (at !== openIndex) {
      if (ended.has(at)) throw misfit(`it went on with call ${at} after the next one had begun`);
      pieces.push(...endCall());
      openIndex = at;
      empty = true;
      callId = typeof id === 'string' && id !== '' ? id : undefined;
      const name = typeof called?.name === 'string' ? fromApi(called.name) : '';
      pieces.push(open, { text: `\n{"name": ${JSON.stringify(name)}, "arguments": ` });
    }
    // White space alone is no arguments yet.
    if (empty && text.trim() === '') return pieces;
    empty = false;
    return [...pieces, { text }];
  }

  return {
    push({ choices }) {
      const choice = Array.isArray(choices) ? choices[0] : undefined;
      const delta: Delta = choice?.delta ?? {};
      const words = [delta.content, delta.refusal].filter(isText).join('');
      const calls = Array.isArray(delta.tool_calls) ? (delta.tool_calls as CallDelta[]) : [];
      return {
        reasoning: [delta.reasoning_content, delta.reasoning].find(isText) ?? '',
        pieces: [...(words === '' ? [] : [...endCall(), { text: words }]), ...calls.flatMap(readCall)],
        finish: isText(choice?.finish_reason) ? choice.finish_reason : undefined,
      };
    },
    end: endCall,
    get callId() {
      return callId;
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
