/** An interrupt at any moment of a chat: the process ends, no server outlives it, and what was said is in the file. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { outcome, start, temporaryFolder } from './rawcall.ts';

const fixture = path.join(import.meta.dirname, '../mcp/fixtures/slow-sum.mjs');
const questions = ['What is 31 plus 11?', 'What is 5 plus 4?', 'What is 12 plus 7?'];

/** When: so many events were told, or so many milliseconds have passed; and how often. */
interface Moment {
  readonly events?: number;
  readonly milliseconds?: number;
  readonly times: number;
}

/** Spread over the run by a fixed rule, so that a failure comes again: about 60 events are told of the questions. */
const moments: readonly Moment[] = [
  { milliseconds: 30, times: 1 },
  { milliseconds: 700, times: 1 },
  ...[1, 4, 9, 16, 24, 33, 40].map((events, index) => ({
    events,
    times: 1 + (index % 3 === 2 ? 1 : 0),
  })),
];

test.each(moments)('%o', async moment => {
  const folder = temporaryFolder();
  const [file, pids] = [path.join(folder, 'talk.json'), path.join(folder, 'pids')];
  const child = start([
    ...['chat', '--json', '--save', file],
    ...['--mcp-command', process.execPath, '--mcp-args', `"${fixture}" "${pids}"`],
  ]);
  child.stdin.on('error', () => {});
  const ended = outcome(child);
  child.stdin.write(`${questions.join('\n')}\n`);
  await reached(child, moment);
  for (let time = 0; time < moment.times; time++) {
    child.kill('SIGINT');
    await setTimeout(20);
  }
  await setTimeout(300);
  child.stdin.end();
  const { code, json, stdout, stderr } = await ended;
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect([0, 130, null]).toContain(code);

  const servers = existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : [];
  await vi.waitFor(() => expect(servers.filter(alive)).toEqual([]), 20_000);
  expect(readdirSync(folder).filter(name => name !== 'talk.json' && name !== 'pids')).toEqual([]);

  const messages: Message[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).messages : [];
  for (const { question, text, calls } of said(stdout === '' ? [] : json())) {
    if (text === '' && calls.length === 0) continue;
    const from = messages.findIndex(({ content }) => content === question);
    expect(from).toBeGreaterThanOrEqual(0);
    const written = JSON.stringify(messages.slice(from));
    expect(written).toContain(JSON.stringify(text).slice(1, -1));
    for (const call of calls) expect(written).toContain(call);
  }
});

async function reached(
  child: ReturnType<typeof start>,
  { events = 0, milliseconds = 0 }: Moment,
): Promise<void> {
  await setTimeout(milliseconds);
  let told = 0;
  if (events === 0) return;
  await new Promise<void>(resolve => {
    child.on('close', () => resolve());
    child.stdout.on('data', (text: string) => {
      told += text.split('\n').length - 1;
      if (told >= events) resolve();
    });
  });
}

interface Message {
  readonly role: string;
  readonly content: string;
}

interface Said {
  readonly question: string;
  /** The words of its last turn. */
  text: string;
  /** Ids of the calls of turns that ended. */
  readonly calls: string[];
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads just what it then checks.
function said(events: readonly any[]): Said[] {
  const runs: Said[] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (event.type === 'run-start') runs.push({ question: event.question, text: '', calls: [] });
    if (!run) continue;
    if (event.type === 'turn-start') run.text = '';
    if (event.type === 'text-delta') run.text = (run.text + event.text).trimStart();
    if (event.type === 'tool-start') run.calls.push(event.call.id);
    if (event.type === 'completion-end') run.text = run.text.trim();
  }
  return runs.map(run => ({ ...run, text: run.text.trim() }));
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
