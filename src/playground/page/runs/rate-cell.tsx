/** A rate in a table, with its interval as a bar. */
import type { Rate } from '../../../eval/metrics.ts';
import { percentText, shareText } from '../../../eval/report/words.ts';

export function RateCell({ rate }: { readonly rate: Rate }) {
  const { rate: share, interval } = rate;
  if (share === undefined) return <td class="quiet">–</td>;
  const { low, high } = interval;
  const from = `${percentText(low)} to ${percentText(high)}`;
  return (
    <td class="rate" title={`${shareText(rate)}, from ${from}`}>
      <span class="figure">{percentText(share)}</span>
      <span class="sr">, interval from {from}</span>
      <span class="interval" aria-hidden="true">
        <span class="spread" style={{ left: `${low * 100}%`, width: `${(high - low) * 100}%` }} />
        <span class="dot" style={{ left: `${share * 100}%` }} />
      </span>
    </td>
  );
}
