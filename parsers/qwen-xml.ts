/**
 * `<tool_call>\n<function=NAME>\n<parameter=KEY>\nVALUE\n</parameter>\n</function>\n</tool_call>`: Qwen3-Coder and Qwen 3.5;
 * Nemotron 3 Nano and Step 3.5 write the same. Only the outer tags are tokens of the vocabulary.
 */
import Parsimmon, { type Parser } from 'parsimmon';
import { createParser } from './create-parser.ts';
import { marker } from './gbnf/expression.ts';
import { rawDialect, taggedArguments } from './gbnf/raw.ts';
import { rawValue, type StrictCall, space } from './grammar.ts';
import { fill, type Steps } from './input.ts';
import { jsonMembers, rawText } from './json-text.ts';
import type { Piece, ToolCall } from './parser.ts';
import type { Session } from './session.ts';
import { taggedBlocks } from './tagged-call.ts';
import { readUntil } from './tags.ts';

const { regexp, seq, string } = Parsimmon;

const name = regexp(/[^>\n<]+/).skip(string('>'));
/** What holds none of these tags. One that does is told from the end of a value by what follows, which no grammar says. */
const plainText = regexp(/(?:(?!<\/?(?:parameter|function|tool_call)).)*?(?=\n<\/parameter>)/s);
const parameter = seq(
  name.wrap(string('<parameter='), string('\n')),
  plainText.map(rawValue).skip(string('\n</parameter>')),
).map(([key, value]) => `${JSON.stringify(key)}:${value}`);

/** The blocks to the letter, values as they read without a schema. */
export const qwenXmlGrammar: Parser<StrictCall[]> = seq(
  string('<function=').then(name).skip(space),
  parameter.skip(space).many(),
)
  .map(([given, members]) => ({ name: given, argumentsText: `{${members.join(',')}}` }))
  .skip(string('</function>'))
  .wrap(string('<tool_call>').then(space), space.then(string('</tool_call>')))
  .sepBy1(space);

const open = '<tool_call>';
const close = '</tool_call>';

export const qwenXml = createParser(
  {
    name: 'qwen-xml',
    blocks: taggedBlocks({
      texts: {
        block: open,
        'block-end': close,
        call: '<function=',
        'call-end': '</function>',
        argument: '<parameter=',
        'argument-end': '</parameter>',
      },
      lines: true,
      *head(session) {
        const given = yield* readName(session);
        if (given !== undefined) return { name: given || undefined };
        return session.input.ended && !(yield* fill(session.input)) ? 'cut' : undefined;
      },
      *argumentName(session) {
        return (yield* readName(session)) || undefined;
      },
    }),
    argumentsKey: 'arguments',
    stops: ['<|im_end|>', '<|endoftext|>'],
    results: ['<tool_response>', '<|im_start|>'],
    thinking: { open: '<think>', close: '</think>' },
  },
  calls =>
    calls.flatMap((call, index): Piece[] => [
      ...(index === 0 ? [] : [{ text: '\n' }]),
      { text: open, control: true },
      { text: `\n${writeFunction(call)}\n` },
      { text: close, control: true },
    ]),
  {
    dialect: rawDialect(['<parameter=', '</parameter>', '<function=', '</function>', close]),
    arguments: taggedArguments({
      before: marker('<parameter='),
      behind: marker('>\n'),
      after: marker('\n</parameter>\n'),
    }),
    between: marker('\n'),
    beforeName: marker(`${open}\n<function=`),
    writeName: given => (/^[^<>\n]+$/.test(given) ? given : undefined),
    afterName: marker('>\n'),
    afterArguments: marker(`</function>\n${close}`),
  },
);

/** Undefined where the tag around the name is broken. */
function* readName(session: Session): Steps<string | undefined> {
  const { input } = session;
  const given = yield* readUntil(session, /[>\n<]/);
  if (input.text[input.at] !== '>') return undefined;
  input.at++;
  return given;
}

function writeFunction(call: ToolCall): string {
  const members = jsonMembers(call.argumentsText);
  const parameters = members.map(([key, value]) => `<parameter=${key}>\n${rawText(value)}\n</parameter>\n`);
  return `<function=${call.name}>\n${parameters.join('')}</function>`;
}
