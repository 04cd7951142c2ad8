/** The tasks of a report: each with what was expected, what every variant made of it, and transcripts of what failed. */
import { type Content, html, type Markup } from '../../html/markup.ts';
import { plainText } from '../../html/pieces.ts';
import { facts } from '../../html/table.ts';
import type { CallMade, Expected, Sample } from '../results.ts';
import { nameOf } from './rates-view.ts';
import { passed, type TaskResults, type VariantResults } from './variants.ts';
import { whyNot } from './why.ts';

/** The transcript of a sample; undefined where there is none. */
export type TranscriptOf = (sample: Sample, of: VariantResults) => Promise<Content>;

export function taskFilters(variants: readonly VariantResults[]): Markup {
  return html`<div id="filters" class="controls" role="search" aria-label="Filter of the tasks" hidden>
<label>Words of a task <input id="filter-words" type="search" placeholder="press / to type" autocomplete="off" spellcheck="false"></label>
<label>Variant <select id="filter-variant"><option value="">all</option>${variants.map(
    ({ number, label }) => html`<option value="${number}">${number} ${label}</option>`,
  )}</select></label>
<label class="line"><input id="filter-failures" type="checkbox">Failures only</label>
<span class="quiet small count" id="filter-count" role="status"></span>
</div>`;
}

export async function taskView({ task, asked }: TaskResults, transcriptOf: TranscriptOf): Promise<Markup> {
  const { id, query, tags, expected } = task;
  const failed = asked.filter(({ samples }) => !samples.every(passed)).map(({ of }) => of.number);
  const parts: Markup[] = [];
  for (const { of, samples } of asked) parts.push(await askedView(of, samples, transcriptOf));
  return html`<details class="task" data-text="${[id, query, ...tags].join(' ').toLowerCase()}" data-failed="${failed.join(' ')}">
<summary><span class="task-head"><span class="task-name"><b>${id}</b> <span class="quiet">${query}</span></span><span class="marks">${asked.map(
    ({ of, samples }) => mark(of, samples),
  )}</span></span></summary>
${facts([
  ['Question', query],
  ['Expected', expectedText(expected)],
  [
    'Answer holds',
    expected.answerHolds.map(one => (typeof one === 'string' ? one : one.join(' or '))).join('; '),
  ],
  ['Tags', tags.join(', ')],
])}
${parts}</details>
`;
}

function mark({ number, label }: VariantResults, samples: readonly Sample[]): Markup {
  const right = samples.filter(passed).length;
  const all = right === samples.length;
  const said = `variant ${number}, ${label}: ${right} of ${samples.length} right`;
  return html`<span class="mark ${all ? 'right' : right === 0 ? 'wrong' : 'partly'}" title="${said}"><span aria-hidden="true">${number}${
    all ? ' ✓' : samples.length === 1 ? ' ✗' : ` ${right}/${samples.length}`
  }</span><span class="sr">${said}</span></span>`;
}

async function askedView(
  of: VariantResults,
  samples: readonly Sample[],
  transcriptOf: TranscriptOf,
): Promise<Markup> {
  const right = samples.filter(passed).length;
  const parts: Content[] = [];
  for (const sample of samples) {
    const why = whyNot(sample);
    if (why !== undefined) parts.push(await failureView(sample, why, of, transcriptOf));
  }
  const [first] = samples.filter(passed);
  return html`<section class="asked" data-variant="${of.number}"><h3>${nameOf(of)} <span class="quiet">${right} of ${samples.length} right</span></h3>
${first && html`<p class="small quiet">${callsText(first.calls)}${first.answer !== '' && html` — “${clipped(first.answer)}”`}</p>`}${parts}</section>`;
}

async function failureView(
  sample: Sample,
  why: string,
  of: VariantResults,
  transcriptOf: TranscriptOf,
): Promise<Markup> {
  return html`<details class="failure"><summary>Sample ${sample.sample + 1}: <span class="bad">${why}</span></summary>
${facts([
  ['Calls', sample.calls.length === 0 ? 'none' : plainText(sample.calls.map(callText).join('\n'), 4000)],
  ['Answer', sample.answer === '' ? 'none' : plainText(sample.answer, 4000)],
  ['Seed', sample.seed],
])}
${await transcriptOf(sample, of)}</details>`;
}

function expectedText({ call, calls }: Expected): Content {
  if (!call) return 'no call';
  if (calls.length === 0) return 'a call of any tool';
  const lines = calls.map(({ tool, arguments: args }) => (args ? `${tool} ${JSON.stringify(args)}` : tool));
  return plainText(lines.join('\n'), 4000);
}

function callText({ tool, argumentsText, problem }: CallMade): string {
  return `${tool || '(no name)'} ${argumentsText}${problem === undefined ? '' : `  — ${problem}`}`;
}

function callsText(calls: readonly CallMade[]): string {
  if (calls.length === 0) return 'no call';
  return clipped(calls.map(callText).join('; '));
}

function clipped(text: string): string {
  return text.length > 240 ? `${text.slice(0, 239)}…` : text;
}
