/** Builds `dist/` where a source is newer than it, and says nothing if all goes well. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

export const builtCli = path.join(root, 'dist', 'rawcall.cjs');

export function buildIfNeeded() {
  if (isBuilt()) return;
  const bundler = path.join(root, 'node_modules', 'tsdown', 'dist', 'run.mjs');
  const { status, stderr } = spawnSync(process.execPath, [bundler, '--logLevel', 'error'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(stderr);
  throw new Error('The build failed.');
}

function isBuilt() {
  const modules = ['index', 'testing', 'ai-sdk', 'telemetry'].flatMap(name => [`${name}.js`, `${name}.d.ts`]);
  const outputs = ['rawcall.cjs', 'cli.js', ...modules].map(name => path.join(root, 'dist', name));
  if (!outputs.every(file => existsSync(file))) return false;
  const oldest = Math.min(...outputs.map(file => statSync(file).mtimeMs));
  return ['src', 'models', 'templates', 'parsers', 'package.json', 'tsdown.config.ts'].every(
    name => newest(path.join(root, name)) < oldest,
  );
}

function newest(place) {
  if (!statSync(place).isDirectory()) return statSync(place).mtimeMs;
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  const sources = entries.filter(entry => entry.isFile() && /\.c?ts$/.test(entry.name));
  return Math.max(0, ...sources.map(entry => statSync(path.join(entry.parentPath, entry.name)).mtimeMs));
}
