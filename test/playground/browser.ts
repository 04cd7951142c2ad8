/** `rawcall play` as a process of its own, and its page in a real browser. */
import { createInterface } from 'node:readline';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { outcome, start } from '../cli/rawcall.ts';
import { type Look, type Opened, openAddress } from '../html/browser.ts';

export interface Playground {
  /** With its token. */
  readonly address: string;
  /** The page, when it has heard from the server. */
  open(look?: Look): Promise<Opened>;
}

const running: ReturnType<typeof start>[] = [];
afterAll(async () => {
  for (const child of running) child.kill();
  await Promise.all(
    running.map(child => child.exitCode ?? new Promise(resolve => child.on('close', resolve))),
  );
});

/** It runs until the file's tests have ended, so that each of them finds the dialogues of the others. */
export async function startPlayground(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Playground> {
  const child = start(['play', '--no-open', '--port', '0', ...args], { env });
  running.push(child);
  const ended = outcome(child);
  const first = new Promise<string>(resolve => {
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  const address = await Promise.race([
    first,
    ended.then(({ stderr }) => {
      throw new Error(`rawcall play ended before it had an address.\n${stderr}`);
    }),
  ]);
  return {
    address,
    async open(look) {
      const opened = await openAddress(address, look);
      await opened.page.locator('#question').waitFor();
      return opened;
    },
  };
}

/** Asks by the keyboard, and gives back what comes of it: the last exchange. */
export async function ask(page: Page, question: string) {
  const before = await page.locator('.exchange').count();
  await page.locator('#question').fill(question);
  await page.keyboard.press('Enter');
  const exchange = page.locator('.exchange').nth(before);
  await exchange.waitFor();
  return exchange;
}

/** Until the run has ended, however it did. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ask', exact: true }).waitFor();
}

/** What axe finds that keeps somebody from using the page. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(
    "axe.run(document, { resultTypes: ['violations'] })",
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    );
}

/** No view is wider than the window, so that nothing has to be scrolled sideways. */
export async function expectNoOverflow(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}
