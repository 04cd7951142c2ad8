/** Reads the body of a harmony message that calls a tool, and streams the arguments. */
import type { Call } from './calls.ts';
import { call as callMark, channel, end, type Header, returns, start } from './harmony-header.ts';
import { fill, type Mark, markerHere, readSpace, type Steps } from './input.ts';
import { cutCall, jsonArguments } from './named-call.ts';
import type { Outcome } from './object-call.ts';
import { onlyArgument } from './python-call.ts';
import type { Session } from './session.ts';

const prefix = 'functions.';
const closes = [callMark, end];
const ends = [...closes, returns, start, channel];
/** What looks like the end of a message: another one begins behind it, or nothing follows. */
const endInText = /(?:<\|(?:call|end|return)\|>(?=\s*(?:<\|start\|>|$))|<\|start\|>(?=assistant))/g;

/** `mark` stands where the message begins; it is released. `odd`: the header was not to the letter. */
export function* harmonyCall(session: Session, mark: Mark, header: Header, odd: boolean): Steps {
  const { input, calls, prose } = session;
  const given = header.recipient ?? '';
  const name = given.startsWith(prefix) && !calls.tool(given) ? given.slice(prefix.length) : given;
  const call = calls.open(mark.start);
  if (odd || (name === given && calls.tool(given))) call.repaired('odd-header');
  if (name !== '' && header.cut !== 'in-name') call.named(name);

  const read = (yield* readBody(session, call, header)) === 'read';
  const from = read && !call.needed('inner-quote') ? mark : yield* recover(session, call, mark);
  let rest = '';
  if (read) yield* readExtra(session, call);
  let at = input.position();
  if (read)
    yield* readUntil(session, text => {
      rest += text;
    });
  const close = yield* markerHere(input, closes);
  if (close) input.at += close.length;
  else if (yield* markerHere(input, [start, channel])) call.repaired('missing-close');
  if (rest.trim() === '') at = input.position();
  call.end(at, () => input.since(from).slice(0, at - from.start));
  input.release(from);
  prose.block();
  prose.add(rest);
}

function* readBody(session: Session, call: Call, header: Header): Steps<Outcome> {
  const { input } = session;
  yield* readSpace(input);
  if (header.cut || !(yield* fill(input))) return cutCall(call);
  const char = input.text[input.at] ?? '';
  if (!header.whole && char !== '{') {
    call.fail('bad_json', 'Expected the arguments as a JSON object.');
    return 'failed';
  }
  const key = ['', 'json'].includes(header.type) ? undefined : textArgument(session, call);
  if (key === undefined || '{"'.includes(char) || (yield* markerHere(input, ends)))
    return yield* jsonArguments(session, call, { ends });
  return yield* readText(session, call, key);
}

/** The argument that a body without any JSON must be: code, for the tool that runs it. */
function textArgument({ calls }: Session, call: Call): string | undefined {
  const key = onlyArgument(calls.tool(call.name ?? ''), 0);
  return key !== undefined && call.guide.member(key).types?.has('string') ? key : undefined;
}

function* readText(session: Session, call: Call, key: string): Steps<Outcome> {
  call.repaired('positional');
  call.add(`{${JSON.stringify(key)}:"`);
  let space = '';
  yield* readUntil(session, text => {
    const body = text.trimEnd();
    if (body !== '') call.add(JSON.stringify(space + body).slice(1, -1));
    space = body === '' ? space + text : text.slice(body.length);
  });
  call.add('"}');
  const { reason } = session;
  return reason === undefined || reason === 'stop' ? 'read' : cutCall(call);
}

function* readExtra({ input }: Session, call: Call): Steps {
  for (;;) {
    yield* readSpace(input);
    if (!(yield* fill(input)) || !/[}\]]/.test(input.text[input.at] ?? '')) return;
    call.repaired('extra-close');
    input.at++;
  }
}

/** Goes on behind a broken call: at the end of its message, which a string that was never closed may have swallowed. */
function* recover(session: Session, call: Call, mark: Mark): Steps<Mark> {
  const { input } = session;
  const swallowed = swallowedEnd(session, mark);
  if (swallowed !== undefined && session.retries > 0) {
    session.retries--;
    if (call.cut || !call.failed) call.broken();
    const until = mark.start + swallowed;
    input.rewind(mark);
    const again = input.mark();
    while (input.position() < until && (yield* fill(input)))
      input.at = Math.min(input.text.length, input.at + until - input.position());
    return again;
  }
  if (call.failed) yield* readUntil(session, () => {});
  return mark;
}

function swallowedEnd({ input }: Session, mark: Mark): number | undefined {
  for (const match of input.since(mark).matchAll(endInText))
    if (match.index > 0 && input.counts(match[0], mark.start + match.index - input.base)) return match.index;
  return undefined;
}

/** Reads text up to the end of a message, and leaves what ends it. */
export function* readUntil(session: Session, add: (text: string) => void): Steps {
  const { input, stops } = session;
  const markers = [...ends, ...stops];
  while (yield* fill(input)) {
    const from = input.at;
    const found = input.text.indexOf('<', from);
    if (found === from) {
      if (yield* markerHere(input, markers)) return;
      add('<');
      input.at++;
    } else {
      input.at = found < 0 ? input.text.length : found;
      add(input.text.slice(from, input.at));
    }
  }
}
