/** The protocol's conformance tests for clients, each with rawcall's own host as the client. */
import { execFile } from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
// A program and nothing else: it has no entry to be resolved.
const program = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
// The tests cut it at blanks.
const client = 'node --import tsx scripts/conformance-client.ts';

/** What counts for revision 2025-11-25; the others are of older revisions and of extensions. */
export const scored: readonly string[] = [
  'initialize',
  'tools_call',
  'elicitation-sep1034-client-defaults',
  'sse-retry',
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
];

export interface Outcome {
  readonly scenario: string;
  readonly passed: number;
  readonly failed: number;
  readonly warnings: number;
  /** No failure, no warning, a client that ended well, and something that was checked: they would pass one that does nothing. */
  readonly ok: boolean;
  /** What they and the client said, for one that is not. */
  readonly output: string;
}

/** Scenarios that measure time are run again where they fail: the machine may be busy. */
const timed: readonly string[] = ['sse-retry'];
const attempts = 3;

export async function listScenarios(): Promise<string[]> {
  const { stdout } = await run(['list']);
  const [, listed = ''] = stdout.split(/^Client scenarios.*$/m);
  return [...listed.matchAll(/^ +- (\S+)$/gm)].map(([, name = '']) => name);
}

export async function runScenario(scenario: string, command = client): Promise<Outcome> {
  const args = ['client', '--command', command, '--scenario', scenario, '--timeout', '120000', '--verbose'];
  for (let attempt = 1; ; attempt++) {
    const { ended, stdout, stderr } = await run(args);
    const counted = counts(stdout);
    const ok = ended && counted.passed > 0;
    if (!ok && timed.includes(scenario) && attempt < attempts) continue;
    return { scenario, ok, ...counted, output: `${stdout}\n${stderr}` };
  }
}

/** A few at a time: each is two processes. */
export async function runScenarios(
  scenarios: readonly string[],
  onOutcome: (outcome: Outcome) => void = () => {},
  atOnce = 2,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const left = [...scenarios];
  const worker = async () => {
    for (let scenario = left.shift(); scenario !== undefined; scenario = left.shift()) {
      const outcome = await runScenario(scenario);
      outcomes.push(outcome);
      onOutcome(outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return outcomes;
}

function counts(stdout: string): Pick<Outcome, 'passed' | 'failed' | 'warnings'> {
  let checks: readonly { readonly status?: string }[] = [];
  try {
    checks = JSON.parse(stdout);
  } catch {
    // They did not come to their end, and nothing was checked.
  }
  const count = (wanted: string) => checks.filter(({ status }) => status === wanted).length;
  return { passed: count('SUCCESS'), failed: count('FAILURE'), warnings: count('WARNING') };
}

interface Ended {
  /** With exit code 0. */
  readonly ended: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[]): Promise<Ended> {
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
  return new Promise(resolve => {
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) =>
      resolve({ ended: error === null, stdout, stderr }),
    );
  });
}
