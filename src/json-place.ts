/** Where something stands in a file, and a JSON reader's error in words. */

/** Both from 1; columns in UTF-16 units. */
export function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** `PropertyNameExpected` → `property name expected` */
export function errorWords(code: string): string {
  return code.replace(/\B[A-Z]/g, letter => ` ${letter}`).toLowerCase();
}
