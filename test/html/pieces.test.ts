/** Prompts and completions to look at. */
import { expect, test } from 'vitest';
import { htmlText } from '../../src/html/markup.ts';
import { completionPieces, plainText, promptPieces } from '../../src/html/pieces.ts';

test('a control token is told from text that spells the same, and each text says whose it is', () => {
  const shown = htmlText(
    promptPieces([
      { control: '<|im_start|>' },
      { text: 'user\n', origin: 'template' },
      { text: '<|im_start|>', origin: 'user' },
    ]),
  );
  expect(shown).toBe(
    '<pre class="pieces"><span class="control">&lt;|im_start|&gt;</span><span class="from-template">user\n</span><span class="from-user">&lt;|im_start|&gt;</span></pre>',
  );
});

test('the pieces of a completion are joined, its control tokens stay apart', () => {
  const control = { text: '<c>', control: true };
  expect(htmlText(completionPieces([{ text: 'a' }, { text: 'b' }, control, control]))).toBe(
    '<pre class="pieces"><span class="from-assistant">ab</span><span class="control">&lt;c&gt;</span><span class="control">&lt;c&gt;</span></pre>',
  );
});

test('of a long text its beginning and end are shown, and how much is left out', () => {
  const shown = htmlText(plainText(`start${'x'.repeat(5000)}end`, 100));
  expect(shown.length).toBeLessThan(400);
  expect(shown).toContain('>startx');
  expect(shown).toContain('xend<');
  expect(shown).toContain('4,908 characters are left out');
});
