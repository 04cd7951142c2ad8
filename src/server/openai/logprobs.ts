/** The probabilities of tokens, as the APIs tell them. */
import type { GeneratedLogprob, TokenLogprob } from '../../engine/engine.ts';
import type { ServedEvent } from '../served-run.ts';

/** OpenAI's own limit. */
export const mostLogprobs = 20;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A part of a character is told by its bytes. */
export function tokenText({ bytes }: TokenLogprob): string {
  try {
    return strict.decode(bytes);
  } catch {
    return `bytes:${[...bytes].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}`;
  }
}

function chatToken(token: TokenLogprob) {
  return { token: tokenText(token), logprob: told(token), bytes: [...token.bytes] };
}

/** Of the chat API: `logprobs.content`. */
export function chatLogprobs(tokens: readonly GeneratedLogprob[]) {
  return tokens.map(token => ({ ...chatToken(token), top_logprobs: token.top.map(chatToken) }));
}

/** Of the completions API: lists side by side. `offset`: where in the text the first token begins. */
export function completionLogprobs(tokens: readonly GeneratedLogprob[], offset: number) {
  let at = offset;
  return {
    tokens: tokens.map(tokenText),
    token_logprobs: tokens.map(told),
    top_logprobs: tokens.map(token =>
      token.top.length === 0
        ? null
        : Object.fromEntries([...token.top, token].map(one => [tokenText(one), told(one)])),
    ),
    text_offset: tokens.map(token => {
      const start = at;
      at += new TextDecoder().decode(token.bytes).length;
      return start;
    }),
  };
}

/** JSON has no infinity: what cannot come is told as OpenAI does. */
function told({ logprob }: TokenLogprob): number {
  return Math.max(logprob, -9999);
}

/**
 * The tokens of a turn's text. A reader holds text back until it knows that it is no call, and takes out what marks thoughts and calls;
 * so the tokens wait until their text comes, and those whose text never does are dropped.
 */
export function textTokens(): (event: ServedEvent) => readonly GeneratedLogprob[] {
  let waiting: GeneratedLogprob[] = [];
  return event => {
    if (event.type === 'token-logprobs') waiting.push(...event.tokens);
    if (event.type !== 'text-delta') return [];
    const texts = waiting.map(({ bytes }) => new TextDecoder().decode(bytes));
    const start = texts.join('').lastIndexOf(event.text);
    const end = start + event.text.length;
    let at = 0;
    const own = waiting.filter((_, index) => {
      const from = at;
      at += texts[index]!.length;
      return start >= 0 && from < end && at > start;
    });
    waiting = start < 0 ? waiting : waiting.slice(waiting.indexOf(own.at(-1)!) + 1);
    return own;
  };
}
