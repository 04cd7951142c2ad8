/** The task sets that ship: every expected call is made on the real servers, and gives what the answer is to hold. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import type { JsonObject, JsonValue } from '../../parsers/parser.ts';
import { buildIfNeeded, builtCli } from '../../scripts/build-if-needed.mjs';
import { checkTasks } from '../../src/eval/check-tasks.ts';
import { argumentsMatch } from '../../src/eval/match.ts';
import { holdsAll } from '../../src/eval/score.ts';
import { readTaskFile } from '../../src/eval/task-file.ts';
import { openToolPool } from '../../src/eval/tool-pool.ts';

vi.setConfig({ testTimeout: 120_000 });
buildIfNeeded();

const folder = path.join(import.meta.dirname, '../../tasks');
const names = readdirSync(folder).filter(name => name.endsWith('.yaml'));
const self = [process.execPath, builtCli];

test('the sets are those that the docs name', () => {
  expect(names.sort()).toEqual(['crm.yaml', 'materials.yaml', 'starter.yaml', 'vault.yaml']);
});

test('no question is asked twice, within a set or in two', async () => {
  const sets = await Promise.all(names.map(name => readTaskFile(path.join(folder, name))));
  const asked = sets.flatMap(({ tasks }) =>
    tasks.map(({ query, earlier }) => JSON.stringify([query, earlier])),
  );
  expect(asked.length).toBeGreaterThan(110);
  expect(asked.filter((one, at) => asked.indexOf(one) !== at)).toEqual([]);
});

test('starter has all kinds of questions', async () => {
  const { tasks } = await readTaskFile(path.join(folder, 'starter.yaml'));
  expect(tasks).toHaveLength(60);
  const tagged = (tag: string) => tasks.filter(({ tags }) => tags.includes(tag)).length;
  expect(tagged('small-talk')).toBe(10);
  expect(tagged('no-tool')).toBe(11);
  expect(tagged('parallel')).toBe(5);
  for (const tag of ['calc', 'materials', 'vault']) expect(tagged(tag)).toBeGreaterThan(7);
});

test.each(names)(
  '%s: each expected call is one that the tool takes, and gives what the answer holds',
  async name => {
    const set = await readTaskFile(path.join(folder, name));
    const pool = openToolPool(set.servers, set.stubs, { self });
    try {
      const { tasks, bad } = await checkTasks(set, pool);
      expect(bad).toEqual([]);
      for (const { id, expected } of tasks) {
        const tools = await pool.take({});
        const results: string[] = [];
        for (const { tool, arguments: matchers = {} } of expected.calls) {
          const args = example(matchers);
          expect(argumentsMatch(matchers, args), `${id}: ${JSON.stringify(args)}`).toBe(true);
          const { content } = await tools.host.call(tools.find(tool)?.name ?? '', args);
          results.push(content);
        }
        // What a model knows by itself has no result to compare with.
        if (expected.call)
          expect(holdsAll(expected.answerHolds, results.join('\n')), `${id}: ${results.join('\n')}`).toBe(
            true,
          );
        await pool.giveBack(
          tools,
          tools.host.tools.some(
            ({ name: shown }) =>
              tools.leavesTraces(shown) && expected.calls.some(({ tool }) => tool === tools.nameOf(shown)),
          ),
        );
      }
    } finally {
      await pool.close();
    }
  },
);

/** Arguments that the matchers let pass: of two numbers that may change places, the first one first. */
function example(matchers: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.fromEntries(
    Object.entries(matchers).flatMap(([name, matcher]) => {
      if (typeof matcher !== 'object' || matcher === null || Array.isArray(matcher)) return [[name, matcher]];
      if (matcher.optional === true) return [];
      if (Array.isArray(matcher.one_of)) return [[name, matcher.one_of[0] ?? null]];
      return [[name, matcher.exact ?? matcher.regex ?? null]];
    }),
  );
}
