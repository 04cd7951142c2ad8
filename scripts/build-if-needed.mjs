/** Builds `dist/` where a source is newer than it, and says nothing if all goes well. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

export const builtCli = path.join(root, 'dist', 'rawcall.cjs');

/** The playground's page has a bundler of its own, and is built alone where it alone has changed. */
export function buildIfNeeded() {
  const code = isOlder(codeOutputs, codeInputs);
  // This empties `dist/`, with the page in it.
  if (code) run('tsdown/dist/run.mjs', '--logLevel', 'error');
  if (code || isOlder([builtPage], [page, 'vite.playground.config.ts', 'package.json']))
    run('vite/bin/vite.js', 'build', '--config', 'vite.playground.config.ts', '--logLevel', 'error');
}

const page = path.join('src', 'playground', 'page');
const codeInputs = ['src', 'models', 'templates', 'parsers', 'package.json', 'tsdown.config.ts'];
const modules = ['index', 'testing', 'ai-sdk', 'telemetry'].flatMap(name => [`${name}.js`, `${name}.d.ts`]);
const codeOutputs = ['rawcall.cjs', 'cli.js', ...modules].map(name => path.join(root, 'dist', name));
const builtPage = path.join(root, 'dist', 'playground', 'index.html');

function run(tool, ...args) {
  const program = path.join(root, 'node_modules', tool);
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(stderr);
  throw new Error('The build failed.');
}

function isOlder(outputs, inputs) {
  if (!outputs.every(file => existsSync(file))) return true;
  const oldest = Math.min(...outputs.map(file => statSync(file).mtimeMs));
  return inputs.some(name => newest(name) >= oldest);
}

function newest(name) {
  const place = path.join(root, name);
  if (!statSync(place).isDirectory()) return statSync(place).mtimeMs;
  const entries = readdirSync(place, { recursive: true, withFileTypes: true });
  const sources = entries
    .filter(entry => entry.isFile() && /\.(c?ts|tsx|css|html|svg)$/.test(entry.name))
    .map(entry => path.join(entry.parentPath, entry.name))
    .filter(file => name === page || !file.startsWith(path.join(root, page)));
  return Math.max(0, ...sources.map(file => statSync(file).mtimeMs));
}
