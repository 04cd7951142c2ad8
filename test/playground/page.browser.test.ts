/** What holds for every view: who is let in, the theme, a narrow window, and what axe finds. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { flagQuestion } from '../cli/rawcall.ts';
import { openAddress } from '../html/browser.ts';
import { ask, expectNoOverflow, type Playground, seriousFaults, startPlayground } from './browser.ts';

const root = path.join(import.meta.dirname, '../..');
const pageSources = path.join(root, 'src/playground/page');
const views = ['Chat', 'Raw', 'Lab', 'Runs'] as const;

let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground(['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server materials']);
});

test('without the token the page says what to do, and asks nobody else', async () => {
  const { page, wrongs } = await openAddress(playground.address.replace(/#.*/, ''));
  await page.getByRole('heading', { name: 'Nothing is shown without a token' }).waitFor();
  await expect.poll(() => page.locator('main').innerText()).toContain('rawcall play');
  expect(wrongs.filter(wrong => !wrong.includes('401'))).toEqual([]);
});

test('the token is gone from the address, and a reload still has it', async () => {
  const { page } = await playground.open();
  expect(page.url()).not.toContain('token');
  await page.reload();
  await page.locator('#question').waitFor();
});

test('light or dark as the system is, or as was chosen, which is kept', async () => {
  const paper = (page: Awaited<ReturnType<Playground['open']>>['page']) =>
    page.evaluate('getComputedStyle(document.body).backgroundColor');
  const dark = await playground.open({ scheme: 'dark' });
  const light = await playground.open({ scheme: 'light' });
  expect(await paper(dark.page)).not.toBe(await paper(light.page));
  await light.page.getByRole('button', { name: /^Theme: system/ }).click();
  await light.page.getByRole('button', { name: /^Theme: light/ }).click();
  expect(await paper(light.page)).toBe(await paper(dark.page));
  await light.page.reload();
  expect(await paper(light.page)).toBe(await paper(dark.page));
});

// Contrast is another one in the dark, and layout in a narrow window.
test.each([
  ['light', 1280],
  ['light', 360],
  ['dark', 1280],
] as const)(
  'axe finds no serious fault in any view, %s and %i wide, and nothing is wider than the window',
  async (scheme, width) => {
    const { page, wrongs } = await playground.open({ scheme, width });
    const links = page.getByRole('navigation', { name: 'Views' });
    await ask(page, flagQuestion);
    await page.locator('.call[data-phase=asking]').waitFor();
    for (const view of views) {
      await links.getByRole('link', { name: view }).click();
      await page.locator(`main[data-view=${view.toLowerCase()}] h1`).first().waitFor();
      expect(await seriousFaults(page), view).toEqual([]);
      await expectNoOverflow(page);
    }
    await links.getByRole('link', { name: 'Chat' }).click();
    await page.keyboard.press('?');
    expect(await seriousFaults(page), 'keys').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stop' }).click();
    expect(wrongs).toEqual([]);
  },
);

describe('the bundle', () => {
  const folder = path.join(root, 'dist/playground');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const contents = files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name)));

  test('has at most 150 kB, zipped', () => {
    const zipped = contents.reduce((sum, content) => sum + gzipSync(content).length, 0);
    expect(zipped).toBeGreaterThan(20_000);
    expect(zipped).toBeLessThanOrEqual(150_000);
  });

  test('names no address that anything would be loaded from', () => {
    const html = readFileSync(path.join(folder, 'index.html'), 'utf8');
    expect(html).toContain('src="./assets/');
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|style=|https?:|\son\w+=/);
  });
});

test('no source of the page makes HTML of text', () => {
  const sources = readdirSync(pageSources, { recursive: true, encoding: 'utf8' }).filter(name =>
    /\.tsx?$/.test(name),
  );
  expect(sources.length).toBeGreaterThan(30);
  const made = sources.filter(name =>
    /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|createContextualFragment|\beval\(|new Function/.test(
      readFileSync(path.join(pageSources, name), 'utf8'),
    ),
  );
  expect(made).toEqual([]);
});

test('its colours are those of the pages in one file', () => {
  const pairs = (text: string, pattern: RegExp) =>
    new Map([...text.matchAll(pattern)].map(([, name, ...colours]) => [name, colours]));
  const [light = '', dark = ''] = readFileSync(path.join(root, 'src/html/style.ts'), 'utf8').split(
    'prefers-color-scheme: dark',
  );
  const lights = pairs(light, /--([\w-]+): (#\w{6})/g);
  const darks = pairs(dark, /--([\w-]+): (#\w{6})/g);
  const ours = pairs(
    readFileSync(path.join(pageSources, 'style/theme.css'), 'utf8'),
    /--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g,
  );
  expect(lights.size).toBeGreaterThan(10);
  for (const [name, [colour]] of lights) expect(ours.get(name), name).toEqual([colour, darks.get(name)![0]]);
});
