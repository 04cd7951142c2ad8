/** The page of an evaluation in a real browser: it asks nobody for anything, and obeys nothing that a model wrote. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { htmlReport } from '../../../src/eval/report/page.ts';
import { variantsOf } from '../../../src/eval/report/variants.ts';
import type { Results } from '../../../src/eval/results.ts';
import { temporaryFolder } from '../../cli/rawcall.ts';
import { openPage } from '../../html/browser.ts';
import { hostile, hostileShown, liveParts } from '../../html/hostile.ts';
import { asked, expectsNone, results, sample, task, variant } from '../made-results.ts';

const long = 'x'.repeat(300_000);

/** A run in which everything that came from a model, a user or a tool is hostile. */
function transcript(): string {
  const call = {
    id: 'call_1',
    name: hostile,
    arguments: { a: hostile },
    argumentsText: JSON.stringify({ a: hostile }),
  };
  const lines = [
    {
      type: 'transcript',
      version: 1,
      startedAt: '2026-11-30T12:00:00.000Z',
      versions: { rawcall: '0.1.0', node: '20' },
      model: { name: 'm', format: 'qwen' },
      settings: {},
      messages: [],
      tools: [],
    },
    { type: 'run-start', at: 0, question: 'q', policy: { answerTurn: 'with-schema', rounds: 'once' } },
    {
      type: 'turn-start',
      at: 1,
      purpose: 'decision',
      lane: 'decision',
      tokens: 1234,
      prompt: { keep: 0, add: [{ control: '<|im_start|>' }, { text: hostile, origin: 'user' }] },
    },
    { type: 'call-end', at: 2, index: 0, call, span: { start: 0, end: 1 } },
    { type: 'repaired', at: 2, index: 0, repair: 'bare-call', span: { start: 0, end: 1 } },
    {
      type: 'call-failed',
      at: 2,
      index: 1,
      id: 'call_2',
      problem: 'bad_json',
      raw: hostile,
      span: { start: 0, end: 1 },
      message: hostile,
    },
    { type: 'completion-end', at: 3, pieces: [{ text: hostile }, { text: long }], reason: 'stop' },
    { type: 'tool-end', at: 4, call, result: { content: hostile }, source: 'tool' },
    {
      type: 'run-end',
      at: 5,
      reason: 'answered',
      answer: hostile,
      turns: 1,
      toolRuns: 1,
      repeats: 0,
      unasked: 0,
    },
  ];
  return lines.map(line => `${JSON.stringify(line)}\n`).join('');
}

async function reportOf(made: Results): Promise<string> {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'transcripts'));
  writeFileSync(path.join(folder, 'transcripts', 'run.jsonl'), transcript());
  return htmlReport(variantsOf([{ file: path.join(folder, 'results.jsonl'), results: made }]));
}

const recorded = { transcript: 'transcripts/run.jsonl' };
const call = {
  turn: 1,
  tool: hostile,
  argumentsText: hostile,
  valid: false,
  problem: 'bad_json',
  repeated: false,
} as const;
const hostileResults = results(
  [
    sample({ variant: 'v', task: hostile, right: false, calls: [call], answer: hostile + long, ...recorded }),
    sample({ variant: 'w', task: hostile, answer: hostile }),
    sample({
      variant: 'w',
      task: 'small',
      tags: ['small-talk'],
      expected: expectsNone,
      right: false,
      ...recorded,
    }),
    sample({ variant: 'v', task: 'small', tags: ['small-talk'], expected: expectsNone, calls: [] }),
    sample({ variant: 'v', task: 'third', error: { code: 'x', message: hostile } }),
  ],
  {
    set: hostile,
    settings: { system: hostile },
    tasks: [
      task(hostile, { query: `Sums? ${hostile}`, tags: [hostile] }),
      task('small', { query: 'Hello there', expected: expectsNone, tags: ['small-talk'] }),
      task('third', { query: 'Sums again' }),
    ],
    variants: [variant('v', { model: hostile }), variant('w', { model: 'plain' })],
  },
);

test('hostile texts are shown as they are and do nothing', async () => {
  const { page, wrongs } = await openPage(await reportOf(hostileResults));
  expect(await liveParts(page)).toEqual({ script: 1, style: 1 });
  expect(await page.evaluate('window.taken')).toBeUndefined();
  expect(wrongs).toEqual([]);
  const shown = await page.locator('.transcript pre').first().textContent();
  for (const line of hostileShown) expect(shown).toContain(line);
}, 120_000);

