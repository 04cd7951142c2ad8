/** `@server:uri` in a question: which resources it speaks of. */

export interface Mention {
  readonly server: string;
  /** A URI, or a template with its values: `note:///{+path=garden/roses.md}`. */
  readonly reference: string;
}

/**
 * Each mention once, in the order of the text. Only what follows an `@` at the beginning of a word and names a server of the run
 * is one, so that an address such as `ann@example.org` stays text; a sentence's own punctuation behind it does not belong to it.
 */
export function mentionsIn(text: string, servers: readonly string[]): Mention[] {
  const found = new Map<string, Mention>();
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}_@])@/gu)) {
    const server = serverAt(text, index + 1, servers);
    const reference = server === undefined ? '' : referenceIn(text.slice(index + server.length + 2));
    if (server !== undefined && reference !== '') found.set(`${server}:${reference}`, { server, reference });
  }
  return [...found.values()];
}

/** The longest name that stands there with its colon: a name may begin like another, and have blanks. */
export function serverAt(text: string, at: number, servers: readonly string[]): string | undefined {
  const fitting = servers.filter(name => text.startsWith(`${name}:`, at));
  return fitting.sort((left, right) => right.length - left.length)[0];
}

/** Up to the next blank, but for those in a template's braces. */
function referenceIn(text: string): string {
  const whole = /^(?:\{[^}\n]*\}|[^\s{])*/.exec(text)?.[0] ?? '';
  const words = whole.replace(/[.,;:!?'"“”»]+$/u, '');
  return words.includes('(') ? words : words.replace(/\)+[.,;:!?]*$/u, '');
}
