/** Recorded runs and evaluations over HTTP. */
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { jsonReport } from '../../src/eval/report/json.ts';
import { variantsOf } from '../../src/eval/report/variants.ts';
import type { Results } from '../../src/eval/results.ts';
import type {
  EvalList,
  EvalReport,
  ReadFile,
  RecordedRuns,
  Replayed,
  RunList,
} from '../../src/playground/runs/runs-protocol.ts';
import { eventUnpacker } from '../../src/transcript/continued.ts';
import { call, scriptedTools } from '../agent/harness.ts';
import { results, sample, task, variant } from '../eval/made-results.ts';
import { eventsOf, record, temporaryFolder } from '../transcript/harness.ts';
import { type ApiServer, runsServer } from './api.ts';

interface Kept {
  readonly server: ApiServer;
  readonly runs: string;
  readonly evals: string;
}

async function kept(): Promise<Kept> {
  const folder = temporaryFolder();
  const [runs, evals] = [path.join(folder, 'runs'), path.join(folder, 'evals')];
  mkdirSync(runs);
  mkdirSync(evals);
  const server = await runsServer({ runs, evals });
  onTestFinished(() => server.close());
  return { server, runs, evals };
}

/** A run with a call, in two turns. */
async function recorded(question = 'Oslo?'): Promise<string> {
  const tools = scriptedTools({ get_weather: () => 'It is 4 degrees.' });
  const written = [call('get_weather', { city: 'Oslo' }), 'It is cold.'];
  return (await record(written, tools, [question])).file;
}

test('the runs of the folder are listed, the newest first, and what is broken says so', async () => {
  const { server, runs } = await kept();
  const file = await recorded();
  copyFileSync(file, path.join(runs, '2026-11-29.jsonl'));
  copyFileSync(await recorded('Lima?'), path.join(runs, '2026-11-30.jsonl'));
  writeFileSync(path.join(runs, '2026-11-28.jsonl'), 'no transcript');
  writeFileSync(path.join(runs, 'notes.txt'), 'of no concern');
  const { folder, runs: listed, older } = await server.ask<RunList>('runs');
  expect(folder).toBe(runs);
  expect(older).toBe(0);
  expect(listed.map(({ id }) => id)).toEqual(['2026-11-30.jsonl', '2026-11-29.jsonl', '2026-11-28.jsonl']);
  expect(listed[0]).toMatchObject({ question: 'Lima?', model: 'recorded', format: 'hermes' });
  expect(listed[1]).toMatchObject({ question: 'Oslo?', size: readFileSync(file).length });
  expect(listed[2]).toMatchObject({ problem: expect.stringContaining('it is no transcript') });
});

test('where nothing was recorded yet, or nothing is, the list is empty', async () => {
  const missing = await runsServer({ runs: '/nowhere/runs', evals: '/nowhere/evals' });
  const off = await runsServer({ evals: '/nowhere/evals' });
  onTestFinished(async () => void (await Promise.all([missing.close(), off.close()])));
  expect((await missing.ask<RunList>('runs')).runs).toEqual([]);
  expect((await missing.ask<EvalList>('evals')).evals).toEqual([]);
  expect(await off.ask<RunList>('runs')).toEqual({ runs: [], older: 0 });
  expect((await off.fetch('runs/a.jsonl')).status).toBe(404);
});

test('a run has all of its events, its prompts as the file has them', async () => {
  const { server, runs } = await kept();
  const file = await recorded();
  copyFileSync(file, path.join(runs, 'a.jsonl'));
  const { header, entries, cut } = await server.ask<RecordedRuns>('runs/a.jsonl');
  expect(header.model.format).toBe('hermes');
  expect(cut).toBeUndefined();
  const unpack = eventUnpacker();
  expect(entries.map(({ line: _, ...entry }) => unpack(entry))).toEqual(await eventsOf(file));
  expect(entries.map(({ line }) => line)).toEqual(entries.map((_, at) => at + 2));
});

