import { expect, test } from 'vitest';
import { History } from '../../parsers/text-store.ts';

test.each([
  ['half characters', ['a\ud83d', '\ude00 and \udc00', '\ud800']],
  ['the character that decoders write for what they cannot read', ['\ufffd', 'x\ufffd\ud83d']],
  ['a mark of byte order', ['\ufeff{', '\ufeff']],
  ['zeros', ['\0', 'a\0']],
])('a history gives back %s', (_what, pieces) => {
  const history = new History();
  history.begin(10, pieces[0]!);
  for (const piece of pieces.slice(1)) history.add(piece);
  const whole = pieces.join('');
  for (let from = 0; from <= whole.length; from++)
    for (let to = from; to <= whole.length; to++)
      expect(history.between(10 + from, 10 + to)).toBe(whole.slice(from, to));
});

test('what was let go of is gone, and the rest stands where it stood', () => {
  const history = new History();
  history.begin(0, '');
  let whole = '';
  for (let at = 0; at < 5000; at++) {
    whole += `${at} `;
    history.add(`${at} `);
    if (at % 700 === 699) history.drop(whole.length - 40);
    expect(history.between(Math.max(0, whole.length - 30), whole.length)).toBe(
      whole.slice(Math.max(0, whole.length - 30)),
    );
  }
});

test('any part of a long text is there, however it came', () => {
  const history = new History();
  const pieces = [7, 300, 1, 9000, 2, 8191, 20_000, 40, 8192].map((length, at) =>
    String.fromCodePoint(97 + at).repeat(length),
  );
  history.begin(5, '');
  for (const piece of pieces) history.add(piece);
  const whole = pieces.join('');
  const places = [0, 6, 7, 307, 308, 4000, 9308, 9310, 17_501, 17_502, 37_500, 37_541, whole.length];
  for (const from of places)
    for (const to of places.filter(place => place >= from))
      expect(history.between(5 + from, 5 + to)).toBe(whole.slice(from, to));
  history.drop(5 + 9309);
  expect(history.between(5 + 9309, 5 + whole.length)).toBe(whole.slice(9309));
});
