/**
 * Untrusted text on its way through a chat template. A template sees plain strings and gives one back, so each text is put
 * between marks, characters of the private use area that do not occur in the conversation: they pass through filters such as
 * `tojson`, `trim` and `split`, and show in the rendering what is whose. White space at a text's ends stays outside, where `trim`
 * finds it. For a template that cuts a text apart and loses a mark, every control token in it is broken by a stand-in besides.
 */
import { RawcallError } from '../../parsers/error.ts';
import type { Origin } from '../../templates/template.ts';

/** A part of a rendering: the template's own text, or a text of the conversation. `turn` as in `Wording.text`. */
export interface Segment {
  readonly text: string;
  readonly origin: Origin;
  readonly turn: number;
}

export interface Marks {
  text(text: string, origin: Origin, turn: number): string;
  /** Without marks, for a text that a template may look into. */
  word(text: string): string;
  /** A number that JavaScript would print otherwise. It is given as a text and loses its quotes again. */
  number(text: string, turn: number): string;
  /** Stand-ins are still in the template's own segments: `restore` them once control tokens have been looked for. */
  segments(rendered: string): Segment[];
  restore(text: string): string;
}

/** @param controlTokens matches every control token, all flags but `g` unset */
export function createMarks(conversation: string, controlTokens: RegExp): Marks {
  const free = freeCharacters(conversation);
  const [open, head, close, digits] = [free(), free(), free(), free()];
  const known: { readonly origin: Origin; readonly turn: number }[] = [];
  const numbers = new Map<string, number>();
  const standIns = new Map<string, string>();
  const originals = new Map<string, string>();

  function marked(text: string, origin: Origin, turn: number): string {
    const key = `${origin} ${turn}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = known.push({ origin, turn }) - 1;
      numbers.set(key, number);
    }
    const body = text.trim();
    if (body === '') return text;
    const at = text.indexOf(body);
    return `${text.slice(0, at)}${open}${number}${head}${body}${close}${text.slice(at + body.length)}`;
  }

  function broken(text: string): string {
    let safe = text;
    // Breaking one may leave another that overlapped it.
    while (safe.search(controlTokens) >= 0) {
      const next = safe.replace(controlTokens, token => {
        const at = weakSpot(token);
        return `${token.slice(0, at)}${standIn(token[at]!)}${token.slice(at + 1)}`;
      });
      if (next === safe) break;
      safe = next;
    }
    return safe;
  }

  function standIn(character: string): string {
    let found = standIns.get(character);
    if (found === undefined) {
      found = free();
      standIns.set(character, found);
      originals.set(found, character);
    }
    return found;
  }

  const restore = (text: string) => text.replace(/[\uE000-\uF8FF]/g, one => originals.get(one) ?? one);
  const ours = () => new Set([open, head, close, digits, ...originals.keys()]);

  return {
    text: (text, origin, turn) => marked(broken(text), origin, turn),
    word: broken,
    number: (text, turn) => marked(`${digits}${text}${digits}`, 'assistant', turn),
    restore,
    segments(rendered) {
      const mine = ours();
      const plain = rendered
        // As `tojson(ensure_ascii=true)` prints them.
        .replace(/\\u([ef][0-9a-f]{3})/gi, (escaped, hex: string) => {
          const character = String.fromCharCode(Number.parseInt(hex, 16));
          return mine.has(character) ? character : escaped;
        })
        .replace(
          new RegExp(`"(${open}\\d+${head})${digits}([^${digits}]*)${digits}(${close})"`, 'g'),
          '$1$2$3',
        )
        .replaceAll(digits, '');
      const segments: Segment[] = [];
      const add = (text: string, origin: Origin, turn: number) => {
        if (text !== '') segments.push({ text, origin, turn });
      };
      const whole = new RegExp(`${open}(\\d+)${head}([^${open}${close}]*)${close}`, 'g');
      // A mark whose other half was cut off says nothing.
      const stray = new RegExp(`${open}\\d*${head}|[${open}${head}${close}]`, 'g');
      let from = 0;
      for (const match of plain.matchAll(whole)) {
        add(plain.slice(from, match.index).replace(stray, ''), 'template', -1);
        const { origin, turn } = known[Number(match[1])]!;
        add(restore(match[2]!.replace(stray, '')), origin, turn);
        from = match.index + match[0].length;
      }
      add(plain.slice(from).replace(stray, ''), 'template', -1);
      return segments;
    },
  };
}

/** Characters of the private use area that are not in this text, neither as they are nor as `\uXXXX`. */
function freeCharacters(text: string): () => string {
  const taken = new Set(text.match(/[\uE000-\uF8FF]/g));
  for (const [, hex = ''] of text.matchAll(/\\u([ef][0-9a-f]{3})/gi))
    taken.add(String.fromCharCode(Number.parseInt(hex, 16)));
  let next = 0xe000;
  return () => {
    while (next <= 0xf8ff && taken.has(String.fromCharCode(next))) next++;
    if (next <= 0xf8ff) return String.fromCharCode(next++);
    throw new RawcallError(
      'chat_template_failed',
      'The conversation holds every character of the private use area, and some must be free to mark untrusted text. Take them out.',
      { why: 'no free character', refused: false },
    );
  };
}

/** The character to break a token at: one that no filter escapes, and rather no letter. */
function weakSpot(token: string): number {
  const sign = token.search(/[^\s\w<>&"'\\/%]|_/);
  return sign >= 0 ? sign : Math.max(0, token.search(/\w/));
}
