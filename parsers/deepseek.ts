/**
 * DeepSeek: calls in a section, a name and its JSON arguments with a separator between them. V3 and R1 write the call's type
 * before the separator, and the arguments in a code fence; V3.1 writes neither. One reader for both, a writer for each.
 */
import Parsimmon, { type Parser as Grammar } from 'parsimmon';
import type { Call } from './calls.ts';
import { createParser } from './create-parser.ts';
import { empty, marker } from './gbnf/expression.ts';
import { json } from './gbnf/json.ts';
import { jsonObject, type StrictCall, space } from './grammar.ts';
import { fill, markerHere, readSpace, type Steps } from './input.ts';
import { spacedJson } from './json-text.ts';
import { asHeaderWord, cutCall, headerWord, jsonArguments } from './named-call.ts';
import type { Outcome } from './object-call.ts';
import type { Parser, Piece, ToolCall } from './parser.ts';
import { loneCallBlock, type Section, sectionBlock } from './section.ts';
import type { Session, Syntax } from './session.ts';
import { fenceLine } from './whole-reply.ts';

const open = '<｜tool▁calls▁begin｜>';
const close = '<｜tool▁calls▁end｜>';
const callOpen = '<｜tool▁call▁begin｜>';
const callClose = '<｜tool▁call▁end｜>';
const separator = '<｜tool▁sep｜>';
const fence = '```';

const { alt, regexp, seq, string } = Parsimmon;
const name = regexp(/[^\s{}[\]()<>"'`,;]+/);
const fenced = seq(string(`function${separator}`).then(name), string('\n```json\n').then(jsonObject)).skip(
  seq(space, string(fence)),
);
const plain = seq(name.skip(string(separator)), jsonObject);

/** The section to the letter, in either form. */
export const deepseekGrammar: Grammar<StrictCall[]> = alt(fenced, plain)
  .map(([given, argumentsText]) => ({ name: given, argumentsText }))
  .wrap(string(callOpen), string(callClose))
  .sepBy1(space)
  .wrap(string(open), space.then(string(close)));

const section: Section = { open, close, callOpen, callClose, call: readCall };
const syntax: Syntax = {
  name: 'deepseek',
  blocks: [sectionBlock(section), loneCallBlock(section)],
  argumentsKey: 'arguments',
  stops: ['<｜end▁of▁sentence｜>'],
  results: ['<｜tool▁outputs▁begin｜>', '<｜tool▁output▁begin｜>', '<｜User｜>', '<｜Assistant｜>'],
  thinking: { open: '<think>', close: '</think>' },
};

const inSection = { dialect: json, open: marker(open), close: marker(close), writeName: asHeaderWord };

/** V3 and R1. */
export const deepseek = createParser(
  syntax,
  writer('\n', ({ name: called, argumentsText }) => [
    { text: 'function' },
    { text: separator, control: true },
    { text: `${called}\n${fence}json\n${spacedJson(argumentsText)}\n${fence}` },
  ]),
  {
    ...inSection,
    between: marker('\n'),
    beforeName: marker(`${callOpen}function${separator}`),
    afterName: marker(`\n${fence}json\n`),
    afterArguments: marker(`\n${fence}${callClose}`),
  },
);

/** V3.1. */
export const deepseekV31 = createParser(
  syntax,
  writer('', ({ name: called, argumentsText }) => [
    { text: called },
    { text: separator, control: true },
    { text: spacedJson(argumentsText) },
  ]),
  {
    ...inSection,
    between: empty,
    beforeName: marker(callOpen),
    afterName: marker(separator),
    afterArguments: marker(callClose),
  },
);

function* readCall(session: Session, call: Call): Steps<Outcome> {
  const { input } = session;
  let called = yield* headerWord(input);
  yield* readSpace(input);
  if (!(yield* fill(input))) return cutCall(call);
  if (called === '') return 'not-a-call';
  if (yield* markerHere(input, [separator])) {
    input.at += separator.length;
    yield* readSpace(input);
    if (called === 'function' || !session.calls.known(called)) {
      // It was the call's type, if the name follows.
      yield* readSpace(input);
      called = (yield* headerWord(input)) || called;
      yield* readSpace(input);
      if (!(yield* fill(input))) return cutCall(call);
    }
  } else if ('{`'.includes(input.text[input.at] ?? '')) call.repaired('odd-header');
  else return 'not-a-call';
  call.named(called);

  yield* readSpace(input);
  const inFence = (yield* fill(input)) && input.text[input.at] === '`';
  if (inFence) yield* fenceLine(session);
  const ends = inFence ? [fence, callClose] : [callClose];
  const outcome = yield* jsonArguments(session, call, { ends });
  if (inFence && outcome === 'read') yield* closeFence(session, call);
  return outcome;
}

function* closeFence({ input }: Session, call: Call): Steps {
  yield* readSpace(input);
  while ((yield* fill(input)) && '}]'.includes(input.text[input.at] ?? '')) {
    call.repaired('extra-close');
    input.at++;
    yield* readSpace(input);
  }
  if (yield* markerHere(input, [fence])) input.at += fence.length;
  else call.repaired('missing-close');
}

function writer(between: string, body: (call: ToolCall) => readonly Piece[]): Parser['write'] {
  return calls => [
    { text: open, control: true },
    ...calls.flatMap((call, index): Piece[] => [
      ...(index === 0 || between === '' ? [] : [{ text: between }]),
      { text: callOpen, control: true },
      ...body(call),
      { text: callClose, control: true },
    ]),
    { text: close, control: true },
  ];
}
