/** The protocol's own conformance tests for clients (revision 2025-11-25, and what they have besides), with rawcall's host. */
import { expect, test } from 'vitest';
import { listScenarios, runScenarios, scored } from '../../scripts/conformance-scenarios.ts';

test('every scenario for clients is passed', async () => {
  const scenarios = await listScenarios();
  expect(scenarios).toEqual(expect.arrayContaining([...scored]));
  const outcomes = await runScenarios(scenarios);
  const told = outcomes.map(({ scenario, ok, passed, output }) =>
    ok && passed > 0 ? `${scenario}: passed` : `${scenario}: failed\n${output}`,
  );
  expect(told.sort()).toEqual(scenarios.map(name => `${name}: passed`).sort());
}, 600_000);

test('a client that fails is told as one: the runner does not pass what it did not see', async () => {
  const [outcome] = await runScenarios(['no-such-scenario']);
  expect(outcome).toMatchObject({ ok: false, passed: 0 });
});