test('a huge line is cut in its middle, and no window is too narrow', async () => {
  const text = await reportOf(hostileResults);
  expect(text.length).toBeLessThan(400_000);
  for (const width of [1280, 360]) {
    const { page, wrongs } = await openPage(text, { width });
    await page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })");
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(wrongs).toEqual([]);
  }
}, 120_000);

const visibleTasks = (page: Page) => page.locator('.task:visible').count();

test('tasks are filtered and failures opened by the keyboard alone', async () => {
  const { page, wrongs } = await openPage(await reportOf(hostileResults));
  const count = page.locator('#filter-count');
  expect(await count.textContent()).toBe('3 of 3 tasks');
  await page.keyboard.press('/');
  await page.keyboard.type('sums');
  expect(await count.textContent()).toBe('2 of 3 tasks');
  expect(await visibleTasks(page)).toBe(2);
  await page.keyboard.type(' AGAIN');
  expect(await count.textContent()).toBe('1 of 3 tasks');
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  // The second variant failed in small talk alone.
  await page.keyboard.press('Tab');
  await page.keyboard.type('2');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  expect(await count.textContent()).toBe('1 of 3 tasks');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.locator('.task[open] .asked:visible').count()).toBe(1);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
  await page.keyboard.press('Enter');
  expect(await page.locator('.failure[open] .transcript:visible').textContent()).toContain(
    'Prompt, 1,234 tokens',
  );
  expect(wrongs).toEqual([]);
}, 120_000);

/** Of two colours as browsers say them, after WCAG 2. */
function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const parts = color
      .match(/[\d.]+/g)!
      .slice(0, 3)
      .map(Number);
    const [red, green, blue] = parts.map(part => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light, dark] = [luminance(one), luminance(other)].sort((left, right) => right - left) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

test.each(['light', 'dark'] as const)(
  'in %s, every text can be read',
  async scheme => {
    const { page } = await openPage(await reportOf(hostileResults), { scheme });
    await page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })");
    const colors = await page.evaluate<[string, string, string][]>(`
    [...document.querySelectorAll('body *')].flatMap(element => {
      const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
      if (!own || element.closest('svg') || element.closest('td') || !element.checkVisibility()) return [];
      let behind = element;
      while (behind && /, 0\\)$|transparent|^color/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
      return [[element.className || element.tagName, getComputedStyle(element).color, getComputedStyle(behind ?? document.body).backgroundColor]];
    })`);
    expect(colors.length).toBeGreaterThan(100);
    const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(contrast(background, 'rgb(255, 255, 255)') > 4).toBe(scheme === 'dark');
    const bad = colors.filter(([, text, behind]) => contrast(text, behind) < 4.5);
    expect([...new Set(bad.map(one => one.join(' ')))]).toEqual([]);
  },
  120_000,
);

test('a transcript that is not there, or that there is no room for, is said in its place', async () => {
  const made = results([
    sample({ task: 't1', right: false, transcript: 'transcripts/gone.jsonl' }),
    sample({ task: 't2', right: false, transcript: 'transcripts/run.jsonl' }),
    sample({ task: 't3', right: false }),
  ]);
  const [gone] = (await reportOf(made)).match(/The transcript cannot be read: [^<]*/) ?? [];
  expect(gone).toMatch(/gone\.jsonl: there is no such file/);
  expect(await reportOf(made)).toContain('It was not recorded.');
  const variants = variantsOf([{ file: '/nowhere/results.jsonl', results: made }]);
  expect(await htmlReport(variants, 0)).toContain('rawcall show /nowhere/transcripts/run.jsonl');
});

test('one variant, or one without samples, makes a page too', async () => {
  const few = results(asked([true, false]), { variants: [variant('v'), variant('never')] });
  for (const made of [
    results(asked([true])),
    few,
    results([], { tasks: [task('t1')], variants: [variant('v')], samples: 1 }),
  ]) {
    const { page, wrongs } = await openPage(await reportOf(made));
    expect(await page.locator('h1').textContent()).toBe('Evaluation: made');
    expect(await page.content()).not.toMatch(/NaN|undefined|Infinity/);
    expect(wrongs).toEqual([]);
  }
}, 120_000);
