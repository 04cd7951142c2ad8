/**
 * The playground's page in a real Chromium: a long prompt opened in the raw view and gone through, and a text that streams into the chat.
 *
 *   npx tsx bench/playground.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { buildIfNeeded, builtCli } from '../scripts/build-if-needed.mjs';
import { practiceModel } from './dialogue.ts';
import type { Row } from './row.ts';

const promptTokens = 5000;
const tokensPerSecond = 60;
const streamed = 1200;
const keys = 300;
const asked = Array.from({ length: 580 }, (_, at) => `item ${at}`).join(', ');

export async function playgroundRows(): Promise<Row[]> {
  buildIfNeeded();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    return [...(await rawRows(browser)), ...(await streamRows(browser))];
  } finally {
    await browser.close();
  }
}

async function rawRows(browser: Browser): Promise<Row[]> {
  await using play = await startPlay([
    '--model',
    practiceModel,
    '--context-size',
    '8192',
    '--max-tokens',
    '8',
    '--gpu',
    'off',
  ]);
  const page = await opened(browser, play.address);
  const dialogue = await ask(page, asked);
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    await page.evaluate(`location.hash = '#/lab'`);
    await page.locator('main[data-view=lab]').waitFor();
    await wait(500);
    const drawn = (await page.evaluate(openRaw(dialogue))) as Drawn;
    checkDrawn(drawn);
    await wait(500);
    if (drawn.height !== (await page.evaluate(scrollHeight)))
      throw new Error('The rows were laid out anew after they had been drawn.');
    times.push(drawn.ms);
  }
  const tokens = Number(await page.locator('.flow [aria-setsize]').first().getAttribute('aria-setsize'));
  if (tokens < promptTokens) throw new Error(`The prompt has ${tokens} tokens, and not ${promptTokens}.`);
  const list = page.getByRole('listbox', { name: 'Tokens of the prompt' });
  await list.focus();
  await page.evaluate(watchFrames);
  // As fast as they can be sent: each moves the cursor by a token, and each tenth scrolls by a page.
  for (let key = 0; key < keys; key++) await page.keyboard.press(key % 10 === 9 ? 'PageDown' : 'ArrowRight');
  for (let key = 0; key < keys; key++) await page.keyboard.press('ArrowLeft');
  const frames = (await page.evaluate('globalThis.frames')) as readonly number[];
  const before = await place(page);
  for (let key = 0; key < keys; key++) await page.keyboard.press('ArrowLeft');
  const lost = keys - (before - (await place(page)));
  return [
    {
      name: 'a prompt in the raw view, from going there to drawn',
      value: times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)]!,
      unit: 'ms',
      note: `${tokens} tokens, asked of the server, laid out and painted; the median of ${times.length}; target ≤ 200`,
    },
    {
      name: 'keys lost while it is gone through',
      value: lost,
      unit: 'keys',
      note: `${keys} as fast as they can be sent; the longest frame while it is scrolled ${Math.max(...frames).toFixed(0)} ms; target 0`,
    },
  ];
}

async function place(page: Page): Promise<number> {
  return Number(await page.locator('.flow [aria-posinset]').first().getAttribute('aria-posinset'));
}

interface Drawn {
  readonly ms: number;
  /** Of all tokens that are there. */
  readonly text: string;
  /** Of what is in sight the last row stands so far below the end. */
  readonly below: number;
  /** Of all rows, drawn or not. */
  readonly height: number;
}

const scrollHeight = `document.querySelector('.flow .rows').scrollHeight`;

/** The whole box is full of the right text. */
function checkDrawn({ text, below }: Drawn): void {
  if (!text.includes(asked.slice(0, 200))) throw new Error(`Other tokens are drawn: ${text.slice(0, 400)}`);
  if (below < 0) throw new Error(`${-below} pixels of what is in sight are not drawn yet.`);
}

