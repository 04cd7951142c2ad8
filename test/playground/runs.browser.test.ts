/** Recorded runs and evaluations in a real browser. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonReport } from '../../src/eval/report/json.ts';
import { variantsOf } from '../../src/eval/report/variants.ts';
import { call, scriptedTools } from '../agent/harness.ts';
import { results, sample, task, variant } from '../eval/made-results.ts';
import type { Look } from '../html/browser.ts';
import { record } from '../transcript/harness.ts';
import { expectNoOverflow, type Playground, seriousFaults, startPlayground } from './browser.ts';

const data = mkdtempSync(path.join(tmpdir(), 'rawcall-runs-'));
const runs = path.join(data, 'runs');
const evals = path.join(data, 'evals');
let playground: Playground;

beforeAll(async () => {
  for (const folder of [runs, evals]) mkdirSync(folder);
  playground = await startPlayground([], { RAWCALL_DATA: data });
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

async function open(address: string, look?: Look) {
  const { page, wrongs } = await playground.open(look);
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page.locator('main[data-view=runs]').waitFor();
  return { page, wrongs };
}

const hostile = '<img src=x onerror="window.taken=1"> It is 4 degrees.\u202e';

/** A run with a call in two turns, and another question after it. */
async function recorded(): Promise<string> {
  const tools = scriptedTools({ get_weather: () => hostile });
  const written = [call('get_weather', { city: 'Oslo' }), 'It is cold.', 'You are welcome.'];
  return (await record(written, tools, ['Oslo?', 'Thanks!'])).file;
}

const step = (page: Page) => page.locator('.steps [aria-current]');

test('a transcript is stepped through with the keys, and replayed', async () => {
  copyFileSync(await recorded(), path.join(runs, 'a.jsonl'));
  const { page, wrongs } = await open('#/runs');
  await page.getByRole('link', { name: /Oslo\?/ }).click();
  await expect.poll(() => page.locator('.steps li').count()).toBe(8);
  await expect.poll(() => step(page).textContent()).toContain('Question');
  await page.keyboard.press('j');
  await expect.poll(() => step(page).textContent()).toContain('Turn 1, decision');
  const prompt = page.getByRole('listbox', { name: 'Words of the prompt' });
  expect((await prompt.locator('.from-user').allTextContents()).join('')).toBe('Oslo?');
  const completion = page.getByRole('region', { name: 'Completion' });
  await expect.poll(() => completion.textContent()).toContain('call of get_weather');
  await page.keyboard.press('j');
  await expect.poll(() => page.getByRole('region', { name: 'Result' }).textContent()).toContain('<img src=x');
  await page.keyboard.press('j');
  await page.getByLabel('Against turn 1').check();
  const both = page.getByRole('listbox', { name: 'Tokens of both prompts' });
  await expect.poll(() => both.locator('.added').count()).toBeGreaterThan(5);
  await expect.poll(() => both.locator('.removed').count()).toBe(0);
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await expect
    .poll(() => page.getByRole('status').filter({ hasText: 'step' }).textContent())
    .toBe('step 1 of 8');
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('✓ 2 runs, 3 turns: as recorded.').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  expect(await page.evaluate('window.taken')).toBeUndefined();
  expect(wrongs).toEqual([]);
});

test('a replay in another format shows where it goes another way, and what was recorded there', async () => {
  copyFileSync(await recorded(), path.join(runs, 'b.jsonl'));
  const { page } = await open('#/runs/run/b.jsonl');
  await page.getByLabel('as').selectOption('llama3');
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('✗ Run 1 goes another way in turn 1.').waitFor();
  await expect.poll(() => page.locator('.difference .good').count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Show what was recorded there' }).click();
  await expect.poll(() => step(page).textContent()).toContain('Turn 1');
});

test('a completion goes on in the lab, in the pieces in which it was written', async () => {
  copyFileSync(await recorded(), path.join(runs, 'c.jsonl'));
  const { page, wrongs } = await open('#/runs/run/c.jsonl');
  await page.getByRole('button', { name: /^Turn 1/ }).click();
  await page.getByRole('button', { name: 'Step through it in the lab' }).click();
  await page.locator('main[data-view=lab]').waitFor();
  await page.getByRole('region', { name: 'Read as hermes' }).getByText('get_weather').first().waitFor();
  await expect.poll(() => page.getByLabel('It comes').inputValue()).toBe('pieces');
  expect(wrongs).toEqual([]);
});

const made = results(
  [
    sample({
      variant: 'v',
      task: 't1',
      transcript: 'x.transcripts/one.jsonl',
      right: false,
      answer: hostile,
    }),
    sample({ variant: 'v', task: 't2' }),
    sample({ variant: 'w', task: 't1' }),
    sample({ variant: 'w', task: 't2' }),
  ],
  { variants: [variant('v'), variant('w', { format: 'qwen' })], tasks: [task('t1'), task('t2')] },
);
const lines = [made.header, ...made.samples].map(line => `${JSON.stringify(line)}\n`).join('');

test('an evaluation is opened, its failures found, and the transcript of one', async () => {
  writeFileSync(path.join(evals, 'x.jsonl'), lines);
  mkdirSync(path.join(evals, 'x.transcripts'));
  copyFileSync(await recorded(), path.join(evals, 'x.transcripts/one.jsonl'));
  const { page, wrongs } = await open('#/runs');
  await page.getByRole('link', { name: /^made/ }).click();
  const row = page.getByRole('row', { name: /1 llama3/ });
  await row.waitFor();
  await expect.poll(() => row.textContent()).toContain('50.0 %');
  await page.getByLabel('Failures only').check();
  await page.getByText('1 of 2 tasks').waitFor();
  await page.locator('.task summary').click();
  await expect.poll(() => page.locator('.failed').textContent()).toContain('no call');
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Its transcript' }).click();
  await expect.poll(() => page.locator('.steps li').count()).toBe(8);
  await page.getByRole('link', { name: 'Back to the evaluation' }).click();
  await row.waitFor();
  expect(wrongs).toEqual([]);
});

test('files are opened from anywhere, and what is none of ours is refused with a reason', async () => {
  const { page, wrongs } = await open('#/runs');
  const field = page.locator('input[type=file]');
  const give = (name: string, text: string) =>
    field.setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  await give('mine.jsonl', readFileSync(await recorded(), 'utf8'));
  await expect.poll(() => page.locator('.steps li').count()).toBe(8);
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('as recorded.').waitFor();
  await give('results.jsonl', lines);
  await page.getByRole('heading', { name: 'Evaluation: made' }).waitFor();
  await give('report.json', jsonReport(variantsOf([{ file: 'x.jsonl', results: made }])));
  await page.getByText('1 0/1').waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Its transcript' }).count()).toBe(0);
  expect(wrongs).toEqual([]);
  await give('photo.jsonl', 'no such thing');
  await page.getByText('photo.jsonl: it is neither a transcript').waitFor();
});

test('in a narrow window, in the dark, there is no fault', async () => {
  copyFileSync(await recorded(), path.join(runs, 'd.jsonl'));
  const { page } = await open('#/runs/run/d.jsonl', { width: 360, scheme: 'dark' });
  await page.getByRole('button', { name: /^Turn 2/ }).click();
  await expectNoOverflow(page);
  expect(await seriousFaults(page)).toEqual([]);
});
