/**
 * The pictures of the README, each of what its caption says, on the practice model. `RAWCALL_SCREENSHOTS=1` writes them into
 * docs/screenshots.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCli } from '../../scripts/build-if-needed.mjs';
import { ask, type Playground, settled, startPlayground } from './browser.ts';

const pictures = path.join(import.meta.dirname, '../../docs/screenshots');
const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-pictures-'));
let playground: Playground;

beforeAll(async () => {
  const config = path.join(folder, 'mcp.json');
  const names = ['calc', 'materials'];
  const servers = names.map(name => [
    name,
    { command: process.execPath, args: [builtCli, 'mcp-server', name], trust: true },
  ]);
  writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
  playground = await startPlayground([
    '--no-record',
    '--no-cache',
    '--mcp-config',
    config,
    '--approve',
    'auto',
  ]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(): Promise<Page> {
  const { page } = await playground.open();
  await page.setViewportSize({ width: 1120, height: 700 });
  return page;
}

/** Small enough for a repository, and not an empty page. */
async function picture(page: Page, name: string): Promise<void> {
  const image = await page.screenshot();
  expect(image.length).toBeGreaterThan(20_000);
  expect(image.length).toBeLessThan(250_000);
  if (!process.env.RAWCALL_SCREENSHOTS) return;
  mkdirSync(pictures, { recursive: true });
  writeFileSync(path.join(pictures, `${name}.png`), image);
}

test('the chat with a call and its result; the raw view of a turn of it', async () => {
  const page = await open();
  await page.getByText('flag_material').first().waitFor();
  await ask(page, 'What is 31 plus 11?');
  await settled(page);
  const exchange = await ask(page, 'Which material is M-1003?');
  await settled(page);
  await exchange.getByText('Copper wire, category metals').waitFor();
  await page.getByText(/results \d\d/).waitFor();
  await picture(page, 'chat');

  await page.evaluate(`location.hash = location.hash.replace('chat', 'raw') + '/3'`);
  await page.getByRole('button', { name: 'evaluated' }).click();
  await page.locator('.flow .from-user.evaluated').nth(4).hover();
  await page.locator('.tip:visible').waitFor();
  expect(await page.getByRole('button', { name: /^call of get_material/ }).count()).toBe(1);
  await picture(page, 'raw');
});

test('the lab with a completion that some formats mend and others do not read', async () => {
  const page = await open();
  await page.evaluate(`location.hash = '#/lab/read'`);
  await page
    .getByLabel('What the model wrote')
    .fill("<think>\nA sum.\n</think>\n<tool_call>\n{'name': 'add', 'arguments': {'a': 31, 'b': 11, }}");
  await page.getByLabel('It comes').selectOption('characters');
  await page.getByText('missing-close').first().waitFor();
  await picture(page, 'lab');
});

test('the README shows them', () => {
  const readme = readFileSync(path.join(import.meta.dirname, '../../README.md'), 'utf8');
  for (const name of ['chat', 'raw', 'lab']) {
    expect(readme).toContain(`](docs/screenshots/${name}.png)`);
    expect(existsSync(path.join(pictures, `${name}.png`))).toBe(true);
  }
});
