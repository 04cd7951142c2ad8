/** How far what a chat template renders is what a format renders. */
import type { Format } from '../format.ts';
import { normal, type Openings, type Own } from './own.ts';
import type { Errand, Talk } from './parts.ts';

/** What both render of a conversation without tools. */
export interface TalkAgreement {
  readonly own: Own;
  /** How a user's turn is framed. */
  readonly turns: boolean;
  /** How a reply is opened, in the history and for writing. */
  readonly replies: boolean;
  /** How a conversation begins that has no system text. `silent`: the format says nothing there. */
  readonly start: 'same' | 'silent' | 'other';
}

export function compareTalk(theirs: Talk, own: Own): TalkAgreement {
  const { format, talk } = own;
  const same = (part: keyof Talk) => normal(theirs[part], format) === normal(talk[part], format);
  const startsWith = (text: string) => sameStart(normal(text, format), talk.start, format);
  return {
    own,
    turns: same('turn'),
    replies: same('reply') && (same('opening') || opensNothing(theirs, own)),
    start: startsWith(theirs.start) ? 'same' : startsWith('') ? 'silent' : 'other',
  };
}

/** Some templates leave the opening of a reply to whoever renders them. */
function opensNothing(theirs: Talk, { format, talk: { reply, opening } }: Own): boolean {
  const end = normal(theirs.opening, format);
  return reply === opening && end.length < opening.length && opening.startsWith(end);
}

/** `unused`: the format can tell a model not to think, and the template cannot. */
export function compareSwitch(theirs: Openings, { format, openings }: Own): 'same' | 'unused' | 'other' {
  const own = openings();
  if (theirs.on === theirs.off) return own.on === own.off ? 'same' : 'unused';
  const same = (text: string | undefined, ours: string | undefined) =>
    text !== undefined && ours !== undefined && normal(text, format) === normal(ours, format);
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

export function compareErrand(theirs: Errand, theirTalk: Talk, own: Own): ErrandAgreement {
  const { format, talk } = own;
  const errand = own.errand();
  const squeezed = (text: string) => squeeze(normal(text, format));
  const alike = (text: string, ours: string) => squeezed(text) === squeezed(ours);
  const after =
    alike(theirs.after, errand.after) ||
    (opensNothing(theirTalk, own) && squeezed(errand.after).startsWith(squeezed(theirs.after)));
  const tools = alike(theirs.tools, errand.tools);
  if (theirs.call !== undefined) {
    const calls = alike(theirs.call, errand.call ?? '');
    if (alike(theirs.result, errand.result)) return { calls, results: true, after, tools };
    return { calls, results: insideOf(theirs, errand, theirTalk, format), after: true, tools };
  }
  // What is left is the reply that was opened for the call, and the result's own turn.
  const opened = normal(theirs.result, format);
  const result = opened.startsWith(talk.reply) ? opened.slice(talk.reply.length) : opened;
  return { calls: undefined, results: squeezed(errand.result).endsWith(squeezed(result)), after, tools };
}

/** Whether a result stands between the same tokens, which are no turn's frame, and the format writes more around it in there. */
function insideOf(theirs: Errand, errand: Errand, { turn }: Talk, format: Format): boolean {
  const result = theirs.result.trimEnd();
  const opens = format.template.controlTokens.find(token => result.endsWith(token));
  return (
    opens !== undefined &&
    !turn.includes(opens) &&
    squeeze(errand.result).startsWith(squeeze(result)) &&
    squeeze(errand.after).endsWith(squeeze(theirs.after))
  );
}

/** The beginning-of-sequence token is the engine's to add, so a template may leave it out. */
function sameStart(theirs: string, own: string, { template }: Format): boolean {
  if (!own.endsWith(theirs)) return false;
  const rest = own.slice(0, own.length - theirs.length);
  return rest === '' || template.controlTokens.includes(rest);
}

/** White space around a block and the kind of quotes are no sign of another format: templates of one family differ in them. */
const squeeze = (text: string) => text.replace(/\s+/g, '').replaceAll("'", '"');
