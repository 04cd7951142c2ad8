/** The page of an evaluation: one file with its rates, costs, mix-ups and tasks, and the transcripts of what failed. */
import path from 'node:path';
import type { JsonObject } from '../../../parsers/parser.ts';
import { type Content, html, htmlText, type Markup } from '../../html/markup.ts';
import { page } from '../../html/page.ts';
import { facts, table } from '../../html/table.ts';
import { metricsOf, type RateName } from '../metrics.ts';
import type { Sample } from '../results.ts';
import { confusionView } from './confusion-view.ts';
import { costsView, scatterView } from './costs-view.ts';
import { script } from './page-script.ts';
import { style } from './page-style.ts';
import { type Measured, nameOf, ratesView } from './rates-view.ts';
import { taskFilters, taskView } from './tasks-view.ts';
import { transcriptView } from './transcript.ts';
import { commonParts, tasksOf, type VariantResults } from './variants.ts';
import { countText, namesText, percentText, timeText } from './words.ts';

/** So many characters of transcripts are in a page; a browser still opens it at once. */
const transcriptRoom = 12_000_000;

export async function htmlReport(
  variants: readonly VariantResults[],
  room = transcriptRoom,
): Promise<string> {
  const measured = variants.map(of => ({ of, metrics: metricsOf(of.samples) }));
  const tasks = tasksOf(variants);
  const transcriptOf = transcripts(room);
  const taskViews: Markup[] = [];
  for (const task of tasks) taskViews.push(await taskView(task, transcriptOf));
  const sets = [...new Set(variants.map(({ header }) => header.set))].join(', ');
  const several = variants.length > 1;
  const confusion = confusionView(variants);
  return page(
    { title: `Evaluation: ${sets}`, style, script },
    html`<header><h1>Evaluation: ${sets}</h1>
<p class="lead">${counted(tasks.length, 'task')}, ${counted(variants.length, 'variant')}, ${counted(
      variants.reduce((sum, { samples }) => sum + samples.length, 0),
      'sample',
    )}</p>
${headFacts(variants)}
<nav class="contents" aria-label="Contents"><a href="#variants">Variants</a><a href="#rates">Rates</a><a href="#costs">Tokens and times</a><a href="#calls">Calls</a><a href="#tasks">Tasks</a></nav></header>
<main>
<section id="variants"><h2>Variants</h2>${variantsView(measured)}${several && scatterView(measured)}</section>
<section id="rates"><h2>Rates</h2><p class="quiet small">Bars are intervals of 95 % (Wilson). Runs that broke off count in none of them.</p>${ratesView(measured)}</section>
<section id="costs"><h2>Tokens and times</h2>${costsView(measured)}</section>
<section id="calls"><h2>Calls</h2>${callsView(measured)}<h3>Tools expected and called</h3><p class="quiet small">Each tool counts once a sample; tasks where any tool would do are left out.</p>${confusion}</section>
<section id="tasks"><h2>Tasks</h2>${taskFilters(variants)}${taskViews}</section>
</main>`,
  );
}

function headFacts(variants: readonly VariantResults[]): Markup {
  const headers = [...new Set(variants.map(({ header }) => header))];
  const each = (value: (header: VariantResults['header']) => string | number) =>
    [...new Set(headers.map(value))].join(', ');
  return facts([
    ...(variants.length > 1 ? commonParts(variants) : []),
    ['Samples a task', each(({ samples }) => samples)],
    ['Seed', each(({ seed }) => seed)],
    ['Settings', each(({ settings }) => settingsText(settings))],
    ['Begun', each(({ started }) => `${started.slice(0, 16).replace('T', ' ')} UTC`)],
    ['rawcall', each(({ rawcall }) => rawcall)],
  ]);
}

function settingsText(settings: JsonObject): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ');
}

const headline: readonly RateName[] = [
  'right',
  'schemaValid',
  'decision',
  'toolSelection',
  'arguments',
  'answerHolds',
];

function variantsView(measured: readonly Measured[]): Content {
  const titles = ['Right', 'Schema-valid', 'Decision', 'Tool', 'Arguments', 'Answer'];
  const alerts = measured.flatMap(alertsOf);
  return [
    table({
      caption: 'Variants and their main figures',
      captionUnseen: true,
      wide: true,
      columns: [
        { title: 'Variant' },
        ...titles.map(title => ({ title, kind: 'number' as const })),
        { title: 'Tokens', kind: 'number' },
        { title: 'Time', kind: 'number' },
      ],
      rows: measured.map(({ of, metrics: { rates, tokens, samples, total } }) => [
        nameOf(of),
        ...headline.map(name => {
          const { rate } = rates[name];
          return rate === undefined ? '–' : percentText(rate);
        }),
        samples === 0 ? '–' : countText((tokens.evaluated + tokens.generated) / samples),
        total ? timeText(total.median) : '–',
      ]),
    }),
    alerts.length > 0 && html`<ul class="alerts small">${alerts}</ul>`,
  ];
}

/** What makes the figures incomplete. */
function alertsOf({ of, metrics: { errors } }: Measured): Content[] {
  const lines: (Content | false)[] = [
    of.failed && `it could not be asked: ${of.failed.message}`,
    of.missing > 0 && `${counted(of.missing, 'sample')} missing`,
    errors > 0 && `${counted(errors, 'sample')} broke off`,
  ];
  const said = lines.filter(line => line !== false && line !== undefined);
  if (said.length === 0) return [];
  return [html`<li>${nameOf(of)}: ${said.map((line, at) => [at > 0 && '; ', line])}</li>`];
}

function callsView(measured: readonly Measured[]): Markup {
  return table({
    caption: 'Calls',
    captionUnseen: true,
    wide: true,
    columns: [
      { title: 'Variant' },
      { title: 'Calls', kind: 'number' },
      { title: 'Needless', kind: 'number' },
      { title: 'Made again', kind: 'number' },
      { title: 'Not readable', kind: 'number' },
      { title: 'Why' },
      { title: 'Repairs' },
    ],
    rows: measured.map(({ of, metrics: { calls, problems, repairs } }) => [
      nameOf(of),
      ...[calls.made, calls.needless, calls.repeated, calls.malformed].map(countText),
      namesText(problems) || '–',
      namesText(repairs) || '–',
    ]),
  });
}

/** Transcripts, as long as there is room for them. */
function transcripts(room: number) {
  let left = room;
  return async ({ transcript }: Sample, { file }: VariantResults): Promise<Content> => {
    if (transcript === undefined) return html`<p class="small quiet">It was not recorded.</p>`;
    const place = path.resolve(path.dirname(file), transcript);
    if (left <= 0)
      return html`<p class="small quiet">There was no more room in this page: rawcall show ${place}</p>`;
    const view = await transcriptView(place);
    left -= htmlText(view).length;
    return view;
  };
}

function counted(count: number, word: string): string {
  return `${countText(count)} ${word}${count === 1 ? '' : 's'}`;
}
