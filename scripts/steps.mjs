/** What the checks of the package are written in: steps that say what they found, and commands whose failure is told whole. */
import { spawnSync } from 'node:child_process';

/** A check that failed; anything else that is thrown is a mistake in the script. */
export class Failed extends Error {}

export async function step(title, work) {
  const result = await work();
  console.log(`✓ ${title}${typeof result === 'string' ? `: ${result}` : ''}`);
  return result;
}

export function failIfAny(problems, what) {
  if (problems.length > 0) throw new Failed([what, ...problems.map(problem => `  ${problem}`)].join('\n'));
}

/** What the command prints on stdout. */
export function run(command, args, { cwd, env, input = '', advice = '' }) {
  const shell = process.platform === 'win32';
  const options = { cwd, env: { ...process.env, NO_COLOR: '1', ...env }, input, encoding: 'utf8', shell };
  const { status, stdout, stderr, error } = spawnSync(command, args, options);
  if (error || status !== 0) {
    const said = error?.message ?? `exit code ${status}\n${stdout}${stderr}`.trim();
    throw new Failed(`${command} ${args.join(' ')}: ${said}${advice && `\n${advice}`}`);
  }
  return stdout;
}
