/**
 * HTML in which every text that was put in is escaped, so that a page can hold what a model, a tool or a stranger wrote.
 * Only the literal parts of an `html` template are HTML; values are texts, or what an `html` template gave.
 */
const source = Symbol('html');

/** No value that came from elsewhere can be one: its key is known to this file alone. */
export interface Markup {
  readonly [source]: string;
}

/** What may stand in a template; `undefined` and `false` are nothing. */
export type Content = string | number | Markup | undefined | false | readonly Content[];

/** Attributes stand in quotes; nothing but our own constants goes into an address. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const text = parts
    .map((part, at) => `${part}${at < values.length ? contentText(values[at]) : ''}`)
    .join('');
  return { [source]: text };
}

/** The HTML of it, for a file. */
export function htmlText(content: Content): string {
  return contentText(content);
}

function contentText(content: Content): string {
  if (content === undefined || content === false) return '';
  if (typeof content === 'string') return escaped(content);
  if (typeof content === 'number') return String(content);
  if (isMarkup(content)) return content[source];
  return content.map(contentText).join('');
}

function isMarkup(content: Markup | readonly Content[]): content is Markup {
  return source in content;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What a page would not show, or what turns the direction of writing round, is written as its code. */
const unseen =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu;

function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, character => entities[character] ?? character)
    .replace(unseen, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
