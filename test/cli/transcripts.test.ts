/** Runs of the command line: recorded, shown, replayed, made into cases. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { builtCli } from '../../scripts/build-if-needed.mjs';
import schema from '../../src/transcript/transcript.schema.json' with { type: 'json' };
import { models, scriptedServer } from '../engine/endpoint/scripted-server.ts';
import { outcome, rawcall, start, temporaryFolder } from './rawcall.ts';

const serversFile = (folder: string, env: Readonly<Record<string, string>> = {}) => {
  const file = path.join(folder, 'servers.json');
  const server = { command: process.execPath, args: [builtCli, 'mcp-server', 'calc'], env };
  writeFileSync(file, JSON.stringify({ mcpServers: { calc: server } }));
  return file;
};
const dialogue = 'What is 31 plus 11?\nHello\nWhat is 2 plus 2?\n';

function transcripts(folder: string): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .map(name => path.join(folder, name));
}

async function recordedChat(folder: string, more: readonly string[] = []): Promise<string> {
  const runs = path.join(folder, 'runs');
  const flags = ['--mcp-config', serversFile(folder), '--approve', 'auto', '--record', runs];
  const { code, stderr } = await rawcall(['chat', ...flags, ...more], { stdin: dialogue, cwd: folder });
  expect([code, stderr]).toEqual([0, stderr]);
  const [file, ...others] = transcripts(runs);
  expect(others).toEqual([]);
  return file!;
}

test('a chat is one file: right by the schema, replayed as recorded, stopped where a template differs', async () => {
  const folder = temporaryFolder();
  const file = await recordedChat(folder);
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  for (const line of lines) expect([line.type, validate(line)]).toEqual([line.type, true]);
  expect(lines.filter(({ type }) => type === 'run-start')).toHaveLength(3);
  expect(lines[0]).toMatchObject({ model: { format: 'qwen', file: { size: 2_645_120 } } });
  const turns = lines.filter(({ type }) => type === 'turn-start');
  let ids = 0;
  for (const {
    ids: { keep, add },
    tokens,
  } of turns) {
    ids = keep + add.length;
    expect(ids).toBe(tokens);
  }

  const again = await rawcall(['replay', file]);
  expect([again.stdout, again.code]).toEqual([`✓ 3 runs, ${turns.length} turns: as recorded.\n`, 0]);

  const other = await rawcall(['replay', file, '--format', 'hermes']);
  expect(other.code).toBe(1);
  expect(other.stdout).toContain(`✗ ${file}:`);
  expect(other.stdout).toContain('run 1 ("What is 31 plus 11?"), turn 1\nThe prompt of the decision turn');
  expect(other.stdout).toMatch(/^- .*tools/m);
  expect(other.stdout).toMatch(/^\+ You are a function calling AI model/m);

  const json = await rawcall(['replay', file, '--json']);
  expect(json.json()).toMatchObject([
    { same: true },
    { same: true },
    { same: true, answer: '2 plus 2 is 4.' },
  ]);
  const real = await rawcall([
    'replay',
    file,
    '--live',
    'model',
    '--live',
    'tools',
    '--mcp-config',
    serversFile(folder),
  ]);
  expect([real.stdout, real.stderr, real.code]).toMatchObject({
    0: expect.stringContaining('as recorded'),
    2: 0,
  });
  const late = await rawcall(['replay', file, '--from', '99']);
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('--from 99: the recording has')]);
});

test('is shown on a terminal, as JSON and as a page, and becomes cases that check finds right', async () => {
  const folder = temporaryFolder();
  const file = await recordedChat(folder);
  const shown = await rawcall(['show', file]);
  expect(shown.stdout).toContain('1. What is 31 plus 11?\nturn 1, decision\n  → add(a=31, b=11)\n');
  expect(shown.stdout).toContain('  ← 42\n');
  expect(shown.stdout).toContain('answered, 2 turns, 1 calls run');
  const newest = await rawcall(['show', '--record', path.dirname(file), '--json']);
  expect(newest.json().at(-1)).toMatchObject({ type: 'run-end', answer: '2 plus 2 is 4.' });
  expect(newest.json().find(({ type }) => type === 'turn-start').prompt[0]).toEqual({
    control: '<|im_start|>',
  });

  const page = path.join(folder, 'run.html');
  const written = await rawcall(['show', file, '--html', page]);
  expect([written.code, written.stderr]).toEqual([0, `! Written to ${page}.\n`]);
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('31 plus 11 is 42.');
  expect(html).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  expect(html).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);

  const cases = path.join(folder, 'chat.completions.jsonl');
  const extracted = await rawcall(['record', 'extract', file, '--out', cases]);
  expect([extracted.code, extracted.stderr]).toEqual([0, expect.stringContaining('5 cases written')]);
  const checked = await rawcall(['check', cases]);
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('5 of 5 cases')]);
  writeFileSync(cases, readFileSync(cases, 'utf8').replace('"a":31', '"a":32'));
  expect((await rawcall(['check', cases])).code).toBe(1);
});

test('a process that is killed amid a turn leaves what was read and what was written, raw', async () => {
  const folder = temporaryFolder();
  const server = await scriptedServer({
    '/v1/models': models(),
    '/v1/completions': async response => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let word = 1; !response.destroyed; word++) {
        const choice = { index: 0, text: ` word${word}`, finish_reason: null };
        response.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
        await setTimeout(20);
      }
    },
  });
  const flags = ['--endpoint', server.url, '--format', 'qwen', '--record', folder];
  const child = start(['run', 'Tell me a story.', ...flags]);
  child.stdin.end();
  const ended = outcome(child);
  const parts = () =>
    transcripts(folder).flatMap(file => readFileSync(file, 'utf8').match(/"completion-delta"/g));
  await expect.poll(() => parts().length, { timeout: 120_000 }).toBeGreaterThan(2);
  child.kill('SIGKILL');
  await ended;

  const [file] = transcripts(folder);
  const shown = await rawcall(['show', file!]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(
    /1\. Tell me a story\.\nturn 1, decision\n {2}word1 word2 .*\n.*\n? {2}\(cut off here\)\nThe run was not finished\./,
  );
  const last = (await rawcall(['show', file!, '--json'])).json().at(-1);
  const texts = last.pieces.map(({ text }: { text: string }) => text);
  expect(last.type).toBe('completion-delta');
  expect(texts).toEqual(texts.map((_: string, at: number) => ` word${at + 1}`));
  const again = await rawcall(['replay', file!]);
  expect([again.code, again.stderr]).toEqual([
    0,
    expect.stringContaining(
      `run 1 was not finished when the recording ended, in the middle of turn 1: of its completion there are ${texts.length} pieces.`,
    ),
  ]);
});

test('by default under the folder for data; not with --no-record; secrets and what --redact matches stay out', async () => {
  const folder = temporaryFolder();
  const data = path.join(folder, 'data');
  const token = 'tok-31-plus';
  const servers = serversFile(folder, { SERVICE_TOKEN: token });
  const ask = (question: string, ...more: string[]) =>
    rawcall(['run', question, '--mcp-config', servers, ...more], {
      env: { RAWCALL_DATA: data },
      cwd: folder,
    });
  expect((await ask(`Hello ${token}, my number is 555-1234.`, '--redact', '\\d{3}-\\d{4}')).code).toBe(0);
  const [file, ...others] = transcripts(path.join(data, 'runs'));
  expect(others).toEqual([]);
  const text = readFileSync(file!, 'utf8');
  expect(text).toContain('"question":"Hello ███████████, my number is ████████."');
  expect(text).not.toMatch(/tok-31|555-1234/);

  expect((await ask('Hello', '--no-record')).code).toBe(0);
  expect(transcripts(path.join(data, 'runs'))).toHaveLength(1);
  writeFileSync(path.join(folder, 'rawcall.json'), '{"record": false}');
  expect((await ask('Hello')).code).toBe(0);
  expect(transcripts(path.join(data, 'runs'))).toHaveLength(1);

  const bad = await ask('Hello', '--redact', '(');
  expect([bad.code, bad.stderr]).toEqual([
    2,
    expect.stringContaining('--redact (: it is no regular expression'),
  ]);
  expect(existsSync(path.join(folder, 'none'))).toBe(false);
});

test('what cannot be shown is said with its place', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'bad.jsonl');
  writeFileSync(file, '{"type":"transcript","version":7,"versions":{"rawcall":"9.0.0"}}\n');
  const newer = await rawcall(['show', file]);
  expect([newer.code, newer.stderr]).toEqual([
    1,
    expect.stringContaining('a transcript of version 7, written by rawcall 9.0.0'),
  ]);
  const none = await rawcall(['show', '--record', path.join(folder, 'none')]);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no run is recorded there')]);
});
