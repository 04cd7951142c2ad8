/** docs/formats.md says what is so. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatNotes } from '../../scripts/format-notes.ts';
import { formatsPage, pageFile } from '../../scripts/formats-page.ts';
import { formats } from '../../src/format.ts';

test('the page is that of the code and the tests; npm run docs:formats writes it', () => {
  expect(readFileSync(pageFile, 'utf8')).toBe(formatsPage());
});

test('every format has its notes, and no other has', () => {
  expect(Object.keys(formatNotes).sort()).toEqual(formats.map(({ name }) => name).sort());
});

test('a row is derived: the marks are not all alike', () => {
  const rows = formatsPage()
    .split('\n')
    .filter(line => line.startsWith('| [`'));
  expect(rows).toHaveLength(formats.length);
  for (const row of rows) expect(row.split('|')).toHaveLength(10);
  expect(rows.some(row => row.includes('as `'))).toBe(true);
});
