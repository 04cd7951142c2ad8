/** Prompts and completions to look at: a control token can be told from text that spells the same, and whose text it is. */
import type { Piece } from '../../parsers/parser.ts';
import type { Prompt } from '../../templates/template.ts';
import { type Content, html, type Markup } from './markup.ts';

/** So many characters of a text are shown unless somebody says otherwise; of more, its beginning and its end. */
export const shownCharacters = 20_000;

export function promptPieces(prompt: Prompt, limit = shownCharacters): Markup {
  return pieces(
    prompt.map(piece =>
      'control' in piece
        ? { text: piece.control, kind: 'control' }
        : { text: piece.text, kind: `from-${piece.origin}` },
    ),
    limit,
  );
}

export function completionPieces(completion: readonly Piece[], limit = shownCharacters): Markup {
  return pieces(
    completion.map(({ text, control }) => ({ text, kind: control ? 'control' : 'from-assistant' })),
    limit,
  );
}

/** A text of one kind, such as a result. */
export function plainText(text: string, limit = shownCharacters): Markup {
  return pieces([{ text, kind: 'from-assistant' }], limit);
}

interface Shown {
  readonly text: string;
  readonly kind: string;
}

function pieces(all: readonly Shown[], limit: number): Markup {
  const length = all.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= limit) return html`<pre class="pieces">${joined(all).map(span)}</pre>`;
  const half = Math.floor(limit / 2);
  const left = length - 2 * half;
  return html`<pre class="pieces">${joined(cut(all, 0, half)).map(span)}<span class="left-out">… ${left.toLocaleString('en')} characters are left out here …</span>${joined(cut(all, length - half, length)).map(span)}</pre>`;
}

/** What stands from one character to another. */
function cut(all: readonly Shown[], from: number, to: number): Shown[] {
  let start = 0;
  return all.flatMap(({ text, kind }) => {
    const part = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += text.length;
    return part === '' ? [] : [{ text: part, kind }];
  });
}

/** A completion comes in hundreds of pieces; neighbours of one kind are one. Control tokens stay apart. */
function joined(all: readonly Shown[]): Shown[] {
  const out: Shown[] = [];
  for (const piece of all) {
    const last = out.at(-1);
    if (last && last.kind === piece.kind && piece.kind !== 'control')
      out[out.length - 1] = { ...piece, text: last.text + piece.text };
    else out.push(piece);
  }
  return out;
}

function span({ text, kind }: Shown): Content {
  return html`<span class="${kind}">${text}</span>`;
}
