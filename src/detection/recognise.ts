/** Which format renders what a chat template renders, and how far the others are from it, in words for people. */
import type { Format } from '../format.ts';
import { compareErrand, compareSwitch, compareTalk, type TalkAgreement } from './compare.ts';
import { openingsOf, ownParts } from './own.ts';
import { type Errand, errandOf, type Render, type Talk, talkOf } from './parts.ts';

/** `reason` is for people: what was seen, or why nothing was recognised. */
export interface Detection {
  readonly format: Format | undefined;
  readonly reason: string;
}

/** For a template of ChatML that knows no tools: of the formats with these turns, the one that shows tools in a turn of their own. */
const withoutTools = 'hermes';

const unknown = (reason: string): Detection => ({ format: undefined, reason });

/** Each probe costs a rendering, so the next one is made only where the last one left a format in question. */
export function recognise(render: Render): Detection {
  const talk = talkOf(render);
  if ('failure' in talk) return unknown(`its chat template does not render two plain turns: ${talk.failure}`);
  const turns = ownParts()
    .map(own => compareTalk(talk, own))
    .filter(one => one.turns);
  if (turns.length === 0) return unknown('its template writes turns in a way that no format here knows');
  const errand = errandOf(render);
  if (typeof errand === 'object') return recogniseErrand(render, talk, turns, errand);

  const as = `its template writes turns as ${those(turns)}`;
  const replies = turns.filter(one => one.replies);
  if (errand === 'not rendered') {
    // Where all that write such turns write the same calls, nothing else can be meant.
    const syntaxes = new Set(turns.map(({ own }) => own.format.parser));
    const [only, ...others] = new Set(replies.map(({ own }) => own.format));
    if (!only || others.length > 0 || syntaxes.size > 1)
      return unknown(`${as}, but cannot be rendered here with a tool`);
    const reason = `its template writes turns as ${only.name} does; with a tool it cannot be rendered here`;
    return { format: only, reason };
  }
  const plain = replies.find(({ own }) => own.format.name === withoutTools);
  if (!plain) return unknown(`${as}, but knows no tools`);
  const reason = `its template writes ChatML and knows no tools; tools are shown as ${withoutTools} does`;
  return { format: plain.own.format, reason };
}

function recogniseErrand(
  render: Render,
  talk: Talk,
  turns: readonly TalkAgreement[],
  errand: Errand,
): Detection {
  const compared = turns.map(one => ({ ...one, ...compareErrand(errand, talk, one.own) }));
  const calls = compared.filter(one => one.calls ?? one.results);
  const results = calls.filter(one => one.results);
  const openings = openingsOf(render);
  const [best] = results
    .filter(one => one.replies && one.after)
    .map(one => ({ ...one, switch: compareSwitch(openings, one.own) }))
    .filter(one => one.switch !== 'other')
    .map(one => ({ ...one, likeness: likeness(one) }))
    .sort((left, right) => right.likeness - left.likeness);
  if (best) {
    const { format } = best.own;
    const what = best.calls === undefined ? 'turns and results' : 'turns, calls and results';
    return { format, reason: `its template writes ${what} as ${format.name} does` };
  }
  const noFormat = 'in a way that no format here knows';
  if (results.length > 0)
    return unknown(
      `its template writes turns, calls and results as ${those(results)}, but opens replies ${noFormat}`,
    );
  if (calls.length > 0)
    return unknown(`its template writes turns and calls as ${those(calls)}, but results ${noFormat}`);
  return unknown(`its template writes turns as ${those(turns)}, but calls ${noFormat}`);
}

/** Tells formats apart that agree in all that a model reads and writes at each turn; what is said once weighs most. */
function likeness(one: { tools: boolean; start: string; switch: string }): number {
  const start = one.start === 'same' ? 4 : one.start === 'silent' ? 2 : 0;
  return start + (one.tools ? 4 : 0) + (one.switch === 'same' ? 1 : 0);
}

/** `qwen does`, `hermes, qwen and qwen2.5 do`, `hermes, qwen and 5 others do`. */
function those(agreements: readonly TalkAgreement[]): string {
  const names = [...new Set(agreements.map(({ own }) => own.format.name))];
  if (names.length === 1) return `${names[0]} does`;
  const last = names.length > 3 ? `${names.length - 2} others` : names.at(-1);
  return `${names.slice(0, names.length > 3 ? 2 : -1).join(', ')} and ${last} do`;
}
