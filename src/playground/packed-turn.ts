/** A turn on its way to the page: its tokens in columns, which are a fifth of what they are one by one. */
import type { PromptToken } from '../engine/engine.ts';
import type { PackedTurn, RawTurn, TokenColumns } from './protocol.ts';

export function packTurn({ tokens, ...turn }: RawTurn): PackedTurn {
  return { ...turn, ...(tokens ? { tokens: columnsOf(tokens) } : {}) };
}

export function unpackTurn({ tokens, ...turn }: PackedTurn): RawTurn {
  return { ...turn, ...(tokens ? { tokens: tokensOf(tokens) } : {}) };
}

function columnsOf(tokens: readonly PromptToken[]): TokenColumns {
  const parts: { from: number; origin: PromptToken['origin']; control: boolean }[] = [];
  for (const [from, { origin, control }] of tokens.entries()) {
    const last = parts.at(-1);
    if (last?.origin !== origin || last.control !== control) parts.push({ from, origin, control });
  }
  return { ids: tokens.map(({ id }) => id), texts: tokens.map(({ text }) => text), parts };
}

function tokensOf({ ids, texts, parts }: TokenColumns): PromptToken[] {
  const tokens: PromptToken[] = [];
  for (const [at, { from, origin, control }] of parts.entries()) {
    const end = parts[at + 1]?.from ?? ids.length;
    for (let token = from; token < end; token++)
      tokens.push({ id: ids[token]!, text: texts[token]!, control, origin });
  }
  return tokens;
}
