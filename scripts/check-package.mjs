/**
 * `npm run check-package`: packs rawcall, looks at the tarball, installs it in an empty folder as the README advises for machines
 * without a GPU, and uses it there: the command, every export under plain Node, its types, and a test file of Vitest.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { fileProblems, sizeProblem } from './package-files.mjs';
import { readmeOverrides } from './readme-overrides.mjs';

const root = path.join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-package-'));
const project = path.join(folder, 'project');

/** A check that failed; anything else that is thrown is a mistake in this script. */
class Failed extends Error {}

async function step(title, work) {
  const result = await work();
  console.log(`✓ ${title}${typeof result === 'string' ? `: ${result}` : ''}`);
  return result;
}

function failIfAny(problems, what) {
  if (problems.length > 0) throw new Failed([what, ...problems.map(problem => `  ${problem}`)].join('\n'));
}

function run(command, args, { cwd = project, advice = '' } = {}) {
  const env = {
    ...process.env,
    NO_COLOR: '1',
    RAWCALL_CACHE: path.join(folder, 'cache'),
    RAWCALL_DATA: path.join(folder, 'data'),
  };
  const shell = process.platform === 'win32';
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8', shell });
  if (error || status !== 0) {
    const said = error?.message ?? `exit code ${status}\n${stdout}${stderr}`.trim();
    throw new Failed(`${command} ${args.join(' ')}: ${said}${advice && `\n${advice}`}`);
  }
  return stdout;
}

const installedVersion = name =>
  JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

function pack() {
  const args = ['pack', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(run('npm', args, { cwd: root }));
  failIfAny(fileProblems(packed.files, manifest), 'The file list is not what it should be:');
  failIfAny([sizeProblem(packed.size)].filter(Boolean), 'The package is too large:');
  return { ...packed, tarball: path.join(folder, packed.filename) };
}

async function lintManifest(tarball) {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
    level: 'warning',
  });
  failIfAny(
    messages.map(message => `${message.code}: ${formatMessage(message, pkg, { color: false })}`),
    'publint:',
  );
}

/** ES modules only, and since Node 20.19 `require` takes them; so the profile leaves CommonJS and Node 10 out. */
function checkTypeResolution(tarball) {
  const attw = path.join(root, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
  const entries = Object.keys(manifest.exports).filter(entry => !entry.endsWith('.json'));
  const args = [attw, tarball, '--profile', 'esm-only', '--no-emoji', '--format', 'ascii', '--entrypoints'];
  run(process.execPath, [...args, ...entries], { cwd: root });
}

function install(tarball) {
  mkdirSync(project);
  const written = { private: true, type: 'module', ...readmeOverrides(root) };
  writeFileSync(path.join(project, 'package.json'), JSON.stringify(written));
  const peers = ['vitest', '@ai-sdk/provider', '@opentelemetry/api'].map(
    name => `${name}@${installedVersion(name)}`,
  );
  // Nothing here needs an install script: node-llama-cpp's only looks whether its binary loads.
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  run('npm', ['install', ...quiet, tarball, ...peers], {
    advice: 'Is the registry reached that npm is set to?',
  });
  const folder = path.join(project, 'node_modules', '@node-llama-cpp');
  // Of what the overrides leave out, npm makes links that lead nowhere.
  const binaries = readdirSync(folder).filter(name => existsSync(path.join(folder, name)));
  const forGpu = binaries.filter(name => /cuda|vulkan/.test(name));
  failIfAny(forGpu, 'Binaries for GPUs were installed in spite of the overrides of the README:');
  return binaries.join(', ');
}

function askOnce() {
  const server = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server calc'];
  const answer = run('npx', ['--no-install', 'rawcall', 'run', 'What is 31 plus 11?', ...server]).trim();
  if (!answer.includes('42')) throw new Failed(`rawcall run answered ${JSON.stringify(answer)}, without 42.`);
  return answer;
}

function completeOnce() {
  const script = run('npx', ['--no-install', 'rawcall', 'completion', 'bash']);
  if (!script.includes('complete -F _rawcall rawcall'))
    throw new Failed(`rawcall completion printed ${script}`);
}

/** One name of each entry, so that an entry which loads but lost its contents is noticed. */
const entries = {
  rawcall: 'createAgent',
  'rawcall/testing': 'describeCompletions',
  'rawcall/ai-sdk': 'createRawcall',
  'rawcall/telemetry': 'tracedAgent',
};

function importEach() {
  const named = Object.keys(manifest.exports).filter(entry => !entry.endsWith('.json'));
  const untested = named.filter(entry => !(entry.replace(/^\./, 'rawcall') in entries));
  failIfAny(untested, 'Exports that scripts/check-package.mjs imports nothing of:');
  for (const [entry, name] of Object.entries(entries)) {
    const code = `const { ${name} } = await import('${entry}'); if (typeof ${name} !== 'function') throw new Error('${entry} has no ${name}');`;
    run(process.execPath, ['--input-type=module', '--eval', code]);
  }
}

function checkTypes() {
  const code = Object.entries(entries).map(([entry, name]) => `export { ${name} } from '${entry}';`);
  writeFileSync(path.join(project, 'use.mts'), code.join('\n'));
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const roots = path.join(root, 'node_modules', '@types');
  const types = ['--types', 'node', '--typeRoots', roots];
  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];
  run(process.execPath, [compiler, ...strict, ...types, 'use.mts']);
}

function testRecordings() {
  const recording = {
    format: 'qwen',
    completion: '<tool_call>\n{"name": "add", "arguments": {"a": 31, "b": 11}}\n</tool_call>',
    expected: { calls: [{ name: 'add', arguments: { a: 31, b: 11 } }] },
  };
  writeFileSync(path.join(project, 'recorded.jsonl'), JSON.stringify(recording));
  const code = `import { describeCompletions } from 'rawcall/testing';\ndescribeCompletions('recorded', { file: 'recorded.jsonl' });`;
  writeFileSync(path.join(project, 'recorded.test.js'), code);
  run('npx', ['--no-install', 'vitest', 'run']);
}

try {
  const { tarball, size, files } = await step('the tarball has the files that are meant', pack);
  console.log(`  ${files.length} files, ${(size / 1e6).toFixed(1)} MB`);
  await step('publint has nothing to say', () => lintManifest(tarball));
  await step('types resolve (attw)', () => checkTypeResolution(tarball));
  await step('npm installs it, without install scripts and what only a GPU needs', () => install(tarball));
  await step('rawcall run answers', askOnce);
  await step('rawcall completion prints a script', completeOnce);
  await step('every export loads under plain Node', importEach);
  await step('a program that uses them type-checks', checkTypes);
  await step('rawcall/testing makes tests that pass', testRecordings);
} catch (error) {
  if (!(error instanceof Failed)) throw error;
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
