/** The lab in a real browser, on the practice model. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Look } from '../html/browser.ts';
import {
  ask,
  expectNoOverflow,
  type Playground,
  seriousFaults,
  settled,
  startPlayground,
} from './browser.ts';

let playground: Playground;

beforeAll(async () => {
  playground = await startPlayground(['--no-record']);
});

async function open(tab: string, look?: Look) {
  const { page, wrongs } = await playground.open(look);
  await page.evaluate(`location.hash = ${JSON.stringify(`#/lab/${tab}`)}`);
  await page.locator('main[data-view=lab]').waitFor();
  return { page, wrongs };
}

const card = (page: Page, format: string) =>
  page.getByRole('region', { name: new RegExp(`Read as .*${format}`) });
const pieces = (page: Page) => page.getByRole('listbox', { name: 'Pieces of the completion' });
const step = (page: Page) => page.getByRole('region', { name: 'Pieces' }).getByRole('status');

/** A Python dict, a comma too many, and the end of a closing tag missing. */
const broken =
  "<think>\nA sum.\n</think>\n<tool_call>\n{'name': 'add', 'arguments': {'a': 31, 'b': 11, }}\n</tool_cal";

describe('a broken completion', () => {
  test('is read by all formats side by side, and what was mended is said', async () => {
    const { page, wrongs } = await open('read');
    await page.getByLabel('What the model wrote').fill(broken);
    await expect.poll(() => card(page, 'hermes').textContent()).toContain('add {"a":31,"b":11}');
    const hermes = await card(page, 'hermes').textContent();
    for (const said of ['A sum.', 'single-quotes', 'trailing-comma', 'missing-close'])
      expect(hermes).toContain(said);
    await expect.poll(() => card(page, 'llama3').textContent()).not.toContain('"a":31');
    await expect.poll(() => page.locator('.reading-card').count()).toBeGreaterThan(2);
    await expectNoOverflow(page);
    expect(await seriousFaults(page)).toEqual([]);
    expect(wrongs).toEqual([]);
  });

  test('is gone through piece by piece with the keys alone', async () => {
    const { page, wrongs } = await open('read');
    await page
      .getByLabel('What the model wrote')
      .fill('Hi <tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>');
    await page.getByLabel('It comes').selectOption('characters');
    await expect.poll(() => step(page).textContent()).toBe('64 pieces, all read');
    await page.getByRole('heading', { name: 'Pieces' }).click();
    await page.keyboard.press('{');
    await expect.poll(() => step(page).textContent()).toBe('nothing of 64 pieces was read');
    await expect.poll(() => card(page, 'hermes').textContent()).toContain('Nothing is read yet.');
    await page.keyboard.press(']');
    await page.keyboard.press(']');
    await expect.poll(() => step(page).textContent()).toBe('2 of 64 pieces read');
    await expect.poll(() => card(page, 'hermes').locator('.read-text').textContent()).toBe('Hi');
    // The next piece that led to anything is the quote that ends the call's name.
    await page.keyboard.press('.');
    await expect.poll(() => card(page, 'hermes').textContent()).toContain('This step: a call of add begins');
    await page.keyboard.press(',');
    await expect.poll(() => step(page).textContent()).toBe('2 of 64 pieces read');
    await page.getByLabel('Pieces read').fill('48');
    await expect.poll(() => card(page, 'hermes').textContent()).toContain('call, goes on');
    await page.keyboard.press('[');
    await expect.poll(() => step(page).textContent()).toBe('47 of 64 pieces read');
    await page.keyboard.press('}');
    await expect.poll(() => card(page, 'hermes').textContent()).toContain('add {"a":1}');
    await expect.poll(() => pieces(page).locator('.read-call').count()).toBeGreaterThan(40);
    expect(wrongs).toEqual([]);
  });

  test('is cut where somebody cuts it, and by whom it is read is chosen', async () => {
    const { page } = await open('read');
    await page.getByText('Formats', { exact: false }).first().click();
    await page.getByRole('button', { name: 'None' }).click();
    await page.getByLabel('hermes', { exact: true }).check();
    const text = page.getByLabel('What the model wrote');
    await text.fill('abcdef');
    await page.getByLabel('It comes').selectOption('own');
    await text.press('Control+Home');
    for (const _ of 'ab') await text.press('ArrowRight');
    await page.getByRole('button', { name: 'Cut at the cursor' }).click();
    await expect.poll(() => step(page).textContent()).toBe('2 pieces, all read');
    await expect.poll(() => pieces(page).locator('.token').allTextContents()).toEqual(['ab', 'cdef']);
    await expect.poll(() => page.locator('.reading-card').count()).toBe(1);
  });

  test('is not forgotten when another view is looked at, or the page is loaded again', async () => {
    const { page } = await open('read');
    await page.getByLabel('What the model wrote').fill('Kept.');
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('link', { name: 'Lab' }).click();
    await expect.poll(() => page.getByLabel('What the model wrote').inputValue()).toBe('Kept.');
    await page.reload();
    await expect.poll(() => page.getByLabel('What the model wrote').inputValue()).toBe('Kept.');
  });

  test('hostile text stays text', async () => {
    const { page, wrongs } = await open('read');
    await page
      .getByLabel('What the model wrote')
      .fill('<img src=x onerror="window.taken=1"><script>window.taken=1</script>');
    await expect.poll(() => card(page, 'hermes').textContent()).toContain('<script>window.taken=1</script>');
    expect(await page.evaluate('window.taken')).toBeUndefined();
    await expect.poll(() => page.locator('main img').count()).toBe(0);
    expect(wrongs).toEqual([]);
  });
});

