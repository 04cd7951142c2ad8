/** Texts in XML. */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML has no control characters, escaped or not: they are written as their codes. */
export function xml(text: string): string {
  return text
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
      character => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .replace(/[&<>"]/g, character => entities[character] ?? character)
    .replace(/[\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd');
}
