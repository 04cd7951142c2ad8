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
