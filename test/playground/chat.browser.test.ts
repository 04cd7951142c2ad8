/** The chat in a real browser, on the practice model and a real MCP server. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { flagQuestion } from '../cli/rawcall.ts';
import { ask, type Playground, settled, startPlayground } from './browser.ts';

let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground(['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server materials']);
});

const card = (page: Page, phase?: string) =>
  page.locator(phase === undefined ? '.call' : `.call[data-phase=${phase}]`);

/** A dialogue of its own, whatever other tests left. */
async function openNew() {
  const opened = await playground.open();
  await opened.page.getByRole('button', { name: '+ New dialogue' }).click();
  await opened.page.locator('.beginning').waitFor();
  return opened;
}

test('a call streams in and waits for approval; its result is answered', async () => {
  const { page, wrongs } = await openNew();
  const exchange = await ask(page, flagQuestion);
  await card(page, 'asking').waitFor();
  const shown = await card(page).innerText();
  expect(shown).toContain('flag_material');
  expect(shown).toContain('"id": "M-1003"');
  expect(shown).toContain('of the server materials');
  await expect
    .poll(() => page.locator('[role=status]').allInnerTexts())
    .toContainEqual(expect.stringContaining('flag_material needs your approval'));
  await page.getByRole('button', { name: 'Approve' }).click();
  await settled(page);
  await expect.poll(() => card(page, 'ended').innerText()).toContain('Flagged M-1003');
  await expect.poll(() => exchange.locator('.text').last().innerText()).toContain('Flagged M-1003');
  // What it cost, and what the next question finds in the context.
  await expect
    .poll(() => exchange.locator('.turn').last().innerText())
    .toMatch(/prompt \d+ \(\d+ evaluated, \d+ reused\)/);
  await page.locator('.token-bar', { hasText: /results \d+/ }).waitFor();
  expect(wrongs).toEqual([]);
});

test('a rejection is told to the model with its reason', async () => {
  const { page } = await openNew();
  await ask(page, flagQuestion);
  await page.getByLabel('Reason, which the model reads').fill('it was weighed yesterday');
  await page.getByRole('button', { name: 'Reject' }).click();
  await settled(page);
  await expect.poll(() => card(page, 'rejected').innerText()).toContain('it was weighed yesterday');
  await page.getByRole('link', { name: 'turn 2' }).click();
  await page.locator('main[data-view=raw]', { hasText: 'it was weighed yesterday' }).waitFor();
});

test('what is asked for is still asked for after a reload, and the dialogue goes on', async () => {
  const { page, wrongs } = await openNew();
  await ask(page, flagQuestion);
  await card(page, 'asking').waitFor();
  await page.reload();
  expect(page.url()).not.toContain('token');
  await page.getByRole('button', { name: 'Approve' }).click();
  await settled(page);
  await ask(page, 'What is M-1001?');
  await settled(page);
  await page.reload();
  await page.locator('.exchange').nth(1).waitFor();
  await expect
    .poll(() => page.locator('.question').allInnerTexts())
    .toEqual([expect.stringContaining(flagQuestion), expect.stringContaining('What is M-1001?')]);
  await expect.poll(() => card(page, 'ended').count()).toBe(2);
  expect(wrongs).toEqual([]);
});

test('a run can be stopped, and the next question asked', async () => {
  const { page } = await openNew();
  const exchange = await ask(page, flagQuestion);
  await card(page, 'asking').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await settled(page);
  await expect.poll(() => exchange.innerText()).toContain('Stopped.');
  await expect.poll(() => card(page, 'asking').count()).toBe(0);
  await ask(page, 'What is M-1001?');
  await settled(page);
  await expect.poll(() => card(page, 'ended').count()).toBe(1);
});

test('a second page sees the same, and may answer', async () => {
  const { page } = await openNew();
  await ask(page, flagQuestion);
  await card(page, 'asking').waitFor();
  const other = await page.context().newPage();
  await other.goto(playground.address);
  await other.locator('.panel.dialogues a', { hasText: flagQuestion }).first().click();
  await other.getByRole('button', { name: 'Approve' }).click();
  await settled(page);
  await expect.poll(() => card(page, 'ended').count()).toBe(1);
});

test('a question is edited and asked anew: what followed it is gone', async () => {
  const { page } = await openNew();
  await ask(page, 'What is M-1001?');
  await settled(page);
  await ask(page, 'What is M-1002?');
  await settled(page);
  await page.getByRole('button', { name: 'Edit' }).first().click();
  await page.getByRole('textbox', { name: 'Question' }).first().fill('What is M-1003?');
  await page.getByRole('button', { name: 'Ask anew' }).click();
  await page.locator('.question', { hasText: 'M-1003' }).waitFor();
  await settled(page);
  await expect.poll(() => page.locator('.question').count()).toBe(1);
  await expect.poll(() => card(page).innerText()).toContain('M-1003');
  await page.getByRole('button', { name: 'Rerun' }).click();
  await expect.poll(() => page.locator('.turn').first().innerText()).toMatch(/turn [2-9]|turn \d\d/);
  await settled(page);
  await expect.poll(() => page.locator('.question').count()).toBe(1);
});

