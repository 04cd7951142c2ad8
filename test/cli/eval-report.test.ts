/** `rawcall eval report` and `rawcall eval compare`, as people and build servers run them. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Results } from '../../src/eval/results.ts';
import { asked, results, sample, variant } from '../eval/made-results.ts';
import { rawcall, temporaryFolder } from './rawcall.ts';

const yes = (count: number) => Array.from({ length: count }, () => true);
const no = (count: number) => Array.from({ length: count }, () => false);

function fileOf({ header, failed, samples }: Results, name = 'results.jsonl'): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, [header, ...failed, ...samples].map(line => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

const made = (rights: readonly boolean[], id = 'v') => results(asked(rights, { variant: id }));

test('a table for people, and what is missing on stderr', async () => {
  const failed = { type: 'variant-failed', variant: 'w', code: 'x', message: 'no such model' } as const;
  const both = results(asked([true, false]), { variants: [variant('v'), variant('w')] });
  const { code, stdout, stderr } = await rawcall(['eval', 'report', fileOf({ ...both, failed: [failed] })]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^right +50 % \(9–91\) of 2 +–$/m);
  expect(stderr).toContain('w could not be asked: no such model');
  expect(stderr).toContain('w: 2 samples are missing.');
});

test('JSON: metrics, confusion and tasks, over several files', async () => {
  const wrongTool = { turn: 1, tool: 'subtract', argumentsText: '{}', valid: true, repeated: false };
  const one = fileOf(made([true, true]), 'one.jsonl');
  const two = fileOf(results([sample({ task: 't1', right: false, calls: [wrongTool] }), sample({ task: 't2', right: false })]), 'two.jsonl'); // biome-ignore format: one line
  const { code, stdout } = await rawcall(['eval', 'report', one, two, '--reporter', 'json']);
  expect(code).toBe(0);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({
    type: 'eval-report',
    version: 1,
    variants: [
      {
        number: 1,
        id: 'one/v',
        metrics: { rates: { right: { right: 2, of: 2 } } },
        confusion: [{ expected: 'add', called: 'add', count: 2 }],
      },
      {
        number: 2,
        id: 'two/v',
        metrics: { rates: { right: { right: 0, of: 2 } } },
        confusion: [
          { expected: 'add', called: 'subtract', count: 1 },
          { expected: 'add', called: null, count: 1 },
        ],
      },
    ],
    tasks: [
      {
        id: 't1',
        asked: [
          { variant: 'one/v', samples: 1, right: 1 },
          { variant: 'two/v', samples: 1, right: 0 },
        ],
      },
      { id: 't2' },
    ],
  });
});

test('JUnit: a case for each sample, with the reason of a failure', async () => {
  const file = fileOf(
    results([
      sample({ task: 'a & b' }),
      sample({ task: 'none', right: false, answer: '<b>\u0007' }),
      sample({ task: 'broken', error: { code: 'x', message: 'the model "fell"' } }),
    ]),
  );
  const { stdout } = await rawcall(['eval', 'report', file, '--reporter', 'junit']);
  expect(stdout.split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    '<testsuite name="v" tests="3" failures="1" errors="1">',
    '<testcase classname="v" name="a &amp; b #1" time="0.100"/>',
    '<testcase classname="v" name="none #1" time="0.100"><failure message="no call">answer: &lt;b&gt;\\x07</failure></testcase>',
    '<testcase classname="v" name="broken #1" time="0.100"><error message="it broke off: the model &quot;fell&quot;">add {&quot;a&quot;: 1}',
    'answer: It is 42.</error></testcase>',
    '</testsuite>',
    '</testsuites>',
    '',
  ]);
});

test('a page goes to a file, or through a pipe', async () => {
  const out = path.join(temporaryFolder(), 'report.html');
  const file = fileOf(made([true, false]));
  const { code, stdout, stderr } = await rawcall([
    'eval',
    'report',
    file,
    '--reporter',
    'html',
    '--out',
    out,
  ]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toContain(`The report is in ${out}.`);
  const piped = await rawcall(['eval', 'report', file, '--reporter', 'html']);
  expect(piped.stdout).toBe(readFileSync(out, 'utf8'));
  expect(piped.stdout).toMatch(/^<!doctype html>/);
});

test('rawcall eval writes its reports where it is told to', async () => {
  const folder = temporaryFolder();
  const [html = '', junit = '', json = '', out = ''] = ['r.html', 'r.xml', 'r.json', 'r.jsonl'].map(name => path.join(folder, name)); // biome-ignore format: one line
  const { stderr } = await rawcall([
    'eval',
    'crm',
    '--html',
    html,
    '--junit',
    junit,
    '--json',
    json,
    '--out',
    out,
  ]);
  expect(stderr).toContain(`The report is in ${html}.`);
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ variants: [{ metrics: { samples: 3 } }] });
  expect(readFileSync(junit, 'utf8').match(/<testcase /g)).toHaveLength(3);
  const page = readFileSync(html, 'utf8');
  expect(page).toContain('crm.search_accounts');
  // Transcripts are beside the results.
  expect(page).toContain('Turn 1, decision');
  expect(page).not.toContain('cannot be read:');
});

test('a regression is exit code 1 and named; none is 0', async () => {
  const [good, bad] = [fileOf(made(yes(20))), fileOf(made([...no(12), ...yes(8)]))];
  const worse = await rawcall(['eval', 'compare', good, bad, '--metric', 'right']);
  expect(worse.code).toBe(1);
  expect(worse.stdout).toMatch(/^right +100 % +40\.0 % +−60\.0 points +0 +12 +<0\.001 {2}regression$/m);
  expect(worse.stdout).toMatch(/^total time .* not tested$/m);
  expect(worse.stdout).toContain('✗ regression: right of v, 100 % → 40.0 %');
  const same = await rawcall(['eval', 'compare', good, good]);
  expect(same.code).toBe(0);
  expect(same.stdout).toContain('✓ no regression');
  const lenient = await rawcall(['eval', 'compare', good, bad, '--metric', 'right', '--threshold', '60']);
  expect(lenient.code).toBe(0);
});

test('compare as JSON', async () => {
  const [good, bad] = [fileOf(made(yes(20))), fileOf(made([...no(12), ...yes(8)]))];
  const { code, stdout } = await rawcall(['eval', 'compare', good, bad, '--reporter', 'json']);
  expect(code).toBe(1);
  const { type, threshold, variants } = JSON.parse(stdout);
  expect({ type, threshold }).toEqual({ type: 'eval-comparison', threshold: 2 });
  expect(variants[0]).toMatchObject({ before: 'v', after: 'v', tasks: 20, pairs: 20, unpaired: 0 });
  expect(variants[0].changes[0]).toMatchObject({
    metric: 'right',
    before: 1,
    after: 0.4,
    p: 2 / 2 ** 12,
    verdict: 'regression',
  });
});

test('what cannot be compared is told, and is exit code 3 where the rest is fine', async () => {
  const [all, some] = [fileOf(made(yes(4))), fileOf(made(yes(3)))];
  const { code, stderr } = await rawcall(['eval', 'compare', all, some]);
  expect(code).toBe(3);
  expect(stderr).toContain('1 tasks are not the same in both and were left out: t4');
});

test.each([
  [['report', 'nowhere.jsonl'], /nowhere\.jsonl: there is no such file/],
  [['report'], /missing required argument 'results'/],
  [['report', 'x', '--reporter', 'loud'], /table, json, junit, html/],
  [['compare', 'FILE', 'FILE', '--metric', 'rigth'], /--metric has no "rigth"\. Did you mean right\?/],
  [['compare', 'FILE', 'FILE', '--pair', 'a'], /--pair is "a"\. It must be two variants' ids: OLD=NEW/],
  [['compare', 'FILE', 'FILE', '--pair', 'a=v'], /The first evaluation has no variant a\. It has: v\./],
  [['compare', 'FILE', 'FILE', '--threshold', '-1'], /must be a number from 0 on/],
  [['compare', 'FILE', 'OTHER'], /no sample in common/],
])('eval %j is a usage error', async (args, message) => {
  const named = { FILE: fileOf(made([true])), OTHER: fileOf(results([sample({ seed: 9 })])) };
  const given = args.map(one => named[one as keyof typeof named] ?? one);
  const { code, stdout, stderr } = await rawcall(['eval', ...given], { cwd: temporaryFolder() });
  expect(stderr).toMatch(message);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});
