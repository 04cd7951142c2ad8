/** Mistral's call ids: nine letters and digits, no more and no fewer. */
import type { ToolCall } from './parser.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The id as the model reads it. One that the model could not have written becomes one that depends on nothing else. */
export function mistralCallId({ id, writtenId = id }: Pick<ToolCall, 'id' | 'writtenId'>): string {
  const own = [writtenId, id].find(one => /^[A-Za-z0-9]{9}$/.test(one));
  if (own !== undefined) return own;
  let high = 0x811c9dc5;
  let low = 0x2f0b4c47;
  for (const char of id) {
    const code = char.codePointAt(0) ?? 0;
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995) ^ (low >>> 15);
  }
  // As many bits as a number holds, which is nearly as many as nine characters do: two ids do not meet.
  let rest = (high >>> 0) * 2 ** 21 + (low >>> 11);
  let out = '';
  for (; out.length < 9; rest = Math.floor(rest / alphabet.length)) out += alphabet[rest % alphabet.length];
  return out;
}
