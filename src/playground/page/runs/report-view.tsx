/** The report of an evaluation: variants with their rates, and the tasks with what failed. */
import type { EvalReport, ReportVariant } from '../../runs/runs-protocol.ts';
import { counted } from './counted.ts';
import { dateText } from './file-list.tsx';
import { RateCell } from './rate-cell.tsx';
import { ReportTasks } from './report-tasks.tsx';

interface ReportViewProps {
  readonly report: EvalReport;
  /** Of the results in the folder, whose transcripts can be opened. */
  readonly id?: string;
}

export function ReportView({ report, id }: ReportViewProps) {
  const { set, started, seed, settings = {}, rates, variants, tasks } = report;
  const said = Object.entries(settings).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const facts = [
    ...(started === undefined ? [] : [dateText(started)]),
    counted(tasks.length, 'task'),
    counted(variants.length, 'variant'),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...said,
  ];
  return (
    <>
      <h2>Evaluation: {set}</h2>
      <p class="quiet small">{facts.join(', ')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is scrolled by the keys. */}
      <section class="scroll" aria-label="Rates" tabIndex={0}>
        <table>
          <caption>Rates, with intervals of 95 % (Wilson)</caption>
          <thead>
            <tr>
              <th scope="col">Variant</th>
              {rates.map(({ name, title, of, better }) => (
                <th key={name} scope="col" title={`of ${of}${better === 'lower' ? '; less is better' : ''}`}>
                  {title}
                  {better === 'lower' && <span class="quiet"> ↓</span>}
                </th>
              ))}
              <th scope="col" class="number">
                tokens a sample
              </th>
            </tr>
          </thead>
          <tbody>
            {variants.map(variant => (
              <tr key={variant.number}>
                <th scope="row">
                  {variant.number} {variant.label}
                </th>
                {rates.map(({ name }) => (
                  <RateCell key={name} rate={variant.metrics.rates[name]} />
                ))}
                <td class="number">{tokensText(variant)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <ul class="alerts small">
        {variants.flatMap(alertsOf).map(alert => (
          <li key={alert} class="bad">
            {alert}
          </li>
        ))}
      </ul>
      <ReportTasks report={report} {...(id === undefined ? {} : { id })} />
    </>
  );
}

function tokensText({ metrics: { tokens, samples } }: ReportVariant): string {
  if (samples === 0) return '–';
  return Math.round((tokens.evaluated + tokens.generated) / samples).toLocaleString('en');
}

/** What makes the figures incomplete. */
function alertsOf({ number, label, failed, missing, metrics: { errors } }: ReportVariant): string[] {
  const name = `${number} ${label}`;
  return [
    ...(failed === undefined ? [] : [`${name}: it could not be asked: ${failed}`]),
    ...(missing > 0 ? [`${name}: ${missing} samples are missing`] : []),
    ...(errors > 0 ? [`${name}: ${errors} samples broke off`] : []),
  ];
}
