/** Markdown that comes in pieces: the same blocks as of the whole, none read twice, and no text that takes long. */
import fc from 'fast-check';
import { Lexer } from 'marked';
import { describe, expect, test } from 'vitest';
import { readBlocks } from '../../../src/playground/page/markdown/blocks.ts';

const answer = `# Parts

There are **two** parts, \`M-1003\` and [another](https://example.org).

- steel
- copper

  of two kinds

1. first
2. second

| part | weight |
| --- | ---: |
| M-1003 | 7 |

\`\`\`js
const a = 1;

const b = 2;
\`\`\`

> quoted
>
> text

The end.`;

const types = (text: string) => new Lexer({ gfm: true }).lex(text).map(({ type }) => type);

function streamed(cuts: readonly number[], text = answer) {
  const blocks = readBlocks(() => 0);
  for (const cut of [...cuts].sort((a, b) => a - b)) blocks.update(text.slice(0, cut), true);
  blocks.update(text, false);
  return blocks.tokens;
}

test('cut anywhere, it gives the blocks of the whole', () => {
  const whole = new Lexer({ gfm: true }).lex(answer);
  fc.assert(
    fc.property(fc.array(fc.nat(answer.length), { maxLength: 12 }), cuts => {
      const tokens = streamed(cuts);
      expect(tokens.map(({ type }) => type)).toEqual(whole.map(({ type }) => type));
      expect(tokens.map(({ raw }) => raw).join('')).toBe(answer);
    }),
    { numRuns: 200 },
  );
});

test('a block with another one behind it is not read again', () => {
  const blocks = readBlocks(() => 0);
  blocks.update('one\n\ntwo\n\nth', true);
  const [first] = blocks.tokens;
  blocks.update('one\n\ntwo\n\nthree\n\nfour', true);
  expect(blocks.tokens[0]).toBe(first);
  expect(blocks.tokens.filter(({ type }) => type === 'paragraph')).toHaveLength(4);
});

test('a long text that comes at once is read in its blocks', () => {
  const text = Array.from({ length: 400 }, (_, at) => `${answer}\n\nThis was the text of number ${at}.`).join(
    '\n\n',
  );
  expect(streamed([], text).map(({ type }) => type)).toEqual(types(text));
});

test('another text is read from its beginning', () => {
  const blocks = readBlocks(() => 0);
  blocks.update('one\n\ntwo', false);
  blocks.update('# three', false);
  expect(blocks.tokens.map(({ type }) => type)).toEqual(['heading']);
});

test('where reading takes long it waits, and the end is read in any case', () => {
  let time = 0;
  const blocks = readBlocks(() => {
    time += 50;
    return time;
  });
  blocks.update('one', true);
  blocks.update('one\n\ntwo', true);
  expect(blocks.tokens.map(({ raw }) => raw)).toEqual(['one']);
  blocks.update('one\n\ntwo', false);
  expect(blocks.tokens.map(({ raw }) => raw).join('')).toBe('one\n\ntwo');
});

describe('what would take long is shown as it stands', () => {
  test.each([
    ['a long line', 'a'.repeat(200_000)],
    ['emphasis without end', '_a'.repeat(100_000)],
    ['brackets', '['.repeat(200_000)],
    ['quotes in quotes', '> '.repeat(5000)],
    ['lists in lists', '- '.repeat(5000)],
  ])('%s', (_, text) => {
    expect(streamed([1000, 5000, text.length / 2], text).map(({ type, raw }) => ({ type, raw }))).toEqual([
      { type: 'plain', raw: text },
    ]);
  });

  test('code of any length is code', () => {
    const text = `\`\`\`\n${'a line of code\n\n'.repeat(5000)}\`\`\``;
    expect(streamed([500, 30_000], text).map(({ type }) => type)).toEqual(['code']);
  });

  test('and what follows is read again', () => {
    const text = `${'_a'.repeat(20_000)}\n\n# Heading\n\ntext`;
    expect(streamed([], text).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['plain', 'heading', 'paragraph']),
    );
  });
});

test('line ends of Windows are line ends', () => {
  expect(streamed([], '# one\r\n\r\ntwo').map(({ type }) => type)).toEqual(
    ['heading', 'space', 'paragraph'].filter(type => types('# one\n\ntwo').includes(type)),
  );
});
