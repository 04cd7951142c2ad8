/** How far what a chat template renders is what a format renders. */
import type { Format } from '../format.ts';
import { type Errand, errandOf, openingOf, type Render, type Talk, talkOf } from './parts.ts';
import { endOfSequence, renderFormat } from './render.ts';

/** What both render of a conversation without tools. */
export interface TalkAgreement {
  readonly format: Format;
  /** How a user's turn is framed. */
  readonly turns: boolean;
  /** How a reply is opened, in the history and for writing. */
  readonly replies: boolean;
  /** How a conversation begins that has no system text. `silent`: the format says nothing there. */
  readonly start: 'same' | 'silent' | 'other';
}

export function compareTalk(theirs: Talk, format: Format): TalkAgreement {
  const own = ownParts(format).talk;
  const same = (part: keyof Talk) => inFormat(theirs[part], format) === own[part];
  const startsWith = (text: string) => sameStart(inFormat(text, format), own.start, format);
  return {
    format,
    turns: same('turn'),
    replies: same('reply') && (same('opening') || opensNothing(theirs, format)),
    start: startsWith(theirs.start) ? 'same' : startsWith('') ? 'silent' : 'other',
  };
}

/** Some templates leave the opening of a reply to whoever renders them. */
function opensNothing(theirs: Talk, format: Format): boolean {
  const { reply, opening } = ownParts(format).talk;
  const end = inFormat(theirs.opening, format);
  return reply === opening && end.length < opening.length && opening.startsWith(end);
}

/** How replies are opened with thinking on and off. */
export interface Openings {
  readonly on: string | undefined;
  readonly off: string | undefined;
}

export const openingsOf = (render: Render): Openings => ({
  on: openingOf(render, true),
  off: openingOf(render, false),
});

/** `unused`: the format can tell a model not to think, and the template cannot. */
export function compareSwitch(theirs: Openings, format: Format): 'same' | 'unused' | 'other' {
  const own = openingsOf(renderFormat(format.template));
  if (theirs.on === theirs.off) return own.on === own.off ? 'same' : 'unused';
  const same = (text: string | undefined, ours: string | undefined) =>
    text !== undefined && inFormat(text, format) === ours;
  return same(theirs.on, own.on) && same(theirs.off, own.off) ? 'same' : 'other';
}

export interface ErrandAgreement {
  /** Undefined where the template leaves the call itself out. */
  readonly calls: boolean | undefined;
  readonly results: boolean;
  /** How a reply to a result is opened. */
  readonly after: boolean;
  /** How the tools are shown. */
  readonly tools: boolean;
}

export function compareErrand(theirs: Errand, theirTalk: Talk, format: Format): ErrandAgreement {
  const { talk, errand: own } = ownParts(format);
  const alike = (text: string, ours: string) => squeezed(inFormat(text, format)) === squeezed(ours);
  const after =
    alike(theirs.after, own.after) ||
    (opensNothing(theirTalk, format) &&
      squeezed(own.after).startsWith(squeezed(inFormat(theirs.after, format))));
  const shared = { after, tools: alike(theirs.tools, own.tools) };
  if (theirs.call !== undefined) {
    const calls = alike(theirs.call, own.call ?? '');
    if (alike(theirs.result, own.result)) return { ...shared, calls, results: true };
    return { calls, results: insideOf(theirs, own, theirTalk, format), after: true, tools: shared.tools };
  }
  // What is left is the reply that was opened for the call, and the result's own turn.
  const opened = inFormat(theirs.result, format);
  const result = opened.startsWith(talk.reply) ? opened.slice(talk.reply.length) : opened;
  return { ...shared, calls: undefined, results: squeezed(own.result).endsWith(squeezed(result)) };
}

/** Whether a result stands between the same tokens, which are no turn's frame, and the format writes more around it in there. */
function insideOf(theirs: Errand, own: Errand, { turn }: Talk, { template }: Format): boolean {
  const result = theirs.result.trimEnd();
  const opens = template.controlTokens.find(token => result.endsWith(token));
  return (
    opens !== undefined &&
    !turn.includes(opens) &&
    squeezed(own.result).startsWith(squeezed(result)) &&
    squeezed(own.after).endsWith(squeezed(theirs.after))
  );
}

/** A format's own parts never change. */
const known = new WeakMap<Format, { readonly talk: Talk; readonly errand: Errand }>();

function ownParts(format: Format) {
  let parts = known.get(format);
  if (!parts) {
    const render = renderFormat(format.template);
    const [talk, errand] = [talkOf(render), errandOf(render)];
    if ('failure' in talk || typeof errand === 'string')
      throw new Error(`The format ${format.name} does not render its probes.`);
    parts = { talk, errand };
    known.set(format, parts);
  }
  return parts;
}

/** A template is told its end-of-sequence token; in a format's own it is the usual stop. */
const inFormat = (text: string, { template }: Format) =>
  text.replaceAll(endOfSequence, template.stops[0] ?? '');

/** The beginning-of-sequence token is the engine's to add, so a template may leave it out. */
function sameStart(theirs: string, own: string, { template }: Format): boolean {
  if (!own.endsWith(theirs)) return false;
  const rest = own.slice(0, own.length - theirs.length);
  return rest === '' || template.controlTokens.includes(rest);
}

/** White space around a block and the kind of quotes are no sign of another format: templates of one family differ in them. */
const squeezed = (text: string) => text.replace(/\s+/g, '').replaceAll("'", '"');
