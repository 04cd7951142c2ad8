/** `npm run conformance [-- SCENARIO…]`: a table of the protocol's conformance tests; exits 1 where one is not passed. */
import { textTable } from '../src/cli/text-table.ts';
import { listScenarios, runScenarios, scored } from './conformance-scenarios.ts';

const known = await listScenarios();
const asked = process.argv.slice(2);
const unknown = asked.filter(name => !known.includes(name));
if (unknown.length > 0 || known.length === 0) {
  process.stderr.write(`No such scenario: ${unknown.join(', ')}. There is ${known.join(', ')}.\n`);
  process.exit(2);
}

const wanted = asked.length > 0 ? asked : known;
const outcomes = await runScenarios(wanted, ({ scenario, ok, output }) => {
  process.stderr.write(`${ok ? '✓' : '✗'} ${scenario}\n${ok ? '' : `${output}\n`}`);
});
outcomes.sort((one, other) => wanted.indexOf(one.scenario) - wanted.indexOf(other.scenario));
process.stdout.write(
  textTable(
    ['scenario', 'scored', 'checks', 'failed', 'warnings', 'result'],
    outcomes.map(({ scenario, ok, passed, failed, warnings }) => [
      scenario,
      scored.includes(scenario) ? 'yes' : 'no',
      String(passed + failed),
      String(failed),
      String(warnings),
      ok ? 'passed' : 'FAILED',
    ]),
  ),
);
const total = outcomes.reduce((sum, { passed }) => sum + passed, 0);
const passed = outcomes.filter(({ ok }) => ok).length;
process.stdout.write(`${passed} of ${outcomes.length} scenarios passed, with ${total} checks.\n`);
process.exit(passed === outcomes.length ? 0 : 1);
