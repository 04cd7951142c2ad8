/** A page is one file that asks nobody for anything; its policy allows just what is in it. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { html } from '../../src/html/markup.ts';
import { page, pageEnd, pageStart } from '../../src/html/page.ts';
import { facts, table } from '../../src/html/table.ts';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const between = (text: string, start: string, end: string) => text.split(start)[1]?.split(end)[0] ?? '';

test('the policy allows the style and the script of the page by their hashes, and nothing else', () => {
  const text = page({ title: 'A <b>', style: 'p { color: red }', script: 'document.title' }, html`<p>Hi</p>`);
  const policy = between(text, 'Content-Security-Policy" content="', '"').split('; ');
  expect(policy).toEqual([
    "default-src 'none'",
    `style-src ${hash(between(text, '<style>', '</style>'))}`,
    `script-src ${hash('document.title')}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ]);
  expect(text).toContain('<title>A &lt;b&gt;</title>');
  expect(text.match(/https?:(?!\/\/www\.w3\.org\/2000\/svg)/g)).toBeNull();
});

test('a page without a script allows none', () => {
  const text = page({ title: 'A' }, 'B');
  expect(text).not.toContain('script-src');
  expect(text).not.toContain('<script');
});

test('a page can be written in parts', () => {
  const head = { title: 'A', script: '1' };
  expect(`${pageStart(head)}B${pageEnd}`).toBe(page(head, 'B'));
});

test('a table says what it is, and what its rows and columns are', () => {
  const text = page(
    { title: 'A' },
    table({
      caption: 'Sizes',
      columns: [{ title: 'Thing' }, { title: 'Size', kind: 'number' }],
      rows: [['<nut>', 3]],
    }),
  );
  expect(text).toContain('<caption class="seen">Sizes</caption>');
  expect(text).toContain('<th scope="row" class="text">&lt;nut&gt;</th><td class="number">3</td>');
});

test('facts without a value are left out', () => {
  const text = page({ title: 'A' }, facts([['a', 0], ['b', undefined], ['c', ''], ['d', 'e']])); // biome-ignore format: a list
  expect(text).toContain('<dl class="facts"><dt>a</dt><dd>0</dd><dt>d</dt><dd>e</dd></dl>');
});
