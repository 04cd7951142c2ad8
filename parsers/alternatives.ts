/** Texts as regular expressions. */

export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The source that matches any of these texts, the earlier ones first; without one nothing, where an empty source would match everywhere. */
export function alternatives(texts: readonly string[]): string {
  return texts.length === 0 ? '(?!)' : texts.map(escapeRegExp).join('|');
}
