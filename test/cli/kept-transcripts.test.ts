/** What was recorded is listed, and deleted only as far as somebody says so. */
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rawcall, temporaryFolder } from './rawcall.ts';
import { onTerminal } from './terminal.ts';

const day = 24 * 3600;

/** Three recorded runs, last written to 40, 20 and 0 days ago, and a file that is none. */
function folderWithRuns(): string {
  const folder = temporaryFolder();
  for (const [name, days, question] of [
    ['20261001-120000-aaaa', 40, 'The oldest?'],
    ['20261020-120000-bbbb', 20, 'What is\n31 plus 11?'],
    ['20261110-120000-cccc', 0, 'The newest?'],
  ] as const) {
    const file = path.join(folder, `${name}.jsonl`);
    const lines = [
      {
        ...{ type: 'transcript', version: 2, startedAt: '2026-10-01T12:00:00.000Z', settings: {} },
        ...{ versions: { rawcall: '0', node: '20' }, model: { name: 'practice', format: 'qwen' } },
        ...{ messages: [], tools: [] },
      },
      { type: 'run-start', at: 1, question, policy: { answerTurn: 'with-schema', rounds: 'once' } },
    ];
    writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
    const time = Date.now() / 1000 - days * day;
    utimesSync(file, time, time);
  }
  writeFileSync(path.join(folder, 'mine.jsonl'), 'my own');
  utimesSync(path.join(folder, 'mine.jsonl'), 1, 1);
  return folder;
}

const left = (folder: string) =>
  readdirSync(folder)
    .map(name => name.slice(-10, -6))
    .sort();
const record = (...args: string[]) => rawcall(['record', ...args]);

test('a list has the newest first, with model, size and question, and what cannot be read', async () => {
  const folder = folderWithRuns();
  writeFileSync(path.join(folder, '20261111-120000-dddd.jsonl'), 'no transcript\n');
  const { stdout, code } = await record('list', '--record', folder);
  expect(code).toBe(0);
  const [titles, ...rows] = stdout.split('\n');
  expect(titles).toMatch(/^last written \(UTC\) +size +model +first question +file$/);
  expect(rows[0]).toMatch(/ {2}\(1: it is no transcript.*dddd\.jsonl$/);
  expect(rows[1]).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d +\d+ B +practice +The newest\? +.*cccc\.jsonl$/);
  expect(rows[2]).toMatch(/practice +What is 31 plus 11\? +.*bbbb\.jsonl$/);
  expect(stdout).toContain(`4 transcripts (`);
  expect(stdout).not.toContain('mine.jsonl');
  const { json } = await record('list', '--record', folder, '--json');
  expect(json()[3]).toMatchObject({ model: 'practice', format: 'qwen', question: 'The oldest?' });
  const none = await record('list', '--record', path.join(folder, 'none'));
  expect(none.stdout).toBe(`No run is recorded in ${path.join(folder, 'none')}.\n`);
});

test('what is older, or more than so many, goes, and nothing else', async () => {
  const folder = folderWithRuns();
  const dry = await record('prune', '--record', folder, '--older-than', '30d', '--dry-run');
  expect(dry.stdout).toMatch(
    /^.*20261001-120000-aaaa\.jsonl\nWould delete 1 transcript \(\d+ B\) of 3 in .*\.\n$/,
  );
  expect(left(folder)).toEqual(['aaaa', 'bbbb', 'cccc', 'mine']);

  const nobody = await record('prune', '--record', folder, '--older-than', '2w');
  expect(nobody).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Nobody can be asked here: add --yes'),
  });
  expect(left(folder)).toHaveLength(4);

  const older = await record('prune', '--record', folder, '--older-than', '30d', '--yes');
  expect([older.code, older.stdout]).toEqual([
    0,
    expect.stringMatching(/^Deleted 1 transcript \(\d+ B\) of 3 in/),
  ]);
  expect(left(folder)).toEqual(['bbbb', 'cccc', 'mine']);
  const more = await record('prune', '--record', folder, '--keep', '1', '--yes');
  expect(more.code).toBe(0);
  expect(left(folder)).toEqual(['cccc', 'mine']);
  const again = await record('prune', '--record', folder, '--keep', '1', '--yes');
  expect(again.stdout).toMatch(/^None of 1 transcript \(\d+ B\) in .* is to be deleted\.\n$/);
});

test('on a terminal it asks, and takes no for an answer', async () => {
  const folder = folderWithRuns();
  const prune = `record prune --record ${folder} --keep 2`;
  const asked = /Delete 1 transcript \(\d+ B\) of 3 in .*\? \[y \/ n\]/;
  const refused = await onTerminal(prune, [[asked, 'n\n']], temporaryFolder());
  expect([refused.code, left(folder)]).toEqual([0, ['aaaa', 'bbbb', 'cccc', 'mine']]);
  const allowed = await onTerminal(prune, [[asked, 'y\n']], temporaryFolder());
  expect(allowed.shown).toContain('Deleted 1 transcript');
  expect([allowed.code, left(folder)]).toEqual([0, ['bbbb', 'cccc', 'mine']]);
});

test.each([
  [[], 'Which transcripts are to go?'],
  [['--older-than', '30'], 'It must be a whole number of hours, days or weeks'],
  [['--keep', 'x'], 'It must be a whole number from 0 on'],
  [['--keep', '1', '--older-than', '1d'], 'cannot be used with'],
])('prune %j is refused', async (flags, message) => {
  const folder = folderWithRuns();
  const { code, stderr } = await record('prune', '--record', folder, '--yes', ...flags);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(left(folder)).toHaveLength(4);
});
