/** Reads a call whose name stands before its JSON arguments: first what the format has for a header, then the arguments. */
import type { Call } from './calls.ts';
import { fill, type Input, markerHere, readSpace, type Steps } from './input.ts';
import { literalReader } from './literal.ts';
import { addWhole, cutMessage, type Outcome } from './object-call.ts';
import { readInto, type Session } from './session.ts';

/** Reads one call from its first character on. */
export type NamedCall = (session: Session, call: Call) => Steps<Outcome>;

export interface ArgumentsOptions {
  /** What may stand behind the arguments. Before one of these only closing braces, or all of them, may be missing. */
  readonly ends: readonly string[];
  /** Names a call whose header did not, by its arguments. */
  infer?(json: string): void;
}

const noName = /[\s{}[\]()<>"'`,;]/;

/** A name as it is written in a header. Undefined: it could not be read there. */
export function asHeaderWord(name: string): string | undefined {
  return name === '' || noName.test(name) ? undefined : name;
}

/** Reads a name or an id; it is empty where none stands. */
export function* headerWord(input: Input): Steps<string> {
  let word = '';
  while (yield* fill(input)) {
    const start = input.at;
    while (input.at < input.text.length && !noName.test(input.text[input.at] ?? '')) input.at++;
    word += input.text.slice(start, input.at);
    if (input.at < input.text.length) break;
  }
  return word;
}

/** Reads the arguments and streams them as they come, where the call has its name. */
export function* jsonArguments(session: Session, call: Call, options: ArgumentsOptions): Steps<Outcome> {
  const { input } = session;
  const { ends, infer } = options;
  yield* readSpace(input);
  if (!(yield* fill(input))) return cutCall(call);
  if (yield* markerHere(input, ends)) {
    call.repaired('missing-arguments');
    if (call.name === undefined) infer?.('{}');
    return call.failed ? 'failed' : 'read';
  }
  const flows = input.text[input.at] === '{' && call.name !== undefined && !call.failed;
  let whole = '';
  const keep = (json: string) => {
    whole += json;
  };
  const add = flows ? call.add : keep;
  const reader = literalReader({
    read: 'value',
    dialect: 'json',
    guide: flows ? call.guide : undefined,
    followers: ends.map(end => end[0]).join(''),
    blockEnd: ends[0]?.[0],
    ends,
    repaired: call.repaired,
  });
  yield* readInto(session, reader, add);
  if (reader.state !== 'done') {
    if (reader.state === 'open') return cutCall(call, reader.depth);
    if (!((yield* markerHere(input, ends)) && reader.close())) {
      call.openBrackets = Math.max(1, reader.depth);
      call.fail(reader.failure?.problem ?? 'bad_json', reader.failure?.message ?? '');
      return 'failed';
    }
    call.repaired('missing-braces');
    add(reader.take());
  }
  if (!flows) {
    if (call.name === undefined) infer?.(whole);
    if (call.name !== undefined) addWhole(call, whole);
  }
  return call.failed ? 'failed' : 'read';
}

/** The completion ended inside the call. */
export function cutCall(call: Call, openBrackets = 0): Outcome {
  call.fail('truncated', cutMessage);
  call.cut = true;
  call.openBrackets = openBrackets;
  return 'failed';
}
