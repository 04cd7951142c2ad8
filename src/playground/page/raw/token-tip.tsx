/** What is known of the token that is looked at, just below it. What is spoken of it is the token's own label. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Flow } from './flow.ts';

interface TokenTipProps {
  readonly flow: Flow;
  readonly token: number | undefined;
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Where the token is drawn, if it is. */
  readonly elementOf: (token: number) => Element | undefined;
  /** It changes when the token may stand elsewhere. */
  readonly drawn: string;
}

export function TokenTip({ flow, token, scroller, elementOf, drawn }: TokenTipProps) {
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const rows = scroller.current;
    const cell = token === undefined ? undefined : elementOf(token);
    if (!tip.current || !rows) return;
    tip.current.hidden = !cell || !place(tip.current, cell, rows);
  }, [flow, token, drawn]);

  const facts = token === undefined || token >= flow.tokens.length ? undefined : flow.facts(token);
  return (
    <div class="tip" aria-hidden="true" hidden ref={tip}>
      {facts?.text !== undefined && <code>{shortened(JSON.stringify(facts.text))}</code>}
      <span>{facts?.notes.join(' · ')}</span>
    </div>
  );
}

/** False where the token is out of sight. */
function place(tip: HTMLElement, cell: Element, rows: HTMLElement): boolean {
  const [frame, token] = [rows.getBoundingClientRect(), cell.getBoundingClientRect()];
  if (token.bottom <= frame.top || token.top >= frame.bottom) return false;
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const gap = 4;
  const below = token.bottom - frame.top + gap;
  const fits = token.bottom + gap + height <= innerHeight;
  tip.style.top = `${fits ? below : token.top - frame.top - height - gap}px`;
  tip.style.left = `${Math.max(0, Math.min(token.left - frame.left, frame.width - width - 2 * gap))}px`;
  return true;
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 40)} … ${text.slice(-30)}` : text;
}
