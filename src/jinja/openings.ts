/** How a chat template opens a reply: what of it is the template's, and what belongs to the completion already. */
import { errandOf, type Render, talkOf } from '../detection/parts.ts';

export interface Openings {
  /** From the end of a user's text to where a reply begins. */
  readonly afterUser: string;
  /** From the end of a result; undefined where the template shows none. */
  readonly afterResult: string | undefined;
  /** What the template writes of the reply itself, such as `<think>\n`. */
  readonly prefill: string;
}

/** Where a thought is opened or closed, the reply has begun. */
const thought = /<\/?(?:\w+:)?think>|\[\/?THINK\]|<\|START_THINKING\|>/;

export function openingsOf(render: Render, thinking: boolean | undefined): Openings {
  const told: Render = probe => render(thinking === undefined ? probe : { ...probe, thinking });
  const talk = talkOf(told);
  if ('failure' in talk) return { afterUser: '', afterResult: undefined, prefill: '' };
  const { opening, reply } = talk;
  // In the history a reply begins where the two part; earlier, where both of them show a thought.
  let begun = 0;
  while (begun < opening.length && opening[begun] === reply[begun]) begun++;
  const thinks = opening.search(thought);
  if (thinks >= 0) begun = Math.min(begun, thinks);
  const prefill = opening.slice(begun);
  const errand = errandOf(told);
  const after = typeof errand === 'object' ? errand.after : undefined;
  return {
    afterUser: opening.slice(0, begun),
    afterResult: after?.endsWith(prefill) ? after.slice(0, after.length - prefill.length) : after,
    prefill,
  };
}
