/**
 * JSON and Python literals as parsimmon grammars: the readable definition of what a format's finished block is to the letter,
 * and the tests' oracle. Production reads with `literal.ts`, which streams and has no limit to its nesting; a grammar can do
 * neither. Each value is its exact JSON text.
 */
import Parsimmon, { type Parser } from 'parsimmon';

const { alt, lazy, optWhitespace, regexp, seq, string } = Parsimmon;

export interface StrictCall {
  readonly name: string;
  readonly argumentsText: string;
}

export const space = optWhitespace;
const token = (text: string) => string(text).trim(space);
const listed = <T>(item: Parser<T>) => item.sepBy(token(','));
const object = (members: Parser<string[]>) => members.map(all => `{${all.join(',')}}`);
const array = (items: Parser<string[]>) => items.map(all => `[${all.join(',')}]`);
const number = regexp(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/);

export const jsonString = regexp(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/);
const jsonValue: Parser<string> = lazy(() =>
  alt(
    jsonObject,
    array(listed(jsonValue).wrap(token('['), token(']'))),
    jsonString,
    number,
    regexp(/true|false|null/),
  ),
);
export const jsonObject: Parser<string> = lazy(() =>
  object(
    listed(seq(jsonString.skip(token(':')), jsonValue).map(([key, value]) => `${key}:${value}`)).wrap(
      token('{'),
      token('}'),
    ),
  ),
);

/** Text between tags, as it is read without a schema: JSON where it is JSON, and text where it is not. */
export function rawValue(text: string): string {
  const json = jsonValue.trim(space).parse(text);
  return json.status ? json.value : JSON.stringify(text);
}

const pythonString = alt(
  jsonString,
  regexp(/'((?:[^'\\\n]|\\['"\\nrt]|\\u[0-9a-fA-F]{4})*)'/, 1).map(
    inner => `"${inner.replace(/\\'|"/g, one => (one === '"' ? '\\"' : "'")).replaceAll('\t', '\\t')}"`,
  ),
);
const pythonWord = alt(
  string('True').result('true'),
  string('False').result('false'),
  string('None').result('null'),
);
export const pythonValue: Parser<string> = lazy(() =>
  alt(
    pythonDictionary,
    array(listed(pythonValue).wrap(token('['), token(']'))),
    array(
      seq(pythonValue.skip(token(',')), listed(pythonValue))
        .wrap(token('('), token(')'))
        .map(([first, rest]) => [first, ...rest]),
    ),
    pythonString,
    number,
    pythonWord,
  ),
);
const pythonDictionary: Parser<string> = lazy(() => object(pythonMembers.wrap(token('{'), token('}'))));
const pythonMembers: Parser<string[]> = listed(
  seq(pythonString.skip(token(':')), pythonValue).map(([key, value]) => `${key}:${value}`),
);

const keyword = seq(regexp(/[A-Za-z_]\w*/).skip(token('=')), pythonValue).map(([key, value]) => [
  `"${key}":${value}`,
]);
const spread = string('**').then(pythonMembers.wrap(token('{'), token('}')));

/** `name(key=value, **{"any key": value})` */
export const pythonCall: Parser<StrictCall> = seq(
  regexp(/[A-Za-z_][\w.-]*/),
  object(listed(alt(keyword, spread)).map(all => all.flat())).wrap(
    seq(string('('), space),
    seq(space, string(')')),
  ),
).map(([name, argumentsText]) => ({ name, argumentsText }));

/** `{"name": …, KEY: {…}}` */
export function callObject(argumentsKey: string): Parser<StrictCall> {
  const name = string('"name"').then(token(':')).then(jsonString);
  const args = string(`"${argumentsKey}"`).then(token(':')).then(jsonObject);
  return seq(name.skip(token(',')), args)
    .wrap(seq(string('{'), space), seq(space, string('}')))
    .map(([given, argumentsText]) => ({ name: JSON.parse(given) as string, argumentsText }));
}
