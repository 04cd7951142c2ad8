/** `rawcall/testing` in a project of its own, with Vitest as people run it. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildIfNeeded } from '../scripts/build-if-needed.mjs';

vi.setConfig({ testTimeout: 180_000 });
buildIfNeeded();

const root = path.join(import.meta.dirname, '..');
const call = '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>';
const right = { calls: [{ name: 'add', arguments: { a: 1 } }], content: '', problems: [], repairs: [] };

interface TestResult {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** Runs a project with this test file and these cases. */
async function runProject(code: string, cases: readonly (object | string)[]): Promise<readonly TestResult[]> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rawcall-testing-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const modules = path.join(folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(root, path.join(modules, 'rawcall'), 'junction');
  symlinkSync(path.join(root, 'node_modules', 'vitest'), path.join(modules, 'vitest'), 'junction');
  writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(path.join(folder, 'own.test.js'), code);
  const lines = cases.map(one => (typeof one === 'string' ? one : JSON.stringify(one)));
  writeFileSync(path.join(folder, 'completions.jsonl'), `${lines.join('\n')}\n`);
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--root', folder, '--reporter', 'json', '--maxWorkers', '1'];
  const stdout = await new Promise<string>(resolve =>
    execFile(process.execPath, args, { cwd: folder }, (_error, out) => resolve(out)),
  );
  const { testResults } = JSON.parse(stdout) as { testResults: { assertionResults: TestResult[] }[] };
  return testResults.flatMap(file => file.assertionResults);
}

test('each case is a test; one that fails says what was read, and where', async () => {
  const results = await runProject(
    `import { describeCompletions } from 'rawcall/testing';
     describeCompletions('mine', { file: 'completions.jsonl', format: 'hermes', seed: 5 });`,
    [
      { id: 'good', completion: call, expected: right },
      { id: 'wrong', completion: `Hm.\n${call}`, expected: { ...right, content: 'Hm' } },
      { completion: call, format: 'nope' },
      '{"id": "broken", ',
    ],
  );
  expect(results.map(({ title, status }) => [title, status])).toEqual([
    ['good', 'passed'],
    ['wrong', 'failed'],
    ['line 3', 'failed'],
    ['line 4', 'failed'],
  ]);
  const [, wrong, unknown, broken] = results.map(({ failureMessages }) => failureMessages.join());
  expect(wrong).toContain('completions.jsonl:2  wrong  (hermes)');
  expect(wrong).toMatch(/content\n\s+expected\s+"Hm"\n\s+read\s+"Hm\."/);
  expect(unknown).toMatch(/completions\.jsonl:3: There is no format "nope"/);
  expect(broken).toMatch(/completions\.jsonl:4:\d+: not JSON/);
});

test('a parser of your own is read with, and tools are those of the options', async () => {
  const results = await runProject(
    `import { describeCompletions } from 'rawcall/testing';
     // Each piece is a reply of its own to it: it reads otherwise wherever it is cut.
     const parser = {
       name: 'by-piece',
       start: () => ({
         push: ({ text }) => [{ type: 'text-delta', text: text.toUpperCase() }, { type: 'reasoning-delta', text: '.' }],
         end: () => [],
       }),
       write: () => [],
     };
     describeCompletions('by piece', { file: new URL('completions.jsonl', import.meta.url), parser, seed: 77 });
     const tools = [{ name: 'subtract', inputSchema: { type: 'object' } }];
     describeCompletions('offered', { file: 'completions.jsonl', format: 'hermes', tools });`,
    [{ id: 'one', completion: call, expected: { calls: [], problems: ['unknown_tool'] } }],
  );
  const [byPiece, offered] = results;
  expect(byPiece).toMatchObject({ title: 'one', status: 'failed' });
  expect(byPiece?.failureMessages.join()).toMatch(/the splits disagree.*--seed 77/);
  expect(offered).toMatchObject({ title: 'one', status: 'passed' });
});
