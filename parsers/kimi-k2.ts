/**
 * Kimi K2: calls in a section, each with its id, `functions.NAME:N`, before its JSON arguments. N counts the calls of the whole
 * conversation, so a reader keeps the id as it stands.
 */
import Parsimmon, { type Parser as Grammar } from 'parsimmon';
import type { Call } from './calls.ts';
import { createParser } from './create-parser.ts';
import { range } from './gbnf/char-set.ts';
import { choice, empty, letters, marker, oneOf, repeat, sequence } from './gbnf/expression.ts';
import { json } from './gbnf/json.ts';
import { jsonObject, type StrictCall, space } from './grammar.ts';
import { fill, markerHere, readSpace, type Steps } from './input.ts';
import { spacedJson } from './json-text.ts';
import { cutCall, headerWord, jsonArguments } from './named-call.ts';
import type { Outcome } from './object-call.ts';
import type { JsonValue, Piece, ToolCall, ToolDefinition } from './parser.ts';
import { loneCallBlock, type Section, sectionBlock } from './section.ts';
import type { Session } from './session.ts';

const open = '<|tool_calls_section_begin|>';
const close = '<|tool_calls_section_end|>';
const callOpen = '<|tool_call_begin|>';
const callClose = '<|tool_call_end|>';
const argumentsMark = '<|tool_call_argument_begin|>';
const nativeId = /^functions\.[^\s:][^\s{}[\]()<>"'`,;]*:\d+$/;

const { regexp, seq, string } = Parsimmon;

const counter = sequence(oneOf(range('19')), repeat(oneOf(range('09')), 0, 3));

/** The section to the letter. */
export const kimiK2Grammar: Grammar<StrictCall[]> = seq(
  regexp(/functions\.([^\s{}[\]()<>"'`,;]+):\d+/, 1)
    .trim(space)
    .skip(string(argumentsMark)),
  jsonObject,
)
  .map(([name, argumentsText]) => ({ name, argumentsText }))
  .wrap(string(callOpen), string(callClose))
  .sepBy1(space)
  .wrap(string(open).then(space), space.then(string(close)));

const section: Section = { open, close, callOpen, callClose, call: readCall };
/** Some models spell the section's marks so, which are no tokens. */
const singular: Section = {
  ...section,
  open: '<|tool_call_section_begin|>',
  close: '<|tool_call_section_end|>',
  repair: 'odd-header',
};

export const kimiK2 = createParser(
  {
    name: 'kimi-k2',
    blocks: [sectionBlock(section), sectionBlock(singular), loneCallBlock(section)],
    argumentsKey: 'arguments',
    stops: ['<|im_end|>', '[EOS]'],
    results: ['<|im_system|>', '<|im_user|>', '<|im_assistant|>'],
    thinking: { open: '<think>', close: '</think>' },
  },
  calls => [
    { text: open, control: true },
    ...calls.flatMap((call, index): Piece[] => [
      { text: callOpen, control: true },
      { text: kimiCallId(call, index) },
      { text: argumentsMark, control: true },
      { text: spacedJson(call.argumentsText) },
      { text: callClose, control: true },
    ]),
    { text: close, control: true },
  ],
  {
    dialect: json,
    open: marker(open),
    between: empty,
    close: marker(close),
    beforeName: marker(`${callOpen}functions.`),
    // A number alone would be taken for one that lacks its name.
    writeName: name => (nativeId.test(`functions.${name}:0`) && !/^\d+$/.test(name) ? name : undefined),
    afterName: sequence(marker(':'), choice(letters('0'), counter), marker(argumentsMark)),
    afterArguments: marker(callClose),
  },
);

/** An id in the model's own form is kept; any other call gets one with its number in the conversation. */
export function kimiCallId({ id, name }: Pick<ToolCall, 'id' | 'name'>, number: number): string {
  return nativeId.test(id) ? id : `functions.${name}:${number}`;
}

function* readCall(session: Session, call: Call): Steps<Outcome> {
  const { input, context } = session;
  const id = yield* headerWord(input);
  yield* readSpace(input);
  if (!(yield* fill(input))) return cutCall(call);
  if (id === '') return 'not-a-call';
  if (yield* markerHere(input, [argumentsMark])) input.at += argumentsMark.length;
  else if (input.text[input.at] === '{') call.repaired('odd-header');
  else return 'not-a-call';

  if (!nativeId.test(id)) call.repaired('odd-header');
  const name = id.replace(/^functions\./, '').replace(/:\d+$/, '');
  // A number alone is a counter without a name.
  if (!/^\d*$/.test(name)) call.named(name, id);
  return yield* jsonArguments(session, call, { ends: [callClose], infer });

  function infer(json: string): void {
    const inferred = fitting(context.tools ?? [], JSON.parse(json) as JsonValue);
    if (inferred) {
      call.repaired('inferred-name');
      call.named(inferred.name, id);
    } else
      call.fail(
        'missing_name',
        `"${id.slice(0, 100)}" does not say which tool the call is for: write functions.NAME:NUMBER.`,
      );
  }
}

/** The one tool that has all these arguments and asks for no others. */
function fitting(tools: readonly ToolDefinition[], args: JsonValue): ToolDefinition | undefined {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return undefined;
  const keys = Object.keys(args);
  if (keys.length === 0 && tools.length > 1) return undefined;
  const fits = tools.filter(({ inputSchema }) => {
    if (typeof inputSchema !== 'object') return false;
    const { properties, required } = inputSchema as { properties?: object; required?: unknown };
    const wanted = Array.isArray(required) ? (required as string[]) : [];
    return keys.every(key => Object.hasOwn(properties ?? {}, key)) && wanted.every(key => keys.includes(key));
  });
  return fits.length === 1 ? fits[0] : undefined;
}
