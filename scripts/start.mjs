/** `npm start`: builds what is not built yet, then asks the practice model one question. Flags after `--` are added. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const cli = path.join(root, 'dist', 'rawcall.cjs');

function newest(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const times = entries
    .filter(entry => entry.isFile())
    .map(entry => statSync(path.join(entry.parentPath, entry.name)).mtimeMs);
  return Math.max(0, ...times);
}

function isBuilt() {
  if (!existsSync(cli)) return false;
  const sources = ['src', 'templates', 'parsers'].map(folder => newest(path.join(root, folder)));
  return statSync(cli).mtimeMs > Math.max(...sources);
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!isBuilt()) {
  const bundler = path.join(root, 'node_modules', 'tsdown', 'dist', 'run.mjs');
  run(process.execPath, [bundler, '--logLevel', 'error', '--config', path.join(root, 'tsdown.config.ts')]);
}
const server = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server calc'];
run(process.execPath, [
  cli,
  'run',
  'What is 31 plus 11?',
  ...server,
  '--show',
  'calls',
  ...process.argv.slice(2),
]);
