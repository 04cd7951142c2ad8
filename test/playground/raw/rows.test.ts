import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layOut } from '../../../src/playground/page/raw/rows.ts';
import { shownParts, shownWidth } from '../../../src/playground/page/raw/shown.ts';

const laid = (texts: readonly string[], columns: number) =>
  layOut(
    texts.map(text => ({ text })),
    columns,
  ).rows.map(row => row.map(cell => cell.text).join('|'));

test('a row ends with a line break, or where a token has no room in it', () => {
  expect(laid(['one', ' two', ' three', '\n', 'four\n\n', 'five'], 10)).toEqual([
    'one| two',
    ' three|\n',
    'four\n',
    '\n',
    'five',
  ]);
});

test('a token longer than a row goes on in the next ones', () => {
  const { rows, rowOf } = layOut([{ text: 'ab' }, { text: 'cdefghijklmnopqrstuvwxyz' }, { text: '!' }], 12);
  expect(rows.map(row => row.map(({ token, text, first }) => [token, text, first]))).toEqual([
    [
      [0, 'ab', true],
      [1, 'cdefghijkl', true],
    ],
    [[1, 'mnopqrstuvwx', false]],
    [
      [1, 'yz', false],
      [2, '!', true],
    ],
  ]);
  expect([0, 1, 2].map(rowOf)).toEqual([0, 0, 2]);
});

test('a token begins where its first character stands', () => {
  const { rowOf } = layOut([{ text: 'abcd' }, { text: 'efghijklmnop' }, { text: '\n\n' }, { text: 'k' }], 10);
  expect([0, 1, 2, 3].map(rowOf)).toEqual([0, 1, 2, 4]);
});

test('what stands alone has a row to itself', () => {
  const { rows } = layOut([{ text: 'a' }, { text: '3 tokens', alone: true }, { text: 'b' }], 20);
  expect(rows.map(row => row.map(cell => cell.text).join(''))).toEqual(['a', '3 tokens', 'b']);
});

test('every character is in one row, in order, and no row is wider than it may be', () => {
  const texts = fc.array(
    fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '\t', '漢', '😀', '\u202e', 'é', '\u0301'),
      maxLength: 9,
    }),
  );
  fc.assert(
    fc.property(texts, fc.integer({ min: 8, max: 20 }), (all, columns) => {
      const { rows, rowOf } = layOut(
        all.map(text => ({ text })),
        columns,
      );
      expect(rows.flat().map(({ text }) => text).join('')).toBe(all.join('')); // biome-ignore format: one line
      for (const row of rows) {
        const width = row.reduce((sum, { text }) => sum + shownWidth(text), 0);
        expect(width).toBeLessThanOrEqual(columns);
      }
      for (const token of all.keys())
        expect(rows[rowOf(token)]).toContainEqual(expect.objectContaining({ token, first: true }));
    }),
  );
});

test('what would not be seen is shown as a sign', () => {
  expect(shownParts('a b')).toEqual([{ text: 'a b', sign: false }]);
  expect(shownParts('a\n')).toEqual([
    { text: 'a', sign: false },
    { text: '↵', sign: true },
  ]);
  expect(shownParts('\u202e\ud800')).toEqual([
    { text: '\\u202e', sign: true },
    { text: '\\ud800', sign: true },
  ]);
  expect(shownParts('')).toEqual([{ text: '◌', sign: true }]);
});

test('wide characters take two columns, and those that stand on others none', () => {
  expect(['a', '漢', 'e\u0301', '😀', '\t', '\u200b', ''].map(shownWidth)).toEqual([1, 2, 1, 2, 1, 6, 1]);
});
