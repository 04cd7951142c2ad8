/** The context as a bar: what of it the next prompt takes, by what it is made of, and what is free. */
import type { ContextBill } from '../../protocol.ts';
import type { Bill } from './bill.ts';

const parts = ['template', 'system', 'tools', 'history', 'results'] as const;
const titles = {
  template: 'template',
  system: 'system',
  tools: 'tools',
  history: 'history',
  results: 'results',
} as const;

export function TokenBar({ bill, missing }: Bill) {
  if (!bill) return <p class="small quiet token-bar">{missing ?? 'The context is being counted…'}</p>;
  const filled = parts.filter(part => bill[part] > 0);
  return (
    <div class="token-bar">
      <div class="track" role="img" aria-label={inWords(bill)}>
        {filled.map(part => (
          <span
            key={part}
            class={`part ${part}`}
            style={{ flexGrow: bill[part] }}
            title={`${titles[part]}: ${count(bill[part])} tokens`}
          />
        ))}
        <span
          class="part free"
          style={{ flexGrow: Math.max(0, bill.free) }}
          title={`free: ${count(bill.free)}`}
        />
      </div>
      <ul class="small" aria-hidden="true">
        {filled.map(part => (
          <li key={part}>
            <span class={`swatch ${part}`} />
            {titles[part]} {count(bill[part])}
          </li>
        ))}
        <li>
          <span class="swatch free" />
          free {count(bill.free)} of {count(bill.contextSize)}
        </li>
      </ul>
    </div>
  );
}

function inWords(bill: ContextBill): string {
  const filled = parts.map(part => `${titles[part]} ${bill[part]}`).join(', ');
  return `The context of ${bill.contextSize} tokens: ${filled}, free ${bill.free}.`;
}

const count = (tokens: number) => tokens.toLocaleString('en');
