/**
 * Reads the header of a harmony message, from behind the marker that opens it to the body. A header that is not to the letter is
 * read for what it says: the last channel counts, a recipient counts wherever it stands, and words that mean nothing are the
 * beginning of the body unless `<|message|>` comes after all.
 */
import { fill, type Input, markerHere, readSpace, type Steps } from './input.ts';
import type { Session } from './session.ts';

export const start = '<|start|>';
export const channel = '<|channel|>';
export const constrain = '<|constrain|>';
export const message = '<|message|>';
export const end = '<|end|>';
export const call = '<|call|>';
export const returns = '<|return|>';
const all = [start, channel, constrain, message, end, call, returns];

export interface Header {
  /** A role that is not the assistant's. */
  stranger: boolean;
  /** As it was written. Undefined: the message is for the user, or is a thought. */
  recipient: string | undefined;
  channel: string | undefined;
  /** What the body is said to be, `json` or `code`. */
  type: string;
  /** Whether `<|message|>` ended it. */
  whole: boolean;
  /** Whether the completion ended in it, and all of the recipient's name was there. */
  cut: 'in-name' | 'behind-name' | undefined;
  /** Where the body begins. What was read beyond is a part of it. */
  bodyAt: number;
}

const channelWord = /^\W*(?:assistant)?(analysis|commentary|final)(?=json|code|[^a-z]|$)/;
const looseWord = /^(?:to=.+|assistant|analysis|commentary|final|json|code)$/;
/** What a cut word may have been about to become. */
const headerWords = ['analysis', 'commentary', 'final', 'to=', 'functions.'];
/** Recipients that are no tools. */
export const people = ['', 'assistant', 'user', 'all'];
/** Longer words without a meaning, or a line break among them, are a body whose `<|message|>` is missing. */
const strayLimit = 40;

/** `opened` is the marker that stands before, or nothing where the prompt had it. */
export function* readHeader(session: Session, opened: string): Steps<Header> {
  const { input, stops } = session;
  const markers = [...all, ...stops];
  const header: Header = {
    stranger: false,
    recipient: undefined,
    channel: undefined,
    type: '',
    whole: false,
    cut: undefined,
    bodyAt: input.position(),
  };
  let role = opened === start;
  let naming = false;
  let stray = '';

  for (;;) {
    const space = yield* readSpace(input);
    if (stray === '') header.bodyAt = input.position();
    if (!(yield* fill(input))) {
      header.cut = naming && space === '' ? 'in-name' : 'behind-name';
      if (headerWords.some(word => word.startsWith(stray))) header.bodyAt = input.position();
      return header;
    }
    const char = input.text[input.at] ?? '';
    const marker = char === '<' ? yield* markerHere(input, markers) : undefined;
    if (marker === channel || marker === constrain || (marker === start && role)) {
      input.at += marker.length;
      role = marker === start;
      naming = false;
      stray = '';
      continue;
    }
    if (marker === message) {
      input.at += marker.length;
      header.bodyAt = input.position();
      header.whole = true;
      header.type = stray;
      return header;
    }
    if (marker !== undefined || (char === '{' && header.recipient !== undefined)) return header;
    if (stray !== '' && (stray.length > strayLimit || space.includes('\n'))) return header;

    const word = yield* readWord(input);
    if (role) {
      role = false;
      if (word.startsWith('assistant') || (atEnd(input) && 'assistant'.startsWith(word))) continue;
      header.stranger = !word.startsWith('to=') && !channelWord.test(word);
      if (header.stranger) return header;
    }
    naming = false;
    if (stray !== '') stray += space + word;
    else if (!means(word)) stray = word;
  }

  function means(word: string): boolean {
    const found = channelWord.exec(word)?.[1];
    if (found) {
      header.channel = found;
      return true;
    }
    const to = word.startsWith('to=');
    const tool = word.startsWith('functions.') || session.calls.tool(word) !== undefined;
    if (!to && (!tool || header.recipient !== undefined)) return false;
    const name = to ? word.slice('to='.length) : word;
    header.recipient = people.includes(name) ? undefined : name;
    naming = true;
    return true;
  }
}

/** Whether a header begins here without a marker: all of it, up to the next marker, is words of a header. Nothing is consumed. */
export function* headerAhead(session: Session): Steps<boolean> {
  const { input } = session;
  const mark = input.mark();
  let words = 0;
  let found = false;
  for (; ; words++) {
    yield* readSpace(input);
    if (!(yield* fill(input))) break;
    if (input.text[input.at] === '<') {
      found = words > 0 && (yield* markerHere(input, [channel, constrain, message])) !== undefined;
      break;
    }
    if (!looseWord.test(yield* readWord(input))) break;
  }
  input.rewind(mark);
  return found;
}

/** Up to white space, a brace or an angle bracket; whatever stands first is in it. */
function* readWord(input: Input): Steps<string> {
  let word = input.text[input.at++] ?? '';
  while (yield* fill(input)) {
    const from = input.at;
    while (input.at < input.text.length && /[^\s<{]/.test(input.text[input.at] ?? '')) input.at++;
    word += input.text.slice(from, input.at);
    if (!atEnd(input)) break;
  }
  return word;
}

function atEnd({ at, text }: Input): boolean {
  return at >= text.length;
}
