/** The page of a recorded run in a real browser: all of the run is there, it asks nobody for anything, and nothing in it acts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { transcriptPage } from '../../src/transcript/page.ts';
import { openTranscript } from '../../src/transcript/read-transcript.ts';
import { call, scriptedTools } from '../agent/harness.ts';
import { openPage } from '../html/browser.ts';
import { hostile, hostileShown, liveParts } from '../html/hostile.ts';
import { linesOf, record } from './harness.ts';

const pieces = (text: string) => [...text].map(one => ({ text: one, tokens: [1] }));
const tools = () =>
  scriptedTools({ get_weather: () => `It is 4 degrees. ${hostile}`, get_time: () => '12:00' });

async function pageOf(file: string): Promise<string> {
  let text = '';
  for await (const part of transcriptPage(await openTranscript(file))) text += part;
  return text;
}

test('a run from its question to its answer, a turn whose prompt opens by the keyboard, and no request', async () => {
  const oslo = call('get_weather', { city: 'Oslo' });
  const { file } = await record([pieces(oslo), 'Cold.', 'You are welcome.'], tools(), ['Oslo?', 'Thanks!'], {
    system: 'Be brief.',
  });
  const backgrounds = new Set<string>();
  for (const scheme of ['light', 'dark'] as const) {
    const { page, wrongs } = await openPage(await pageOf(file), { scheme });
    expect(await page.title()).toMatch(/^Run of 20/);
    expect(await page.locator('.transcript h4').allTextContents()).toEqual([
      ...['Question', 'Turn 1, decision', 'Turn 2, decision'],
      ...['Question', 'Turn 3, decision'],
    ]);
    expect(await page.locator('.transcript pre:visible').allTextContents()).toEqual([
      ...['Oslo?', oslo, 'get_weather {"city":"Oslo"}'],
      ...[expect.stringContaining('It is 4 degrees.'), 'Cold.', 'Cold.', 'Cold.'],
      ...['Thanks!', 'You are welcome.', 'You are welcome.', 'You are welcome.'],
    ]);
    const prompt = page.locator('.transcript details').first();
    expect(await prompt.locator('pre').isVisible()).toBe(false);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await prompt.locator('pre').textContent()).toContain('Be brief.');
    expect(await prompt.locator('.control').first().textContent()).toBe('<|im_start|>');
    backgrounds.add(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'));
    expect(wrongs).toEqual([]);
  }
  expect(backgrounds.size).toBe(2);
}, 120_000);

test('hostile texts are shown as they are and do nothing, in a window of any width', async () => {
  const { file } = await record(
    [call('get_weather', { city: hostile }), `<tool_call>\n{"name": "${hostile}`, hostile],
    tools(),
    [hostile],
    { system: hostile },
  );
  const text = await pageOf(file);
  for (const width of [1280, 360]) {
    const { page, wrongs } = await openPage(text, { width });
    expect(await liveParts(page)).toEqual({ style: 1 });
    expect(await page.evaluate('window.taken')).toBeUndefined();
    const body = await page.locator('body').textContent();
    for (const line of hostileShown) expect(body).toContain(line);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(wrongs).toEqual([]);
  }
}, 120_000);

test('a run that was cut ends where its recording does, and says so', async () => {
  const { file } = await record([pieces('It is cold.')], tools(), ['Oslo?']);
  const lines = linesOf(file);
  const end = lines.findIndex(line => line.includes('"completion-end"'));
  const part = JSON.stringify({ type: 'completion-delta', at: 9, pieces: pieces('It is') });
  writeFileSync(file, [...lines.slice(0, end), part, '{"type":"text-del'].join('\n'));
  expect(readFileSync(file, 'utf8')).not.toContain('completion-end');
  const { page, wrongs } = await openPage(await pageOf(file));
  const shown = await page.locator('.transcript').innerText();
  expect(shown).toContain('Completion, cut off\nIt is\n');
  expect(shown).toContain('The transcript ends here, in the middle of a line.');
  expect(wrongs).toEqual([]);
}, 120_000);
