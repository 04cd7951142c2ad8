/** The parts of a format that its renderings show, each the text between two known words. */
import { errand, type Probe, talk, words } from './probes.ts';

/** Of a conversation without tools. */
export interface Talk {
  /** What stands before the first turn where there is no system text. */
  readonly start: string;
  /** Between a question and a reply in the history. */
  readonly reply: string;
  /** Between a reply and the next question. */
  readonly turn: string;
  /** What opens a reply that is to be written. */
  readonly opening: string;
}

/** An exchange with a call. */
export interface Errand {
  /** What stands before the question, which is where most formats show the tools. */
  readonly tools: string;
  /** From the question to the call's argument. Undefined in a template that leaves a message's calls out. */
  readonly call: string | undefined;
  /** From the argument, or else from the question, to the result. */
  readonly result: string;
  /** From the result to the reply that is to be written. */
  readonly after: string;
}

/** What a template makes of a probe: its text, or why there is none. */
export type Rendering =
  | { readonly text: string }
  /** `refused`: the template itself says that it has no form for this. */
  | { readonly failure: string; readonly refused: boolean };

export type Render = (probe: Probe) => Rendering;

export function talkOf(render: Render): Talk | { readonly failure: string } {
  const plain = render(talk);
  if ('failure' in plain) return plain;
  const cut = cutAt(plain.text, [words.question, words.reply, words.again]);
  if (!cut) return { failure: 'it leaves messages out' };
  const [start = '', reply = '', turn = '', opening = ''] = cut;
  return { start: withoutEnd(start, turn), reply, turn, opening };
}

/** What opens a reply with thinking on or off; undefined where the template cannot say it. */
export function openingOf(render: Render, thinking: boolean): string | undefined {
  const rendering = render({ ...talk, thinking });
  return 'failure' in rendering ? undefined : cutAt(rendering.text, [words.again])?.[1];
}

export function errandOf(render: Render): Errand | 'not rendered' | 'no tools' {
  const rendering = render(errand);
  if ('failure' in rendering) return rendering.refused ? 'no tools' : 'not rendered';
  const { text } = rendering;
  const question = text.lastIndexOf(words.question);
  const tools = text.slice(0, Math.max(0, question));
  const exchange = text.slice(question);
  const called = exchange.includes(words.argument);
  if (!called && !text.includes(words.tool)) return 'no tools';
  const cut = cutAt(exchange, [words.question, ...(called ? [words.argument] : []), words.result]);
  if (!cut) return 'not rendered';
  // Some print a result as JSON and some as it is, within the same frame.
  const result = cut.at(-2)!.replace(/"$/, '');
  const after = cut.at(-1)!.replace(/^"/, '');
  return { tools, call: called ? cut[1] : undefined, result, after };
}

/** The text without what it ends with in common with the other one, cut where a token or a line begins. */
function withoutEnd(text: string, other: string): string {
  let at = text.length;
  while (at > 0 && text[at - 1] === other[other.length - 1 - (text.length - at)]) at--;
  while (at > 0 && at < text.length && !/[<[]/.test(text[at]!) && text[at - 1] !== '\n') at++;
  return text.slice(0, at);
}

/** What stands before, between and behind these words, if all of them stand there in this order. */
function cutAt(text: string, at: readonly string[]): string[] | undefined {
  const parts: string[] = [];
  let from = 0;
  for (const word of at) {
    const found = text.indexOf(word, from);
    if (found < 0) return undefined;
    parts.push(text.slice(from, found));
    from = found + word.length;
  }
  return [...parts, text.slice(from)];
}
