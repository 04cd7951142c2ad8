/** The ways of cutting a completion. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, everyPlaceUpTo, joined, randomFrom, splitsOf } from '../../src/check/splits.ts';

const splits = (length: number, seed: number) => [...splitsOf(length, randomFrom(seed, 'text'))];
const pieces = fc.array(
  fc
    .record({ text: fc.string({ minLength: 1, maxLength: 12 }), control: fc.boolean() })
    .map(({ text, control }) => (control ? { text, control } : { text })),
  { minLength: 1, maxLength: 6 },
);

test('a short completion is cut by the character, at random, and in two at every place', () => {
  const all = splits(40, 1);
  expect(all[0]).toEqual({
    way: 'one character at a time',
    places: Array.from({ length: 39 }, (_, at) => at + 1),
  });
  expect(all.filter(({ way }) => way === 'at random')).toHaveLength(8);
  expect(all.filter(({ way }) => way === 'in two').map(({ places }) => places[0])).toEqual(all[0]!.places);
});

test('a long one is cut in two at a sample of places, within the text', () => {
  const two = splits(everyPlaceUpTo * 100, 1).filter(({ way }) => way === 'in two');
  expect(two).toHaveLength(100);
  for (const { places } of two) {
    expect(places[0]).toBeGreaterThan(0);
    expect(places[0]).toBeLessThan(everyPlaceUpTo * 100);
  }
  expect(new Set(two.map(({ places }) => places[0])).size).toBeGreaterThan(90);
});

test('what cannot be cut is not', () => {
  expect(splits(0, 1)).toEqual([]);
  expect(splits(1, 1)).toEqual([]);
});

test('a seed gives the same splits again, another seed and another text others', () => {
  const places = (seed: number, text: string) => JSON.stringify([...splitsOf(60, randomFrom(seed, text))]);
  expect(places(5, 'a')).toBe(places(5, 'a'));
  expect(places(5, 'a')).not.toBe(places(6, 'a'));
  expect(places(5, 'a')).not.toBe(places(5, 'b'));
});

test('cutting keeps every character, and control tokens whole', () => {
  fc.assert(
    fc.property(pieces, fc.nat(), (given, seed) => {
      const whole = joined(given);
      const text = given.map(piece => piece.text).join('');
      for (const { places } of splitsOf(text.length, randomFrom(seed, text))) {
        const out = cut(whole, places);
        expect(out.map(piece => piece.text).join('')).toBe(text);
        expect(out.every(piece => piece.text !== '')).toBe(true);
        expect(out.filter(piece => piece.control)).toEqual(given.filter(piece => 'control' in piece));
        expect(joined(out)).toEqual(whole);
      }
    }),
    { numRuns: 100 },
  );
});

test('by the character, each text is as many pieces as it has characters', () => {
  const given = [{ text: 'ab' }, { text: '<x>', control: true }, { text: 'cd' }];
  const [characters] = splits(7, 1);
  expect(cut(given, characters!.places)).toEqual([
    { text: 'a' },
    { text: 'b' },
    { text: '<x>', control: true },
    { text: 'c' },
    { text: 'd' },
  ]);
});
