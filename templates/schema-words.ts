/** Names, texts and values in the compact forms, such that none of them can end the place where it stands. */

/** Whatever a reader may take for the end of a line. */
const lineBreak = /\r\n|[\n\r\v\f\x85\u2028\u2029]/g;

/** JSON without spaces, on what is one line for every reader. */
export function json(value: unknown): string {
  return oneLine(JSON.stringify(value) ?? 'null');
}

/** JSON text with the characters escaped that end a line for some readers. */
export function oneLine(jsonText: string): string {
  return jsonText.replace(
    /[\x7f-\x9f\u2028\u2029]/g,
    found => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The lines of a text, without white space at its ends. */
export function linesOf(text: string): string[] {
  return text.trim().replace(lineBreak, '\n').split('\n');
}

/** A text in one line, its line breaks written as `\n`. */
export function inline(text: string): string {
  return linesOf(text).join('\\n');
}

/** A name as it is, or in quotes where it would not read as one word. */
export function nameWord(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : json(name);
}

/** A tool's name may have dots, dashes and colons in it. */
export function toolWord(name: string): string {
  return /^[\p{L}\p{N}_$][\p{L}\p{N}_$.:-]*$/u.test(name) ? name : json(name);
}
