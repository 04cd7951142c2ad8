/** No page names a command or a flag that is not there. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf, pageText, root } from './blocks.ts';
import { commandProblems, someCommandHas } from './commands.ts';

const pages = [
  ...readdirSync(root).filter(name => name.endsWith('.md')),
  ...readdirSync(path.join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];

/** A way of bench/same-model.ts, which reads like a command. */
const ways = ['rawcall auto'];

/** Flags of npm, of servers and of other programs, which are named beside ours. */
const ofOthers = new Set(['--ignore-scripts', '--tool-call-parser']);

const inlineCode = (text: string) =>
  [...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code = '']) => code.replaceAll('\\|', '/'));

test.each(pages)('%s', page => {
  const text = pageText(page);
  const shells = blocksOf(text).filter(({ language }) => language === 'sh');
  expect(shells.flatMap(({ code }) => commandProblems(code))).toEqual([]);
  const code = inlineCode(text).filter(words => !ways.includes(words));
  expect(code.flatMap(commandProblems)).toEqual([]);
  const flags = code.flatMap(words => /^--[a-z][\w-]*/.exec(words) ?? []);
  expect(flags.filter(flag => !someCommandHas(flag) && !ofOthers.has(flag))).toEqual([]);
});

test('a command or a flag that is not there is told', () => {
  expect(commandProblems('npx rawcall rnu "Hi"')).toEqual(['rawcall has no command rnu']);
  expect(commandProblems('rawcall eval report a.jsonl [--outfile FILE]')).toEqual([
    '"rawcall eval report" has no flag --outfile',
  ]);
  expect(commandProblems('rawcall run "--no such" --model a | rawcall parse --jsonl # --none')).toEqual([]);
});
