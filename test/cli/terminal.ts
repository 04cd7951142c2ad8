/** The command line as somebody at a terminal has it. */
import { spawn } from 'node:child_process';
import { builtCli } from '../../scripts/build-if-needed.mjs';

/** In a folder and with a store of its own, on a terminal that `script` (of util-linux) makes; each answer is typed when it is asked for. */
export function onTerminal(
  args: string,
  answers: readonly (readonly [asked: RegExp, answer: string])[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
) {
  const command = `${process.execPath} ${builtCli} ${args}`.trim();
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...process.env, HOME: cwd, RAWCALL_DATA: cwd, RAWCALL_CACHE: cwd, COLUMNS: '200', ...env },
    stdio: 'pipe',
  });
  const waiting = [...answers];
  let shown = '';
  /** What has been answered already is not asked again. */
  let read = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const [next] = waiting;
    if (!next?.[0].test(shown.slice(read))) return;
    waiting.shift();
    read = shown.length;
    child.stdin.write(next[1]);
  });
  return new Promise<{ shown: string; code: number | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ shown, code }));
  });
}
