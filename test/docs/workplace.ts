/** A folder in which the commands of the documentation run as they stand: rawcall is installed in it, and a model lies where they say. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { buildIfNeeded } from '../../scripts/build-if-needed.mjs';
import { root } from './blocks.ts';

buildIfNeeded();

const installed = {
  rawcall: '.',
  vitest: 'node_modules/vitest',
  openai: 'node_modules/openai',
  '@modelcontextprotocol/server-filesystem': 'node_modules/@modelcontextprotocol/server-filesystem',
};

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Workplace {
  readonly folder: string;
  /** Runs lines of a shell, the first that fails being the last. */
  readonly sh: (code: string, stdin?: string) => Promise<Said>;
  /** Starts a command that goes on until the test ends, and gives the first line that it prints. */
  readonly start: (command: string) => Promise<string>;
}

export function workplace(files: Readonly<Record<string, string>> = {}): Workplace {
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const modules = path.join(folder, 'node_modules');
  for (const [name, place] of Object.entries(installed))
    link(path.join(root, place), path.join(modules, name));
  link(path.join(modules, 'rawcall', 'dist', 'rawcall.cjs'), path.join(modules, '.bin', 'rawcall'));
  const practice = path.join(root, 'models', 'practice', 'practice.gguf');
  for (const name of ['path/to/model.gguf', 'a.gguf', 'b.gguf']) link(practice, path.join(folder, name));
  for (const name of ['own-format.mjs', 'own-format.jsonl'])
    cpSync(path.join(root, 'examples', name), path.join(folder, name));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const env = {
    ...process.env,
    PATH: [path.join(modules, '.bin'), process.env.PATH].join(path.delimiter),
    RAWCALL_CACHE: path.join(folder, 'cache'),
    RAWCALL_DATA: path.join(folder, 'data'),
    // What the documentation runs is installed here, so npm has nothing to ask a registry for.
    npm_config_offline: 'true',
  };
  return {
    folder,
    sh: (code, stdin = '') => shell(code, { cwd: folder, env }, stdin),
    async start(command) {
      const child = spawn('bash', ['-c', `exec ${command}`], { cwd: folder, env, stdio: 'pipe' });
      onTestFinished(() => void child.kill());
      child.stderr.resume();
      const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
      return String(line).split('\n')[0]!;
    },
  };
}

/** The same in another folder, with the environment as it is. */
export function shellIn(cwd: string, code: string): Promise<Said> {
  return shell(code, { cwd, env: process.env }, '');
}

function shell(
  code: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  stdin: string,
): Promise<Said> {
  return new Promise(resolve => {
    const child = execFile('bash', ['-e', '-o', 'pipefail', '-c', code], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
  });
}

function link(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  symlinkSync(from, to);
}
