/** A real browser for tests of pages, and what a page did in it that a page must not do. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { temporaryFolder } from '../cli/rawcall.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome'];
const places = [
  ...(process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap(folder => names.map(name => path.join(folder, name))),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

function chromiumPath(): string {
  const named = process.env.CHROMIUM;
  const found = named === undefined ? places.find(existsSync) : existsSync(named) ? named : undefined;
  if (found !== undefined) return found;
  throw new Error(
    `This test opens pages in Chromium, and there is none ${named === undefined ? 'on the PATH' : `at ${named}`}. ` +
      'Bring it with "apt-get install -y chromium" (Debian, Ubuntu), or name one: CHROMIUM=/path/to/chrome npm test',
  );
}

let browser: Promise<Browser> | undefined;
afterAll(async () => (await browser)?.close());

export interface Opened {
  readonly page: Page;
  /** Console messages, errors, and requests of anything but the page itself. */
  readonly wrongs: readonly string[];
}

export interface Look {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

/** Opens a page from a file, as somebody does who was sent it. */
export async function openPage(text: string, look: Look = {}): Promise<Opened> {
  const file = path.join(temporaryFolder(), 'page.html');
  writeFileSync(file, text);
  const address = pathToFileURL(file).href;
  return open(address, requested => requested === address, look);
}

/** Opens the page of a server, which may ask that server and nobody else. */
export function openAddress(address: string, look: Look = {}): Promise<Opened> {
  const { origin } = new URL(address);
  return open(address, requested => new URL(requested).origin === origin, look);
}

async function open(
  address: string,
  isOwn: (requested: string) => boolean,
  { width = 1280, scheme = 'light' }: Look,
): Promise<Opened> {
  // Chromium's own sandbox does not start for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  browser ??= chromium.launch({ executablePath: chromiumPath(), args });
  const context = await (await browser).newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const wrongs: string[] = [];
  page.on('console', message => wrongs.push(`console: ${message.text()}`));
  page.on('pageerror', error => wrongs.push(`error: ${error.message}`));
  page.on('dialog', dialog => wrongs.push(`dialog: ${dialog.message()}`));
  page.on('popup', popup => wrongs.push(`popup: ${popup.url()}`));
  context.on('request', request => {
    if (!isOwn(request.url())) wrongs.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  return { page, wrongs };
}