test('a file that ends in the middle of a line is shown up to there', async () => {
  const { server, runs } = await kept();
  const text = readFileSync(await recorded(), 'utf8').trimEnd();
  writeFileSync(path.join(runs, 'a.jsonl'), text.slice(0, -5));
  const { cut, entries } = await server.ask<RecordedRuns>('runs/a.jsonl');
  expect(cut).toBe(text.split('\n').length);
  expect(entries.at(-1)?.line).toBe(cut! - 1);
});

/** As it stands: fetch would resolve a way up before it asks. */
async function statusOf({ port }: ApiServer, way: string, body?: string): Promise<number | undefined> {
  const method = body === undefined ? 'GET' : 'POST';
  const asked = request({ host: '127.0.0.1', port, path: way, method, agent: false }).end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test.each([
  '../a.jsonl',
  '..%2Fa.jsonl',
  '%2e%2e%2fa.jsonl',
  '..%252Fa.jsonl',
  'sub/../../a.jsonl',
  'sub%2Fa.jsonl',
  'b.jsonl',
  'a.txt',
])('%s is no run of the folder', async id => {
  const { server, runs } = await kept();
  const file = await recorded();
  copyFileSync(file, path.join(runs, '../a.jsonl'));
  copyFileSync(file, path.join(runs, 'a.txt'));
  copyFileSync(file, path.join(runs, 'in.jsonl'));
  mkdirSync(path.join(runs, 'sub'));
  copyFileSync(file, path.join(runs, 'sub/a.jsonl'));
  expect(await statusOf(server, '/runs/in.jsonl')).toBe(200);
  expect(await statusOf(server, '/runs/in.jsonl/replay', '{}')).toBe(200);
  expect(await statusOf(server, `/runs/${id}`)).toBe(404);
  expect(await statusOf(server, `/runs/${id}/replay`, '{}')).toBe(404);
});

test('a replay goes as recorded, or says where it does not', async () => {
  const { server, runs } = await kept();
  const file = await recorded();
  copyFileSync(file, path.join(runs, 'a.jsonl'));
  expect(await server.ask<Replayed>('runs/a.jsonl/replay', {})).toEqual({
    runs: [{ run: 1, question: 'Oslo?', turns: 2, same: true, finished: true }],
  });
  const other = await server.ask<Replayed>('runs/a.jsonl/replay', { format: 'llama3' });
  expect(other.runs[0]).toMatchObject({ same: false, difference: { turn: 1 } });
  expect(other.runs[0]?.difference?.text).toContain('The prompt of the decision turn is another one');
  const changed = readFileSync(file, 'utf8').replaceAll('It is cold.', 'It is warm.');
  const given = { name: 'mine.jsonl', text: changed };
  expect((await server.ask<Replayed>('runs/replay', given)).runs[0]).toMatchObject({ same: true });
  const damaged = readFileSync(file, 'utf8').replace('"answer":"It is cold."', '"answer":"It is warm."');
  const { runs: damagedRuns } = await server.ask<Replayed>('runs/replay', { ...given, text: damaged });
  expect(damagedRuns[0]?.difference?.text).toContain('The run ends differently');
  expect(damagedRuns[0]?.difference?.line).toBe(damaged.trimEnd().split('\n').length);
});

test('no module is run because a file names it as its format', async () => {
  const { server } = await kept();
  const module = path.join(temporaryFolder(), 'evil.mjs');
  writeFileSync(module, 'throw new Error("it ran")');
  const text = readFileSync(await recorded(), 'utf8').replace(
    '"format":"hermes"',
    `"format":${JSON.stringify(module)}`,
  );
  const answer = await server.fetch('runs/replay', { name: 'mine.jsonl', text });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    error: { code: 'bad_format', message: expect.stringContaining('rawcall replay mine.jsonl') },
  });
});

const made: Results = results(
  [
    sample({ variant: 'v', task: 't1', transcript: 'x.transcripts/one.jsonl', right: false, answer: 'No.' }),
    sample({ variant: 'v', task: 't2' }),
    sample({ variant: 'w', task: 't1', transcript: '../secret.jsonl', right: false }),
  ],
  { variants: [variant('v'), variant('w', { format: 'qwen' })], tasks: [task('t1'), task('t2')] },
);

