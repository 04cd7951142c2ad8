/**
 * Mistral: `[TOOL_CALLS]` and, up to tokenizer v7, a JSON list of `{"name", "arguments", "id"}`; since v11 a name, `[ARGS]` and
 * JSON arguments for each call, in v11 itself with `[CALL_ID]` and an id between. One reader for all, a writer for each.
 */
import Parsimmon, { type Parser as Grammar } from 'parsimmon';
import { emptyBlock } from './blocks.ts';
import { callList } from './call-list.ts';
import type { Call } from './calls.ts';
import { createParser } from './create-parser.ts';
import type { Notation } from './gbnf/call-grammar.ts';
import { range } from './gbnf/char-set.ts';
import { empty, marker, oneOf, repeat, sequence } from './gbnf/expression.ts';
import { json } from './gbnf/json.ts';
import { jsonCalls } from './gbnf/notations.ts';
import { jsonObject, jsonString, type StrictCall, space } from './grammar.ts';
import { fill, markerHere, readSpace, type Steps } from './input.ts';
import { spacedJson } from './json-text.ts';
import { mistralCallId } from './mistral-id.ts';
import { asHeaderWord, cutCall, headerWord, jsonArguments } from './named-call.ts';
import type { Outcome } from './object-call.ts';
import type { Piece } from './parser.ts';
import type { Block, Session, Syntax } from './session.ts';

const open = '[TOOL_CALLS]';
/** Not in the format, but models write it. */
const close = '[/TOOL_CALLS]';
const idMark = '[CALL_ID]';
const argumentsMark = '[ARGS]';

const { alt, regexp, seqMap, string } = Parsimmon;
const word = regexp(/[^\s{}[\]()<>"'`,;]+/);
const key = (name: string) => string(`"${name}"`).then(string(':').trim(space));
const comma = string(',').trim(space);

const listed: Grammar<StrictCall> = seqMap(
  key('name').then(jsonString).skip(comma),
  key('arguments').then(jsonObject),
  comma.then(key('id')).then(jsonString).atMost(1),
  (name, argumentsText) => ({ name: JSON.parse(name) as string, argumentsText }),
).wrap(string('{').then(space), space.then(string('}')));
const named: Grammar<StrictCall> = seqMap(
  string(open).then(word),
  string(idMark).then(word).atMost(1).skip(string(argumentsMark)),
  jsonObject,
  (name, _id, argumentsText) => ({ name, argumentsText }),
);

/** The calls to the letter, in any of the forms. */
export const mistralGrammar: Grammar<StrictCall[]> = alt(
  listed.sepBy1(comma).wrap(string(open).then(space).then(string('[')).then(space), space.then(string(']'))),
  named.atLeast(1),
);

const toolCalls: Block = {
  open,
  close,
  *read(session, mark) {
    const { input, prose } = session;
    yield* readSpace(input);
    const first = (yield* fill(input)) ? (input.text[input.at] ?? '') : '';
    const list = '[{'.includes(first) && first !== '' && !(yield* markerHere(input, [open]));
    const result = yield* callList(session, {
      ...(list ? { form: 'object', brackets: true, bracketEnds: true } : { form: 'named', named: readCall }),
      mark,
      open,
      behind: [close, ...syntax.results],
      tentative: false,
      decided() {},
    });
    if (result.calls === 0) return yield* emptyBlock(session, mark, { open, until: [close] });
    prose.block();
    prose.add(result.rest);
    return true;
  },
};

const syntax: Syntax = {
  name: 'mistral',
  blocks: [toolCalls],
  argumentsKey: 'arguments',
  stops: ['</s>'],
  results: ['[TOOL_RESULTS]', '[INST]', '[SYSTEM_PROMPT]', '[AVAILABLE_TOOLS]'],
  thinking: { open: '[THINK]', close: '[/THINK]' },
};

const nine = repeat(oneOf(range('09azAZ')), 9, 9);
const perCall: Notation = {
  dialect: json,
  between: empty,
  beforeName: marker(open),
  writeName: asHeaderWord,
  afterName: marker(argumentsMark),
  afterArguments: empty,
};

/** Since v13: Magistral, Ministral 3, Devstral. */
export const mistral = createParser(
  syntax,
  calls =>
    calls.flatMap((call): Piece[] => [
      { text: open, control: true },
      { text: call.name },
      { text: argumentsMark, control: true },
      { text: spacedJson(call.argumentsText) },
    ]),
  perCall,
);

/** Mistral Small 3.2. */
export const mistralV11 = createParser(
  syntax,
  calls =>
    calls.flatMap((call): Piece[] => [
      { text: open, control: true },
      { text: call.name },
      { text: idMark, control: true },
      { text: mistralCallId(call) },
      { text: argumentsMark, control: true },
      { text: spacedJson(call.argumentsText) },
    ]),
  { ...perCall, afterName: sequence(marker(idMark), nine, marker(argumentsMark)) },
);

/** Up to v7: Mistral 7B v0.3, Nemo, Small 3.1. */
export const mistralV3 = createParser(
  syntax,
  calls => {
    const list = calls.map(
      call =>
        `{"name": ${JSON.stringify(call.name)}, "arguments": ${spacedJson(call.argumentsText)}, "id": "${mistralCallId(call)}"}`,
    );
    return [{ text: open, control: true }, { text: `[${list.join(', ')}]` }];
  },
  {
    ...jsonCalls({ between: ', ' }),
    open: marker(`${open}[`),
    close: marker(']'),
    afterArguments: sequence(marker(', "id": "'), nine, marker('"}')),
  },
);

function* readCall(session: Session, call: Call): Steps<Outcome> {
  const { input, stops } = session;
  const name = yield* headerWord(input);
  yield* readSpace(input);
  if (!(yield* fill(input))) return mayBegin(session, name) ? cutCall(call) : 'not-a-call';
  if (name === '') return 'not-a-call';
  let id: string | undefined;
  if (yield* markerHere(input, [idMark])) {
    input.at += idMark.length;
    yield* readSpace(input);
    id = yield* headerWord(input);
    yield* readSpace(input);
    if (!(yield* fill(input))) return cutCall(call);
  }
  if (yield* markerHere(input, [argumentsMark])) input.at += argumentsMark.length;
  else if (input.text[input.at] === '{') call.repaired('odd-header');
  else return 'not-a-call';
  call.named(name, id);
  return yield* jsonArguments(session, call, { ends: [open, close, ...stops] });
}

/** Whether a completion that ends here ends in a call. Letters that only look like the marker may stand before any word. */
function mayBegin({ input, context }: Session, name: string): boolean {
  return (
    input.isControlToken(open) || !context.tools || context.tools.some(tool => tool.name.startsWith(name))
  );
}
