/** Runs the built command line as people do, as a process of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, onTestFinished, vi } from 'vitest';
import { buildIfNeeded, builtCli } from '../../scripts/build-if-needed.mjs';

// Each run starts Node, a model and servers, which takes seconds, and many of them on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

// The sources would take a second longer to load, each time.
buildIfNeeded();

/** Away from the user's own, and the same for all runs of a test file. */
const cache = mkdtempSync(path.join(tmpdir(), 'rawcall-cache-'));
const data = mkdtempSync(path.join(tmpdir(), 'rawcall-data-'));
afterAll(() => {
  for (const folder of [cache, data]) rmSync(folder, { recursive: true, force: true });
});

/** A question for which the practice model calls flag_material, which asks for approval. */
export const flagQuestion = 'Flag M-1003: no weight.';

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  /** Each line of stdout as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads just what it then checks.
  readonly json: () => any[];
}

export interface Options {
  readonly stdin?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export function start(args: readonly string[], { cwd = tmpdir(), env = {} }: Options = {}) {
  return spawn(process.execPath, [builtCli, ...args], {
    cwd,
    env: { ...process.env, RAWCALL_CACHE: cache, RAWCALL_DATA: data, ...env },
    stdio: 'pipe',
  });
}

export function rawcall(args: readonly string[], options: Options = {}): Promise<Outcome> {
  const child = start(args, options);
  child.stdin.on('error', () => {});
  child.stdin.end(options.stdin ?? '');
  return outcome(child);
}

export function outcome(child: ReturnType<typeof start>): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      const json = () =>
        stdout
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line));
      resolve({ stdout, stderr, code, json });
    });
  });
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
