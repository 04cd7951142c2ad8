/** Which tools were called where which were expected: a matrix, or, where that would be too wide, the pairs that were mixed up. */
import { type Content, html, type Markup } from '../../html/markup.ts';
import { table } from '../../html/table.ts';
import { type Confusion, confusedNames, confusionOf, noTool } from './confusion.ts';
import { nameOf } from './rates-view.ts';
import type { VariantResults } from './variants.ts';

const widest = 14;
const mostPairs = 40;

export function confusionView(variants: readonly VariantResults[]): readonly Markup[] {
  return variants
    .filter(({ samples }) => samples.length > 0)
    .map((of, at) => {
      const confusion = confusionOf(of.samples);
      const names = confusedNames(confusion);
      return html`<details class="by-variant"${at === 0 && html` open`}><summary>${nameOf(of)}</summary>${
        names.length <= widest ? matrix(of, confusion, names) : pairs(of, confusion)
      }</details>`;
    });
}

function matrix(
  { label }: VariantResults,
  confusion: readonly Confusion[],
  names: readonly string[],
): Markup {
  const count = new Map(confusion.map(one => [JSON.stringify([one.expected, one.called]), one.count]));
  const rows = names.filter(name => confusion.some(({ expected }) => expected === name));
  const most = Math.max(...confusion.map(one => one.count));
  const caption = `${label}: expected tools in rows, called ones in columns`;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="confusion"><caption class="sr">${caption}</caption>
<thead><tr><th scope="col" class="quiet">expected ↓ called →</th>${names.map(
    name => html`<th scope="col">${name === noTool ? 'no call' : name}</th>`,
  )}</tr></thead>
<tbody>${rows.map(
    row =>
      html`<tr><th scope="row">${row === noTool ? 'no tool' : row}</th>${names.map(column => {
        const found = count.get(JSON.stringify([row, column])) ?? 0;
        return html`<td class="${found === 0 ? 'zero' : `${row === column ? 'same' : 'other'} depth-${Math.ceil((4 * found) / most)}`}">${found === 0 ? '·' : found}</td>`;
      })}</tr>`,
  )}</tbody></table></div>`;
}

function pairs({ label }: VariantResults, confusion: readonly Confusion[]): Content {
  const mixed = confusion.filter(({ expected, called }) => expected !== called);
  const right = confusion.reduce((sum, one) => sum + (one.expected === one.called ? one.count : 0), 0);
  const shown = [...mixed].sort((one, other) => other.count - one.count).slice(0, mostPairs);
  return html`<p class="small">${right} as expected. ${mixed.length === 0 ? 'Nothing was mixed up.' : 'Mixed up:'}</p>${
    shown.length > 0 &&
    table({
      caption: `${label}: tools that were mixed up`,
      captionUnseen: true,
      columns: [{ title: 'Expected' }, { title: 'Called' }, { title: 'Times', kind: 'number' }],
      rows: shown.map(({ expected, called, count }) => [expected || 'no tool', called || 'no call', count]),
    })
  }${mixed.length > shown.length && html`<p class="small quiet">and ${mixed.length - shown.length} pairs more</p>`}`;
}