test('knobs hold for the next question and show what they cost', async () => {
  const { page } = await openNew();
  const tools = page.locator('.token-bar li', { hasText: 'tools' });
  const before = await tools.innerText();
  await page.getByRole('checkbox', { name: /flag_material/ }).uncheck();
  await expect.poll(() => tools.innerText()).not.toBe(before);
  await page.getByLabel('max tokens', { exact: true }).fill('3');
  await page.getByLabel('max tokens', { exact: true }).press('Enter');
  const exchange = await ask(page, 'What is M-1001?');
  await settled(page);
  await expect.poll(() => exchange.innerText()).toMatch(/Cut by the token limit|wrote 3\b/);
  await exchange.getByRole('link', { name: /^turn/ }).first().click();
  await page.locator('main[data-view=raw]', { hasText: 'get_material' }).waitFor();
  await expect.poll(() => page.locator('main').innerText()).not.toContain('flag_material');
  // A reload finds the knobs of the last question.
  await page.goBack();
  await page.reload();
  await expect.poll(() => page.getByLabel('max tokens', { exact: true }).inputValue()).toBe('3');
  await expect.poll(() => page.getByRole('checkbox', { name: /flag_material/ }).isChecked()).toBe(false);
  await page.getByRole('button', { name: 'max tokens: back to the default' }).click();
  await expect.poll(() => page.getByLabel('max tokens', { exact: true }).inputValue()).not.toBe('3');
});

test('what the server refuses is said, and the question is not lost', async () => {
  const { page } = await openNew();
  await page.getByLabel('format', { exact: true }).fill('no-such-format');
  await page.getByLabel('format', { exact: true }).press('Enter');
  await page.locator('#question').fill('What is M-1001?');
  await page.keyboard.press('Enter');
  await page
    .getByText(/"no-such-format"/)
    .first()
    .waitFor();
  await settled(page);
  const asked = [
    ...(await page.locator('.question').allInnerTexts()),
    await page.locator('#question').inputValue(),
  ];
  expect(asked.join()).toContain('What is M-1001?');
});

test('what is being typed into a knob stays when the page hears news', async () => {
  const { page } = await openNew();
  const format = page.getByLabel('format', { exact: true });
  await format.pressSequentially('lla');
  // A dialogue of somebody else's is news.
  const other = await openNew();
  await page.locator('.panel.dialogues li').nth(1).waitFor();
  await ask(other.page, 'What is M-1002?');
  await settled(other.page);
  await format.pressSequentially('ma3');
  await expect.poll(() => format.inputValue()).toBe('llama3');
});

test('dialogues are kept, named and deleted', async () => {
  const { page } = await openNew();
  await ask(page, 'What is M-1004?');
  await settled(page);
  const entry = page.locator('.panel.dialogues li.current');
  await entry.getByRole('button', { name: /^Rename/ }).click();
  await page.getByLabel('Name', { exact: true }).fill('The fourth part');
  await page.keyboard.press('Enter');
  await page.locator('.panel.dialogues li.current', { hasText: 'The fourth part' }).waitFor();
  await page.getByRole('button', { name: '+ New dialogue' }).click();
  await page.locator('.beginning').waitFor();
  await page.getByRole('link', { name: 'The fourth part' }).click();
  await page.locator('.question', { hasText: 'M-1004' }).waitFor();
  await entry.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => page.getByRole('link', { name: 'The fourth part' }).count()).toBe(0);
  await page.reload();
  await page.locator('#question').waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'The fourth part' }).count()).toBe(0);
});

test('everything by the keyboard', async () => {
  const { page } = await openNew();
  await page.locator('.log').focus();
  await page.keyboard.press('i');
  await page.keyboard.type(flagQuestion);
  await page.keyboard.press('Enter');
  await card(page, 'asking').waitFor();
  // Letters in a field are letters.
  await page.keyboard.type('ar');
  await expect.poll(() => page.locator('#question').inputValue()).toBe('ar');
  await page.locator('#question').fill('');
  await page.locator('.log').focus();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect.poll(() => keys.innerText()).toContain('approve the call');
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await page.keyboard.press('r');
  await page.keyboard.type('no');
  await page.keyboard.press('Enter');
  await settled(page);
  await expect.poll(() => card(page, 'rejected').innerText()).toContain('Reason: no');
  await page.locator('.log').focus();
  await page.keyboard.press('e');
  await page.keyboard.press('Escape');
  await page.locator('.log').focus();
  for (const [key, view] of [
    ['2', 'raw'],
    ['3', 'lab'],
    ['4', 'runs'],
    ['1', 'chat'],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator(`main[data-view=${view}]`).waitFor();
  }
});
