/**
 * gpt-oss's harmony: `<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{…}<|call|>`, one call a
 * message; the first `<|start|>assistant` is the prompt's. `analysis` is reasoning, `final` and a `commentary` to nobody are text.
 */
import Parsimmon, { type Parser } from 'parsimmon';
import { createParser } from './create-parser.ts';
import { marker } from './gbnf/expression.ts';
import { json } from './gbnf/json.ts';
import { jsonObject, type StrictCall, space } from './grammar.ts';
import { harmonyCall, readUntil } from './harmony-call.ts';
import {
  call,
  channel,
  constrain,
  end,
  headerAhead,
  message,
  people,
  readHeader,
  returns,
  start,
} from './harmony-header.ts';
import { type Mark, markerHere, type Steps } from './input.ts';
import { spacedJson } from './json-text.ts';
import type { Piece } from './parser.ts';
import type { Block, Session } from './session.ts';
import { readTail } from './tail.ts';

const { alt, optWhitespace, regexp, seq, string } = Parsimmon;

const recipient = string(' to=functions.').then(regexp(/[^\s<{]+/));
const channelName = string(channel).then(regexp(/analysis|commentary|final/));
const type = regexp(/ ?(?:<\|constrain\|>)?\w+/).or(string(''));
const callMessage = seq(
  alt(recipient.skip(channelName), channelName.then(recipient)).skip(type).skip(string(message)),
  jsonObject.trim(space).skip(string(call)),
).map(([name, argumentsText]) => ({ name, argumentsText }));

/** Calls to the letter, as a completion has them. */
export const harmonyGrammar: Parser<StrictCall[]> = callMessage.sepBy1(
  optWhitespace.then(string(`${start}assistant`)),
);

/** A whole header to the letter; only a tool is a recipient in it. */
const strictRecipient = `(?: to=(?!(?:${people.join('|')})(?:[\\s<]|$))[^\\s<{]+)?`;
const strictHeader = new RegExp(
  `^(?:<\\|start\\|>assistant)?${strictRecipient}\\s*<\\|channel\\|>(?:analysis|commentary|final)${strictRecipient}` +
    '\\s*(?:<\\|constrain\\|>)?\\s*\\w*<\\|message\\|>\\s*$',
);

/** A marker that a header begins with, or goes on with where its beginning is missing. */
function messageBlock(open: string): Block {
  return {
    open,
    frame: true,
    *read(session, mark) {
      if (session.calls.holding) return false;
      yield* readMessages(session, mark, open);
      return true;
    },
  };
}

const endBlock: Block = {
  open: end,
  frame: true,
  *read(session, mark) {
    if (session.calls.holding) return false;
    session.input.release(mark);
    session.prose.block();
    yield* looseMessages(session);
    return true;
  },
};

/** Messages whose headers have lost their first marker, or left it in the prompt. */
function* looseMessages(session: Session): Steps {
  if (yield* headerAhead(session)) yield* readMessages(session, session.input.mark(), '');
}

function* readMessages(session: Session, mark: Mark, open: string): Steps {
  let whole = yield* readMessage(session, mark, open);
  while (whole && (yield* headerAhead(session)))
    whole = yield* readMessage(session, session.input.mark(), '');
}

/** Reads a header, and the body of a call or of a thought. False: the body of a text is left to whoever reads text. */
function* readMessage(session: Session, mark: Mark, open: string): Steps<boolean> {
  const { input, calls, prose } = session;
  const header = yield* readHeader(session, open);
  if (header.stranger) {
    prose.flush();
    input.rewind(mark);
    yield* readTail(session);
    return false;
  }
  const headerText = input.since(mark).slice(0, header.bodyAt - mark.start);
  const odd = !strictHeader.test(headerText);
  // Only a call has JSON in commentary, so one to nobody has lost its recipient.
  const lost = header.channel === 'commentary' && header.type === 'json';
  if (header.recipient !== undefined || lost) {
    yield* harmonyCall(session, mark, header, odd);
    return true;
  }
  const span = { start: Math.max(0, mark.start), end: Math.max(0, header.bodyAt) };
  if (odd) calls.repaired('odd-header', span);
  if (header.whole) input.release(mark);
  else input.rewind(mark, headerText.length);
  prose.block();
  if (header.channel !== 'analysis') return false;
  yield* readThought(session, headerText.slice(Math.max(0, -mark.start)), span);
  return true;
}

function* readThought(session: Session, raw: string, span: { start: number; end: number }): Steps {
  const { input, thoughts, calls, stops } = session;
  thoughts.block();
  yield* readUntil(session, text => thoughts.add(text));
  const marker = yield* markerHere(input, [end, start, channel, ...stops]);
  if (marker === end) input.at += marker.length;
  if (marker === undefined || stops.includes(marker)) {
    thoughts.flush();
    calls.problem('unclosed_reasoning', raw, span, 'The turn ended with a thought, so there is no answer.');
  }
  thoughts.block();
}

export const harmony = createParser(
  {
    name: 'harmony',
    blocks: [...[start, channel, constrain, message].map(messageBlock), endBlock],
    begin: looseMessages,
    argumentsKey: 'arguments',
    stops: [returns, call, '<|endoftext|>'],
    results: [],
    thinking: { open: '<think>', close: '</think>' },
  },
  calls =>
    calls.flatMap((one, index): Piece[] => [
      ...(index === 0 ? [] : [{ text: start, control: true }, { text: 'assistant' }]),
      { text: ` to=functions.${one.name}` },
      { text: channel, control: true },
      { text: 'commentary json' },
      { text: message, control: true },
      { text: spacedJson(one.argumentsText) },
      { text: call, control: true },
    ]),
  {
    dialect: json,
    between: marker(`${start}assistant`),
    beforeName: marker(' to=functions.'),
    writeName: name => (/^[^\s<{]+$/.test(name) ? name : undefined),
    afterName: marker(`${channel}commentary json${message}`),
    afterArguments: marker(call),
  },
);
