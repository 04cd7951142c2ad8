/** The protocol's own conformance tests for clients (revision 2025-11-25, and what they have besides), with rawcall's host. */
import { expect, test } from 'vitest';
import { listScenarios, runScenario, runScenarios, scored } from '../../scripts/conformance-scenarios.ts';

test('every scenario for clients is passed', async () => {
  const scenarios = await listScenarios();
  expect(scenarios).toEqual(expect.arrayContaining([...scored]));
  const outcomes = await runScenarios(scenarios);
  const told = outcomes.map(({ scenario, ok, output }) =>
    ok ? `${scenario}: passed` : `${scenario}: failed\n${output}`,
  );
  expect(told.sort()).toEqual(scenarios.map(name => `${name}: passed`).sort());
}, 1_200_000);

test.each([
  ['no-such-scenario', undefined],
  // Ends well, and has said nothing to the server.
  ['initialize', 'node --version'],
])('what was not done is not passed: %s by %s', async (scenario, command) => {
  expect(await runScenario(scenario, command)).toMatchObject({ ok: false, passed: 0 });
});
