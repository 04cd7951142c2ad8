/**
 * `<tool_call>NAME\n<arg_key>KEY</arg_key>\n<arg_value>VALUE</arg_value>\n</tool_call>`: GLM 4.5 and 4.6; GLM 4.7 writes the same
 * without line breaks. Both forms are read as one. All tags are tokens of the vocabulary.
 */
import Parsimmon, { type Parser } from 'parsimmon';
import { createParser } from './create-parser.ts';
import type { Notation } from './gbnf/call-grammar.ts';
import { marker } from './gbnf/expression.ts';
import { rawDialect, taggedArguments } from './gbnf/raw.ts';
import { rawValue, type StrictCall, space } from './grammar.ts';
import { fill, markerHere, readSpace, type Steps } from './input.ts';
import { jsonMembers, rawText } from './json-text.ts';
import type { Parser as CallParser, Piece } from './parser.ts';
import type { Session, Syntax } from './session.ts';
import { taggedBlocks } from './tagged-call.ts';
import { found, type Head, readUntil, type Tags } from './tags.ts';

const { regexp, seq, string } = Parsimmon;

const open = '<tool_call>';
const close = '</tool_call>';
const keyOpen = '<arg_key>';
const keyClose = '</arg_key>';
const valueOpen = '<arg_value>';
const valueClose = '</arg_value>';

/** What holds none of these tags. One that does is told from the end of a value by what follows, which no grammar says. */
const plainText = regexp(/(?:(?!<\/?(?:arg_key|arg_value|tool_call)>).)*/s);
const argument = seq(
  regexp(/[^<]+/).wrap(string(keyOpen), string(keyClose)).skip(space),
  plainText.map(rawValue).wrap(string(valueOpen), string(valueClose)),
).map(([key, value]) => `${JSON.stringify(key.trim())}:${value}`);

/** The blocks to the letter, values as they read without a schema. */
export const glmGrammar: Parser<StrictCall[]> = seq(
  regexp(/[^\s<{]+/).skip(space),
  argument.skip(space).many(),
)
  .map(([name, members]) => ({ name, argumentsText: `{${members.join(',')}}` }))
  .wrap(string(open).then(space), string(close))
  .sepBy1(space);

const tags: Tags = {
  texts: { block: open, 'block-end': close, argument: keyOpen, 'argument-end': valueClose },
  lines: false,
  head,
  *argumentName(session, repaired) {
    while (yield* skip(session, keyOpen)) repaired('doubled-marker');
    const key = (yield* readUntil(session, /</)).trim();
    if (key === '' || !(yield* skip(session, keyClose))) return undefined;
    while (yield* skip(session, keyClose)) repaired('orphan-close');
    if (!(yield* openValue(session))) repaired('missing-open');
    return key;
  },
};

const syntax: Syntax = {
  name: 'glm',
  blocks: taggedBlocks(tags),
  argumentsKey: 'arguments',
  stops: ['<|user|>', '<|observation|>', '<|endoftext|>'],
  results: ['<tool_response>', '<|assistant|>', '<|system|>'],
  thinking: { open: '<think>', close: '</think>' },
};

/** GLM 4.5 and 4.6. */
export const glm = createParser(syntax, writer('\n'), notation('\n'));
/** GLM 4.7. */
export const glm47 = createParser({ ...syntax, name: 'glm4.7' }, writer(''), notation(''));

/** The name alone stands behind the tag, so prose about the tag looks like a call until something of a call follows. */
function* head(session: Session): Steps<Head | 'cut' | undefined> {
  const { calls, input } = session;
  const name = yield* readUntil(session, /[\s<{]/);
  yield* readSpace(input);
  const next = yield* found(session, tags);
  if (next === 'end') return isBeginning(session, name) ? 'cut' : undefined;
  if (name === '') return undefined;
  if (next === 'argument' || next === 'argument-end' || next === 'block-end' || input.text[input.at] === '{')
    return { name };
  if (calls.any) return undefined;
  // The tag of the first key may be missing, and the space before it.
  const key = (yield* readUntil(session, /</)).trim();
  const split = (yield* skip(session, keyClose)) ? splitHead(session, name, key) : undefined;
  if (split) yield* openValue(session);
  return split ?? (calls.known(name) ? { name, strays: next === 'text' } : undefined);
}

function isBeginning({ calls, context }: Session, name: string): boolean {
  return calls.any || (context.tools ?? []).some(tool => name !== '' && tool.name.startsWith(name));
}

/** A name and a key as one word: read where an offered tool has this name and this argument. */
function splitHead({ calls, context }: Session, word: string, key: string): Head | undefined {
  if (calls.known(word)) return { name: word, argument: key };
  const whole = `${word}${key}`;
  const tools = (context.tools ?? []).filter(({ name, inputSchema }) => {
    const properties = typeof inputSchema === 'object' ? inputSchema.properties : undefined;
    return whole.startsWith(name) && Object.hasOwn(Object(properties), whole.slice(name.length));
  });
  const [tool] = tools;
  return tool && tools.length === 1
    ? { name: tool.name, argument: whole.slice(tool.name.length) }
    : undefined;
}

/** False: the tag that opens the value is missing, and the value stands here. */
function* openValue(session: Session): Steps<boolean> {
  yield* readSpace(session.input);
  return yield* skip(session, valueOpen);
}

function* skip({ input }: Session, tag: string): Steps<boolean> {
  if (!(yield* fill(input)) || (yield* markerHere(input, [tag])) === undefined) return false;
  input.at += tag.length;
  return true;
}

function notation(line: string): Notation {
  return {
    dialect: rawDialect([keyOpen, keyClose, valueOpen, valueClose, close]),
    arguments: taggedArguments({
      before: marker(keyOpen),
      behind: marker(`${keyClose}${line}${valueOpen}`),
      after: marker(`${valueClose}${line}`),
    }),
    between: marker(line),
    beforeName: marker(open),
    writeName: name => (/^[^\s<{]+$/.test(name) ? name : undefined),
    afterName: marker(line),
    afterArguments: marker(close),
  };
}

function writer(line: string): CallParser['write'] {
  const tag = (text: string): Piece => ({ text, control: true });
  const text = (written: string): Piece[] => (written === '' ? [] : [{ text: written }]);
  const writeArgument = ([key, value]: readonly [string, string]): Piece[] => [
    ...[tag(keyOpen), ...text(key), tag(keyClose), ...text(line)],
    ...[tag(valueOpen), ...text(rawText(value)), tag(valueClose), ...text(line)],
  ];
  return calls =>
    calls.flatMap((call, index): Piece[] => [
      ...(index === 0 ? [] : text(line)),
      ...[tag(open), ...text(call.name + line)],
      ...jsonMembers(call.argumentsText).flatMap(writeArgument),
      tag(close),
    ]);
}
