/** The dialects JSON and Python: `{"a": 1, "b": [true, null]}` and `{"a": 1, "b": [True, None]}`. */
import { pythonLiteral, spacedJson } from '../json-text.ts';
import { charsOf, complement, range, union } from './char-set.ts';
import {
  type Dialect,
  type Member,
  type Members,
  otherTexts,
  quotedText,
  type TextStyle,
} from './dialect.ts';
import { choice, type Expression, empty, letters, oneOf, repeat, rule, sequence } from './expression.ts';

const controls = union([[0, 0x1f]]);
const plain = complement(union(controls, charsOf('"\\')));
const hex = oneOf(range('09afAF'));
/** A character by its number: half of a pair is none. */
const codeUnit = sequence(
  letters('u'),
  choice(
    sequence(oneOf(range('09acefACEF')), repeat(hex, 3, 3)),
    sequence(oneOf(charsOf('dD')), oneOf(range('07')), repeat(hex, 2, 2)),
  ),
);
const pair = (first: string) =>
  sequence(letters('u'), oneOf(charsOf('dD')), oneOf(range(first)), repeat(hex, 2, 2));

function quoted(name: string, ...escapes: readonly Expression[]): TextStyle {
  return quotedText({
    char: rule(name, choice(oneOf(plain), sequence(letters('\\'), choice(...escapes)))),
    plain,
    escaped: char => JSON.stringify(char).slice(1, -1),
  });
}

const jsonText = quoted(
  'char',
  oneOf(charsOf('"\\/bfnrt')),
  codeUnit,
  // Two halves are one character.
  sequence(pair('89abAB'), letters('\\'), pair('cfCF')),
);
const pythonText = quoted('python-char', oneOf(charsOf('"\\bfnrt')), codeUnit);

const members = (text: TextStyle): Members => ({
  open: letters('{'),
  between: letters(', '),
  close: letters('}'),
  member: name => ({ before: letters(`${JSON.stringify(name)}: `), after: empty }),
  others(names) {
    if (names.length === 0) return anyMember(text);
    // A key in one spelling only, so that none of these can be written in another one.
    const key = otherTexts(names, { later: allowed, char: text.char });
    return [{ before: sequence(letters('"'), key, letters('": ')), after: empty }];
  },
});

const anyMembers = new WeakMap<TextStyle, readonly Member[]>();

function anyMember(text: TextStyle): readonly Member[] {
  const known = anyMembers.get(text);
  if (known) return known;
  const key = repeat(text.char(allowed), 0);
  const made = [{ before: sequence(letters('"'), key, letters('": ')), after: empty }];
  anyMembers.set(text, made);
  return made;
}

const allowed = union(plain, charsOf('"\\\b\f\n\r\t'));

export const json: Dialect = {
  name: 'json',
  write: value => letters(spacedJson(JSON.stringify(value))),
  text: jsonText,
  members: members(jsonText),
};

export const python: Dialect = {
  name: 'python',
  write: value => letters(pythonLiteral(JSON.stringify(value))),
  text: pythonText,
  members: members(pythonText),
};

const firstOfName = range('AZaz__');
const laterInName = union(firstOfName, range('09'));

/** `a=1, **{"any key": 2}`: what stands between the parentheses of a Python call. */
export const pythonArguments: Members = {
  open: empty,
  between: letters(', '),
  close: empty,
  member: name =>
    /^[A-Za-z_]\w*$/.test(name)
      ? { before: letters(`${name}=`), after: empty }
      : { before: letters(`**{${JSON.stringify(name)}: `), after: letters('}') },
  others(names) {
    const name = otherTexts(names, { first: firstOfName, later: laterInName, char: oneOf });
    const [{ before, after } = { before: empty, after: empty }] = python.members.others(names);
    return [
      { before: sequence(name, letters('=')), after: empty },
      { before: sequence(letters('**{'), before), after: sequence(after, letters('}')) },
    ];
  },
};
