/** Whatever text goes into a page stays a text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html, htmlText, type Markup } from '../../src/html/markup.ts';

test('texts are escaped, in elements and in attributes; what a template gave is not escaped again', () => {
  const inner = html`<b title="${'"\'>'}">${'<i>&'}</b>`;
  expect(htmlText(html`<p>${inner}${[1, undefined, false, ['a', inner]]}</p>`)).toBe(
    '<p><b title="&quot;&#39;&gt;">&lt;i&gt;&amp;</b>1a<b title="&quot;&#39;&gt;">&lt;i&gt;&amp;</b></p>',
  );
});

test('no text can end what it stands in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      expect(htmlText(text)).not.toMatch(/[<>"'\0\r\u202e\p{Cs}]/u);
    }),
  );
});

test('what a page would not show, or what turns its writing round, is written as its code', () => {
  expect(htmlText('a\u0000\r\u001b\u202eb\ud800c')).toBe('a\\u0000\\u000d\\u001b\\u202eb\\ud800c');
  expect(htmlText('tab\tline\n\u{1f600} \u0627')).toBe('tab\tline\n\u{1f600} \u0627');
});

test('a value that only looks like markup is none', () => {
  const forged = JSON.parse('{"html": "<script>", "source": "<script>"}') as Markup;
  expect(() => htmlText(forged)).toThrow(TypeError);
});
