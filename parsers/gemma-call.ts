/** `call:NAME{k:VALUE,…}` between two markers: FunctionGemma and Gemma 4, which differ in their marks alone. */
import Parsimmon, { type Parser as Grammar } from 'parsimmon';
import { emptyBlock } from './blocks.ts';
import { callList } from './call-list.ts';
import { createParser } from './create-parser.ts';
import { gemmaCalls } from './gbnf/gemma.ts';
import { GemmaArguments, type GemmaQuoting } from './gemma-arguments.ts';
import { type GemmaMarks, gemmaValue } from './gemma-value.ts';
import { jsonString, type StrictCall, space } from './grammar.ts';
import { fill, type Mark, markerHere, readSpace, type Steps } from './input.ts';
import { cutCall, type NamedCall } from './named-call.ts';
import type { Parser, Piece } from './parser.ts';
import { pythonCall } from './python-call.ts';
import type { Block, Session, Syntax } from './session.ts';

const { alt, lazy, regexp, seq, string } = Parsimmon;
const nameEnd = /[\s{}()[\]<>"'`,;]/;

/** The blocks to the letter. */
export function gemmaGrammar({ open, close, quote }: GemmaMarks): Grammar<StrictCall[]> {
  const escaped = quote.replace(/[|]/g, '\\$&');
  const marked = string(quote)
    .then(regexp(new RegExp(`(?:(?!${escaped})[^])*`)))
    .skip(string(quote))
    .map(text => JSON.stringify(text));
  // The only way to write a string that holds the mark itself.
  const holding = jsonString.chain(json =>
    (JSON.parse(json) as string).includes(quote)
      ? Parsimmon.of(json)
      : Parsimmon.fail(`${quote} in the string`),
  );
  const value: Grammar<string> = lazy(() =>
    alt(
      object,
      alt(value)
        .sepBy(string(','))
        .wrap(string('['), string(']'))
        .map(items => `[${items.join(',')}]`),
      marked,
      holding,
      regexp(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.+-])/),
      regexp(/(?:true|false|null)(?![\w.+-])/),
    ),
  );
  const key = alt(
    regexp(/[\w.$-]+/).map(text => JSON.stringify(text)),
    marked,
    holding,
  );
  const object: Grammar<string> = lazy(() =>
    seq(key.skip(string(':')), value)
      .map(([name, json]) => `${name}:${json}`)
      .sepBy(string(','))
      .wrap(string('{'), string('}'))
      .map(members => `{${members.join(',')}}`),
  );
  return seq(regexp(/call:([^\s{}()[\]<>"'`,;]+)/, 1), object)
    .map(([name, argumentsText]) => ({ name, argumentsText }))
    .wrap(string(open), string(close))
    .sepBy1(space);
}

export function gemmaParser(
  marks: GemmaMarks,
  syntax: Pick<Syntax, 'name' | 'stops' | 'results' | 'thinking'>,
): Parser {
  const { open, close, quote } = marks;
  const { stops } = syntax;
  return createParser(
    {
      ...syntax,
      argumentsKey: 'arguments',
      blocks: [gemmaBlock(marks, gemmaCall({ quote, ends: [close, open, ...stops] }, false))],
      bare: gemmaCall({ quote, ends: stops }, true),
    },
    calls =>
      calls.flatMap((call): Piece[] => [
        { text: open, control: true },
        { text: `call:${call.name}` },
        ...gemmaValue(call.argumentsText, quote),
        { text: close, control: true },
      ]),
    gemmaCalls(marks),
  );
}

function gemmaBlock({ open, close }: GemmaMarks, named: NamedCall): Block {
  return {
    open,
    close,
    *read(session, mark) {
      const { input, prose } = session;
      const list = (begin: Mark) =>
        callList(session, { form: 'named', named, mark: begin, open, close, tentative: false, decided() {} });
      let result = yield* list(mark);
      if (result.calls === 0) return yield* emptyBlock(session, mark, { open, close });
      while (!result.closed && result.rest.trim() === '' && (yield* markerHere(input, ['call:'])))
        result = yield* list(input.mark());
      prose.block();
      prose.add(result.rest);
      return true;
    },
  };
}

function gemmaCall(quoting: GemmaQuoting, bare: boolean): NamedCall {
  return function* (session, call) {
    const { calls } = session;
    const head = yield* readHead(session);
    if (head === undefined) return 'not-a-call';
    const meant = head.startsWith('call:');
    const name = head.replace(/^call:/, '').slice(0, -1);
    if (bare && !(head.endsWith('{') && calls.known(name) && (meant || !calls.any))) return 'not-a-call';
    if (head.endsWith('(')) {
      call.repaired('foreign-call');
      return yield* pythonCall(session, call, name, { tentative: false, strangers: true, decided() {} });
    }
    if (!head.endsWith('{')) return cutCall(call);
    if (name === '')
      call.fail('missing_name', 'The call does not say which tool it is for: write call:NAME{…}.');
    else call.named(name);
    if (!meant) call.repaired('odd-header');
    return yield* new GemmaArguments(session, call, quoting, call.add).read();
  };
}

/** Reads `call:NAME{`, or its parenthesis, white space left out; what there is of it where the completion ends. Undefined: something else. */
function* readHead({ input }: Session): Steps<string | undefined> {
  let head = '';
  while (yield* fill(input)) {
    const char = input.text[input.at] ?? '';
    if (char === '{' || (char === '(' && head.startsWith('call:'))) {
      input.at++;
      return head + char;
    }
    if (/\s/.test(char)) {
      yield* readSpace(input);
      const next = (yield* fill(input)) ? (input.text[input.at] ?? '') : '{';
      if (next !== '{' && head !== 'call:' && !(head === 'call' && next === ':')) return undefined;
    } else if (nameEnd.test(char)) return undefined;
    else {
      head += char;
      input.at++;
    }
  }
  return head.startsWith('call:') || 'call:'.startsWith(head) ? head : undefined;
}