const textOf = ({ header, samples }: Results) =>
  [header, ...samples].map(line => `${JSON.stringify(line)}\n`).join('');

test('an evaluation is a report: rates by variant, and what failed with its transcript', async () => {
  const { server, evals } = await kept();
  writeFileSync(path.join(evals, 'x.jsonl'), textOf(made));
  mkdirSync(path.join(evals, 'x.transcripts'));
  const file = await recorded();
  copyFileSync(file, path.join(evals, 'x.transcripts/one.jsonl'));
  copyFileSync(file, path.join(evals, '../secret.jsonl'));
  const { evals: listed } = await server.ask<EvalList>('evals');
  expect(listed).toMatchObject([{ id: 'x.jsonl', set: 'made', variants: 2, tasks: 2, samples: 3 }]);

  const report = await server.ask<EvalReport>('evals/x.jsonl');
  expect(report.rates.map(({ name }) => name)).toContain('right');
  expect(report.rates.map(({ name }) => name)).not.toContain('answerHolds');
  const [v, w] = report.variants;
  expect(v).toMatchObject({
    number: 1,
    label: 'llama3',
    missing: 0,
    metrics: { rates: { right: { right: 1, of: 2 } } },
  });
  expect(w).toMatchObject({ number: 2, label: 'qwen', missing: 1 });
  const [asked] = report.tasks[0]!.asked;
  expect(asked).toMatchObject({ variant: 1, samples: 1, right: 0 });
  expect(asked!.failed).toEqual([
    { number: 0, sample: 1, seed: 7, why: 'no call', calls: [], answer: 'No.', recorded: true },
  ]);
  const transcript = await server.ask<RecordedRuns>('evals/x.jsonl/samples/0/transcript');
  expect(transcript.header.model.name).toBe('recorded');
  const again = await server.ask<Replayed>('evals/x.jsonl/samples/0/replay', {});
  expect(again.runs).toMatchObject([{ same: true, turns: 2 }]);
  for (const other of ['1', '2', '9', 'x'])
    expect((await server.fetch(`evals/x.jsonl/samples/${other}/transcript`)).status).toBe(404);
});

test('a dropped file is what it says that it is', async () => {
  const { server } = await kept();
  const read = (name: string, text: string) => server.ask<ReadFile>('runs/read', { name, text });
  const run = await read('a.jsonl', readFileSync(await recorded(), 'utf8'));
  expect(run).toMatchObject({ kind: 'transcript', runs: { header: { type: 'transcript' } } });
  const report = await read('x.jsonl', textOf(made));
  expect(report).toMatchObject({ kind: 'eval', report: { set: 'made' } });
  const json = await read('x.json', jsonReport(variantsOf([{ file: 'x.jsonl', results: made }])));
  if (json.kind !== 'eval' || report.kind !== 'eval') throw new Error('not read as an evaluation');
  expect(json.report.variants).toMatchObject(report.report.variants);
  expect(json.report.rates).toEqual(report.report.rates);
  expect(json.report.tasks[0]!.asked[0]).toMatchObject({ variant: 1, samples: 1, right: 0, failed: [] });
});

test.each([
  ['a photo', 'it is neither a transcript'],
  ['{"type":"eval-report","version":1,"variants":[{}],"tasks":[]}', 'variants[0]'],
  ['{"type":"eval-report","version":9,"variants":[],"tasks":[]}', 'version 1.'],
  ['{"type":"eval-start","version":99}\n', 'version 99'],
  ['{"type":"transcript","version":99}\n', 'version 99'],
  ['{"type":"transcript","version":1}\n', 'x:1: '],
])('%j is told what is wrong with it', async (text, message) => {
  const { server } = await kept();
  const answer = await server.fetch('runs/read', { name: 'x', text });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(await answer.json())).toContain(message);
});
