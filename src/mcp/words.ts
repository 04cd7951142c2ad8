/** Cuts a command line into words as a shell does: quotes and backslashes, and nothing else that a shell knows. */
import { RawcallError } from '../../parsers/error.ts';

/** @throws RawcallError `bad_mcp_arguments` */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    const next = line[at + 1];
    if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= '';
    if (character === quote) quote = undefined;
    else if (quote === undefined && (character === '"' || character === "'")) quote = character;
    else if (character === '\\' && next !== undefined && escapes(quote, next)) {
      word += next;
      at++;
    } else word += character;
  }
  if (quote !== undefined) {
    const message = `The arguments ${JSON.stringify(line)} have an opening ${quote} and no closing one. Close it, or write \\${quote}.`;
    throw new RawcallError('bad_mcp_arguments', message, { line });
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Inside double quotes a backslash stands for itself but before a quote, a backslash, a `$` and a backtick. */
function escapes(quote: string | undefined, next: string): boolean {
  if (quote === undefined) return true;
  return quote === '"' && /["\\$`]/.test(next);
}