describe('messages', () => {
  test('are rendered by templates, counted and compared', async () => {
    const { page, wrongs } = await open('render');
    const costs = page.getByRole('table');
    await expect.poll(() => costs.textContent()).toContain('Tokens of');
    const total = async (format: string) =>
      Number(await costs.getByRole('row', { name: format }).getByRole('cell').first().textContent());
    const listed =
      (await page
        .getByRole('listbox', { name: 'Prompt of qwen' })
        .getByRole('option')
        .first()
        .getAttribute('aria-setsize')) ?? '';
    expect(await total('qwen')).toBe(Number(listed));
    expect(await total('hermes')).toBeGreaterThan(await total('qwen'));
    await page.getByLabel('Compare two of them').check();
    const both = page.getByRole('listbox', { name: 'Tokens of both prompts' });
    await expect.poll(() => both.locator('.added').count()).toBeGreaterThan(0);
    await expect.poll(() => both.locator('.removed').count()).toBeGreaterThan(0);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByLabel('Compare two of them').uncheck();
    const before = await total('qwen');
    await page.getByLabel('Schemas stand').selectOption('none');
    await expect.poll(() => total('qwen')).toBeLessThan(before);
    expect(wrongs).toEqual([]);
  });

  test('that are none are told so in their place', async () => {
    const { page } = await open('render');
    const messages = page.getByLabel('Messages');
    await messages.fill('[{"role": "king", "content": ""}]');
    await expect
      .poll(() => page.getByRole('alert').allTextContents())
      .toContainEqual(expect.stringContaining('messages[0].role'));
    await messages.fill('[{"role":');
    await page.getByText('This is no JSON yet').waitFor();
    await expect.poll(() => messages.getAttribute('aria-invalid')).toBe('true');
  });
});

describe('two settings', () => {
  test('are run side by side on the real model', async () => {
    const { page, wrongs } = await open('run');
    const side = (name: string) => page.getByRole('region', { name: `Side ${name}` });
    await side('B').getByLabel('Max tokens').fill('3');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => side('A').textContent(), { timeout: 30_000 }).toContain('call of add');
    await expect
      .poll(() => side('B').textContent(), { timeout: 30_000 })
      .toContain('3 tokens, cut by the limit');
    await expect.poll(() => side('A').textContent()).toContain('{"a":31,"b":11}');
    await page.getByText(/The sides part at character/).waitFor();
    await side('B').getByLabel('Max tokens').fill('');
    await side('B').getByLabel('Constrain').selectOption('off');
    await page.getByRole('button', { name: 'Run both' }).click();
    await expect
      .poll(() => page.locator('.results').textContent(), { timeout: 30_000 })
      .toContain('wrote the same');
    expect(await seriousFaults(page)).toEqual([]);
    expect(wrongs).toEqual([]);
  });

  test('a side that cannot be run says why, and the other one runs', async () => {
    const { page } = await open('run');
    const side = (name: string) => page.getByRole('region', { name: `Side ${name}` });
    await page.getByLabel('Tools').fill('');
    await side('A').getByLabel('Constrain').selectOption('required');
    await page.getByLabel('Messages').fill(JSON.stringify([{ role: 'user', content: 'so '.repeat(9000) }]));
    await page.getByRole('button', { name: 'Run both' }).click();
    await expect
      .poll(() => side('B').textContent(), { timeout: 30_000 })
      .toContain('tokens, the context holds');
  });
});

test('what a dialogue’s turn wrote is read piece by piece as the model’s own tokens', async () => {
  const { page, wrongs } = await playground.open();
  await ask(page, 'Hello!');
  await settled(page);
  await page.getByRole('link', { name: 'Raw' }).click();
  await page.getByRole('button', { name: 'Step through it' }).click();
  await page.locator('main[data-view=lab]').waitFor();
  await expect.poll(() => page.locator('.reading-card').count()).toBe(1);
  await expect.poll(() => page.getByLabel('It comes').inputValue()).toBe('pieces');
  await expect.poll(() => pieces(page).locator('.control').last().textContent()).toBe('<|im_end|>');
  const [, count] = /^(\d+) pieces, all read$/.exec((await step(page).textContent()) ?? '') ?? [];
  expect(Number(count)).toBeGreaterThan(5);
  expect(wrongs).toEqual([]);
});

test.each(['read', 'render', 'run'])('in a narrow window, in the dark, %s has no fault', async tab => {
  const { page } = await open(tab, { width: 360, scheme: 'dark' });
  if (tab === 'read') await page.getByRole('button', { name: 'An example' }).click();
  await page
    .getByRole('listbox')
    .or(page.getByRole('region', { name: 'Side A' }))
    .first()
    .waitFor();
  await expectNoOverflow(page);
  expect(await seriousFaults(page)).toEqual([]);
});
