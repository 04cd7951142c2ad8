/** Law 2: every character of a completion comes out somewhere. */
import { expect } from 'vitest';
import type { ParseEvent, ReadingContext } from '../../parsers/parser.ts';
import { merged, type SyntaxUnderTest } from './syntax.ts';

/** What no call, no problem and no repair covers was said; and the text of a problem is what stands at its span. */
export function expectAccounted(
  text: string,
  events: readonly ParseEvent[],
  syntax: SyntaxUnderTest,
  context: ReadingContext,
): void {
  const said = merged(events).map(event => ('text' in event ? bare(event.text, syntax) : ''));
  // What two events say may spell a marker together, as what stood around a marker in the text may.
  expect(bare(said.join(''), syntax)).toBe(bare(outsideSpans(text, events), syntax));
  for (const event of events) {
    if (event.type !== 'call-failed') continue;
    const { start, end } = event.span;
    const inPrefill = context.prefill && start === 0;
    expect(text.slice(start, end)).toBe(inPrefill ? text.slice(0, end) : event.raw);
  }
}

/** What no call, no problem and no repair covers. */
function outsideSpans(text: string, events: readonly ParseEvent[]): string {
  const characters = [...Array(text.length).keys()].map(at => text[at] ?? '');
  for (const event of events) {
    const covers =
      event.type === 'call-end' ||
      event.type === 'call-failed' ||
      (event.type === 'repaired' && event.index < 0);
    if (covers) characters.fill('\0', event.span.start, event.span.end);
  }
  return characters.join('');
}

/** Without markers and white space, which beside a block are no text, and without what stands around messages. */
function bare(text: string, syntax: SyntaxUnderTest): string {
  const { markers, frames } = syntax;
  const unframed = frames ? text.replace(frames, '') : text;
  const rest = markers
    .reduce((left, marker) => left.replaceAll(marker, ''), unframed)
    .replace(/[\0\t-\r ]/g, '');
  // What stood around a marker may spell one when it is gone.
  return rest === text ? rest : bare(rest, syntax);
}
