/** Whose call syntax a chat template writes: that of the parser which reads the call that it renders. */
import { errandOf, type Render } from '../detection/parts.ts';
import { errand, words } from '../detection/probes.ts';
import { type Format, formats } from '../format.ts';
import type { Openings } from './openings.ts';

/** Undefined where no parser reads it, or where the template shows no call. */
export function syntaxOf(render: Render, { afterUser }: Openings): Format | undefined {
  const shown = errandOf(render);
  if (typeof shown === 'string' || shown.call === undefined) return undefined;
  const begun = shown.call.startsWith(afterUser) ? shown.call.slice(afterUser.length) : shown.call;
  const completion = begun + words.argument + shown.result;
  return formats.find(format => reads(format, completion));
}

/** Whether a reply begins with the call, and it needs no repair. What follows it is the template's. */
function reads({ parser }: Format, completion: string): boolean {
  const reading = parser.start({ tools: errand.tools });
  for (const event of [...reading.push({ text: completion }), ...reading.end('stop')]) {
    if (event.type === 'text-delta' && event.text.trim() !== '') return false;
    if (event.type === 'repaired' || event.type === 'call-failed') return false;
    if (event.type === 'call-end')
      return event.call.name === words.tool && event.call.arguments.word === words.argument;
  }
  return false;
}
