/** Rewrites JSON text without reading its numbers, so that every digit that was there is still there. */

// A string is read run by run: an alternation for each character would fill the regular expression's stack.
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+|[[\]{},:]/gs;

/** Strings, and numbers digit by digit: of JSON in which some numbers are to be written in another way. */
export const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/** JSON in the spacing of Python's `json.dumps` (`{"a": 1, "b": [2]}`), which models were trained on; non-ASCII stays as it is. */
export function spacedJson(json: string): string {
  return rewrite(json, word => word);
}

/** JSON as a Python literal: `True`, `False`, `None`; strings keep double quotes. */
export function pythonLiteral(json: string): string {
  return rewrite(json, word => pythonWords[word] ?? word);
}

/** JSON as raw text between tags: a string as it is, everything else as JSON. */
export function rawText(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : spacedJson(json);
}

const pythonWords: Record<string, string> = { true: 'True', false: 'False', null: 'None' };

/** Brackets, commas, colons, strings in their quotes and bare words, in order. */
export function* jsonLexemes(json: string): Generator<string, void> {
  for (const [lexeme] of json.matchAll(token)) yield lexeme;
}

/** What may be spelled in more than one way. */
const escaped = /[\\\ud800-\udfff]/;

/** What is written in another way, or may be; brackets stay. */
const rewritten = /"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+|[,:]|\s+/gs;

function rewrite(json: string, word: (word: string) => string): string {
  return json.replace(rewritten, lexeme => {
    if (lexeme === ',') return ', ';
    if (lexeme === ':') return ': ';
    if (lexeme.startsWith('"')) return escaped.test(lexeme) ? JSON.stringify(JSON.parse(lexeme)) : lexeme;
    return lexeme.trim() === '' ? '' : word(lexeme);
  });
}

/** The members of a JSON object's text, keys decoded, values as their exact text. */
export function jsonMembers(json: string): readonly (readonly [key: string, value: string])[] {
  const members: [string, string][] = [];
  let depth = 0;
  let key: string | undefined;
  let value = '';
  for (const [lexeme] of json.matchAll(token)) {
    if (lexeme === '}' || lexeme === ']') depth--;
    if (depth === 0 || (depth === 1 && lexeme === ',')) {
      if (key !== undefined) members.push([key, value]);
      key = undefined;
      value = '';
    } else if (depth === 1 && key === undefined) key = JSON.parse(lexeme) as string;
    else if (!(depth === 1 && value === '' && lexeme === ':')) value += lexeme;
    if (lexeme === '{' || lexeme === '[') depth++;
  }
  return members;
}
