/** Installs a tarball of rawcall in an empty folder, under one version of Node, and uses it there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readmeOverrides } from './readme-overrides.mjs';
import { Failed, failIfAny, run, step } from './steps.mjs';

const root = path.join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** One name of each entry, so that an entry which loads but lost its contents is noticed. */
const entries = {
  rawcall: 'createAgent',
  'rawcall/testing': 'describeCompletions',
  'rawcall/ai-sdk': 'createRawcall',
  'rawcall/telemetry': 'tracedAgent',
};

const completion = '<tool_call>\n{"name": "add", "arguments": {"a": 31, "b": 11}}\n</tool_call>';
const calls = [{ name: 'add', arguments: { a: 31, b: 11 } }];

const installedVersion = name =>
  JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

/** `node` is the program that runs all of it. */
export async function usePackage({ tarball, folder, node = process.execPath }) {
  mkdirSync(folder);
  const env = {
    PATH: [path.dirname(node), process.env.PATH].join(path.delimiter),
    RAWCALL_CACHE: path.join(folder, 'cache'),
    RAWCALL_DATA: path.join(folder, 'data'),
  };
  const here = (command, args, options) => run(command, args, { cwd: folder, env, ...options });
  const rawcall = (args, input) => here('npx', ['--no-install', 'rawcall', ...args], { input });

  function install() {
    const written = { private: true, type: 'module', ...readmeOverrides(root) };
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(written));
    const peers = ['vitest', '@ai-sdk/provider', '@opentelemetry/api'].map(
      name => `${name}@${installedVersion(name)}`,
    );
    // Nothing here needs an install script: node-llama-cpp's only looks whether its binary loads.
    const quiet = ['--ignore-scripts', '--engine-strict', '--no-audit', '--no-fund', '--loglevel', 'error'];
    here('npm', ['install', ...quiet, tarball, ...peers], {
      advice: 'Is the registry reached that npm is set to?',
    });
    const binariesFolder = path.join(folder, 'node_modules', '@node-llama-cpp');
    // Of what the overrides leave out, npm makes links that lead nowhere.
    const binaries = readdirSync(binariesFolder).filter(name => existsSync(path.join(binariesFolder, name)));
    const forGpu = binaries.filter(name => /cuda|vulkan/.test(name));
    failIfAny(forGpu, 'Binaries for GPUs were installed in spite of the overrides of the README:');
    return binaries.join(', ');
  }

  function askOnce() {
    const server = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server calc'];
    const answer = rawcall(['run', 'What is 31 plus 11?', ...server]).trim();
    if (!answer.includes('42'))
      throw new Failed(`rawcall run answered ${JSON.stringify(answer)}, without 42.`);
    return answer;
  }

  function parseOnce() {
    const read = rawcall(['parse', '--format', 'qwen'], completion);
    if (JSON.stringify(JSON.parse(read).calls) !== JSON.stringify(calls))
      throw new Failed(`rawcall parse read ${read}`);
  }

  function checkRecording() {
    const recording = { format: 'qwen', completion, expected: { calls } };
    writeFileSync(path.join(folder, 'recorded.jsonl'), JSON.stringify(recording));
    rawcall(['check', 'recorded.jsonl']);
  }

  async function serveOnce() {
    const program = path.join('node_modules', 'rawcall', 'dist', 'rawcall.cjs');
    const server = spawn(node, [program, 'serve', '--port', '0'], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    server.stderr.setEncoding('utf8').on('data', text => {
      said += text;
    });
    const closed = once(server, 'close');
    try {
      const [line] = await Promise.race([once(server.stdout.setEncoding('utf8'), 'data'), closed]);
      const [address] = /http:\S+/.exec(String(line)) ?? [];
      if (!address) throw new Failed(`rawcall serve printed no address, but ${line}\n${said}`);
      const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 20 });
      const response = await fetch(`${address}/chat/completions`, { method: 'POST', body });
      const text = await response.text();
      const reply = response.ok && JSON.parse(text).choices[0].message.content;
      if (!reply) throw new Failed(`rawcall serve answered ${response.status} ${text}\n${said}`);
      return reply;
    } finally {
      server.kill('SIGINT');
      await closed;
    }
  }

  function completeOnce() {
    const script = rawcall(['completion', 'bash']);
    if (!script.includes('complete -F _rawcall rawcall'))
      throw new Failed(`rawcall completion printed ${script}`);
  }

  function importEach() {
    const named = Object.keys(manifest.exports).filter(entry => !entry.endsWith('.json'));
    const untested = named.filter(entry => !(entry.replace(/^\./, 'rawcall') in entries));
    failIfAny(untested, 'Exports that scripts/use-package.mjs imports nothing of:');
    for (const [entry, name] of Object.entries(entries)) {
      const code = `const { ${name} } = await import('${entry}'); if (typeof ${name} !== 'function') throw new Error('${entry} has no ${name}');`;
      here(node, ['--input-type=module', '--eval', code]);
    }
  }

  function checkTypes() {
    const code = Object.entries(entries).map(([entry, name]) => `export { ${name} } from '${entry}';`);
    writeFileSync(path.join(folder, 'use.mts'), code.join('\n'));
    const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const roots = path.join(root, 'node_modules', '@types');
    const types = ['--types', 'node', '--typeRoots', roots];
    const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];
    here(node, [compiler, ...strict, ...types, 'use.mts']);
  }

  function testRecordings() {
    const code = `import { describeCompletions } from 'rawcall/testing';\ndescribeCompletions('recorded', { file: 'recorded.jsonl' });`;
    writeFileSync(path.join(folder, 'recorded.test.js'), code);
    here('npx', ['--no-install', 'vitest', 'run']);
  }

  await step('npm installs it, without install scripts and what only a GPU needs', install);
  await step('rawcall run answers', askOnce);
  await step('rawcall parse reads a call', parseOnce);
  await step('rawcall check passes a recording', checkRecording);
  await step('rawcall serve answers a request', serveOnce);
  await step('rawcall completion prints a script', completeOnce);
  await step('every export loads under plain Node', importEach);
  await step('a program that uses them type-checks', checkTypes);
  await step('rawcall/testing makes tests that pass', testRecordings);
}