/** The way of a link, until the frame in which the tokens stand there. */
function openRaw(dialogue: string): string {
  return `new Promise(done => {
    const start = performance.now();
    const drawn = () => document.querySelector('.flow [aria-setsize]');
    const observer = new MutationObserver(() => {
      if (!drawn()) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => {
        const ms = performance.now() - start;
        const box = document.querySelector('.flow .rows');
        const lines = [...box.querySelectorAll('.line')];
        const text = lines.map(line => [...line.querySelectorAll('.token')].map(token => token.textContent).join('')).join('');
        const end = Math.min(box.getBoundingClientRect().bottom, box.querySelector('.all').getBoundingClientRect().bottom);
        done({ ms, text, below: lines.at(-1).getBoundingClientRect().bottom - end, height: box.scrollHeight });
      }));
    });
    observer.observe(document.body, { childList: true, subtree: true });
    location.hash = '#/raw/${dialogue}/1';
  })`;
}

const watchFrames = `{
  globalThis.frames = [];
  let last = performance.now();
  const frame = now => {
    globalThis.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}`;

/** The words of the text say their numbers, so that what is shown tells how far it is. */
async function streamRows(browser: Browser): Promise<Row[]> {
  await using endpoint = await startEndpoint();
  await using play = await startPlay([
    ...['--endpoint', endpoint.address, '--endpoint-model', 'steady', '--api', 'chat'],
    ...['--max-tokens', String(2 * streamed)],
  ]);
  const page = await opened(browser, play.address);
  await page.evaluate(watchWords);
  await page.evaluate(watchFrames);
  await ask(page, 'Count.');
  const seen = (await page.evaluate('globalThis.words')) as readonly (readonly [word: number, at: number])[];
  const frames = (await page.evaluate('globalThis.frames')) as readonly number[];
  const behind = endpoint.sent.map(
    (at, word) => (seen.find(([shown]) => shown >= word)?.[1] ?? Number.NaN) - at,
  );
  const sorted = behind.toSorted((left, right) => left - right);
  if (behind.length < streamed || behind.some(Number.isNaN)) throw new Error('Not all of the text is shown.');
  return [
    {
      name: `a text of ${tokensPerSecond} tokens a second, from the token sent to the token shown`,
      value: sorted[Math.floor(0.95 * sorted.length)]!,
      unit: 'ms',
      note: `${streamed} tokens, in 95 of 100 cases no longer; the last one ${behind.at(-1)!.toFixed(0)} ms, the longest frame ${Math.max(...frames).toFixed(0)} ms`,
    },
  ];
}

const watchWords = `{
  globalThis.words = [];
  const look = () => {
    const text = document.querySelector('.exchange')?.textContent ?? '';
    const last = text.match(/w(\\d+) (?!.*w\\d+ )/s);
    if (last && globalThis.words.at(-1)?.[0] !== Number(last[1])) globalThis.words.push([Number(last[1]), Date.now()]);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}`;

async function opened(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(address);
  await page.waitForURL(/#\/chat\/./);
  return page;
}

/** Gives the dialogue's id when its run has ended. */
async function ask(page: Page, question: string): Promise<string> {
  await page.locator('#question').fill(question);
  await page.keyboard.press('Enter');
  await page.locator('.exchange').waitFor();
  await page.getByRole('button', { name: 'Ask', exact: true }).waitFor({ timeout: 300_000 });
  return page.url().split('/').at(-1)!;
}

async function startPlay(args: readonly string[]) {
  const data = mkdtempSync(path.join(tmpdir(), 'rawcall-bench-'));
  const child = spawn(
    process.execPath,
    [builtCli, 'play', '--no-open', '--port', '0', '--no-record', '--no-cache', ...args],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, RAWCALL_DATA: data } },
  );
  const ended = once(child, 'exit');
  const [address] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => {
      throw new Error(`rawcall play ended with ${code} before it had an address.`);
    }),
  ]);
  return {
    address: String(address),
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT');
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** A chat endpoint that writes a text at a steady pace, whoever reads it. `sent`: when each of its words went out. */
async function startEndpoint() {
  const sent: number[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const begun = performance.now();
    for (let word = 0; word < streamed; word++) {
      await wait(Math.max(0, begun + (1000 * word) / tokensPerSecond - performance.now()));
      const line = word % 12 === 11 ? '\n\n' : '';
      sent.push(Date.now());
      response.write(chunk({ delta: { content: `w${word} ${line}` } }));
    }
    response.write(chunk({ delta: {}, finish_reason: 'stop' }));
    response.end('data: [DONE]\n\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    sent,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function chunk(choice: object): string {
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(await playgroundRows());
