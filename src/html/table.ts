/** Tables with a caption and headings of rows and columns, in a frame of their own that scrolls where the window is too narrow. */
import { type Content, html, type Markup } from './markup.ts';

export interface Column {
  readonly title: Content;
  /** Of numbers: its cells stand on the right. Of a plot: it takes the room that is left, and its pictures touch. */
  readonly kind?: 'number' | 'plot-cell';
}

export interface Table {
  /** What it shows, for whoever comes to it without the text around it. */
  readonly caption: string;
  readonly columns: readonly Column[];
  /** The first cell of a row is its heading. */
  readonly rows: readonly (readonly Content[])[];
  /** As wide as the page. */
  readonly wide?: boolean;
  /** The caption is read aloud and not shown. */
  readonly captionUnseen?: boolean;
}

export function table({ caption, columns, rows, wide, captionUnseen }: Table): Markup {
  const kind = (at: number) => columns[at]?.kind ?? 'text';
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
<table class="${wide ? 'wide' : 'fit'}"><caption class="${captionUnseen ? 'sr' : 'seen'}">${caption}</caption>
<thead><tr>${columns.map(({ title }, at) => html`<th scope="col" class="${kind(at)}">${title}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([head, ...cells]) => html`<tr><th scope="row" class="${kind(0)}">${head}</th>${cells.map(
      (cell, at) => html`<td class="${kind(at + 1)}">${cell}</td>`,
    )}</tr>
`,
  )}</tbody></table></div>
`;
}

/** Names and what they stand for. What has no value is left out. */
export function facts(pairs: readonly (readonly [name: string, value: Content])[]): Markup {
  const said = pairs.filter(([, value]) => value !== undefined && value !== false && value !== '');
  return html`<dl class="facts">${said.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
