/** The import rule of ARCHITECTURE.md: `src → models → templates → parsers`, and heavy packages in one place each. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { buildIfNeeded } from '../scripts/build-if-needed.mjs';

const root = path.join(import.meta.dirname, '..');
const folders = ['parsers', 'templates', 'models', 'src'];

interface Import {
  readonly file: string;
  /** A path from the root for our own files, a package's name otherwise. */
  readonly target: string;
  readonly lazy: boolean;
}

const imports = folders.flatMap(folder =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    // How models and adapters were made are sets of scripts over the whole of rawcall, and no part of it.
    .filter(name => /\.c?ts$/.test(name) && !/^(practice|adapters)\b/.test(name))
    .flatMap(name => importsOf(path.join(folder, name))),
);

function importsOf(file: string): Import[] {
  const code = readFileSync(path.join(root, file), 'utf8').replace(/import type [^;]*;/g, '');
  const statements = code.matchAll(/(?:\bfrom\s+|^import\s+|\b(import)\()['"]([^'"]+)['"]/gm);
  return [...statements].map(([, dynamic, specifier = '']) => ({
    file,
    target: specifier.startsWith('.') ? path.join(path.dirname(file), specifier) : specifier,
    lazy: dynamic !== undefined,
  }));
}

/** The folder of `src` a file stands in, or the top folder. */
function layer(file: string): string {
  const [top = '', inner = ''] = file.split(path.sep);
  return top === 'src' && file.split(path.sep).length > 2 ? `src/${inner}` : top;
}

test('the walk finds imports, so that the rules below can fail', () => {
  expect(imports.length).toBeGreaterThan(50);
  expect(imports).toContainEqual({ file: 'src/format.ts', target: 'templates/qwen.ts', lazy: false });
});

test('imports go one way: src, models, templates, parsers', () => {
  const order = ['parsers', 'templates', 'models', 'src'];
  const against = imports.filter(({ file, target }) => {
    const to = order.indexOf(target.split(path.sep)[0] ?? '');
    return to > order.indexOf(file.split(path.sep)[0] ?? '');
  });
  expect(against).toEqual([]);
});

test('inside src: the command line over the agent over the model over the engine', () => {
  const allowed: Record<string, readonly string[]> = {
    'src/engine': ['src/engine'],
    'src/mcp': ['src/mcp', 'src'],
    'src/catalog': ['src/catalog', 'src'],
    'src/gguf': ['src/gguf', 'src/engine', 'src'],
    'src/store': ['src/store', 'src/catalog', 'src/gguf', 'src/engine', 'src'],
    'src/check': ['src/check', 'src'],
    'src/html': ['src/html', 'src'],
    'src/model': ['src/model', 'src/engine', 'src'],
    'src/server': ['src/server', 'src/agent', 'src/model', 'src/engine', 'src/mcp', 'src'],
    'src/playground': [
      'src/playground',
      'src/server',
      'src/eval',
      'src/replay',
      'src/transcript',
      'src/check',
      'src/agent',
      'src/model',
      'src/engine',
      'src/mcp',
      'src',
    ],
    'src/ai-sdk': ['src/ai-sdk', 'src/server', 'src/model', 'src/engine', 'src'],
    'src/eval': [
      'src/eval',
      'src/catalog',
      'src/html',
      'src/transcript',
      'src/agent',
      'src/model',
      'src/engine',
      'src/mcp',
      'src',
    ],
    'src/agent': ['src/agent', 'src/model', 'src/engine', 'src'],
  };
  const against = imports.filter(({ file, target }) => {
    const rule = allowed[layer(file)];
    return rule && target.startsWith(`src${path.sep}`) && !rule.includes(layer(target));
  });
  expect(against).toEqual([]);
});

test.each([
  ['node-llama-cpp', ['src/engine'], true],
  ['@huggingface/jinja', ['src/jinja'], true],
  ['@modelcontextprotocol/sdk', ['src/mcp'], false],
  ['hono', ['src/server', 'src/playground'], false],
  ['yauzl', ['src/store'], false],
  ['undici', ['src/store'], true],
])('%s is imported in %s alone', (name, places, lazily) => {
  const used = imports.filter(({ target }) => target === name || target.startsWith(`${name}/`));
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter(({ file }) => !places.includes(layer(file)))).toEqual([]);
  if (lazily) expect(used.filter(({ lazy }) => !lazy)).toEqual([]);
});

const heavy = ['node-llama-cpp', '@huggingface/jinja', '@modelcontextprotocol/sdk', 'zod'];

/** Which packages a program that imports the built rawcall loads: a process of its own tells of each module it resolves. */
async function packagesLoadedBy(program: string): Promise<string[]> {
  const hooks = `export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    process._rawDebug(resolved.url);
    return resolved;
  }`;
  const tell = `import { register } from 'node:module'; register(${JSON.stringify(asUrl(hooks))});`;
  const args = ['--import', asUrl(tell), '--input-type=module', '--eval', program];
  const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: root });
  const found = [...stderr.matchAll(/node_modules\/((?:@[^/]+\/)?[^/\s]+)/g)].map(([, name = '']) => name);
  return [...new Set(found)];
}

const asUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

test('rendering and parsing load neither an engine, nor the MCP SDK, nor Jinja', async () => {
  buildIfNeeded();
  const loaded = await packagesLoadedBy(`
    import { formats, promptText } from 'rawcall';
    for (const { template, parser } of formats) {
      promptText(template.render({ messages: [{ role: 'user', content: 'Hi' }], tools: [] }));
      parser.start().push({ text: 'Hi' });
    }`);
  expect(loaded).toContain('parsimmon');
  expect(loaded.filter(name => heavy.includes(name))).toEqual([]);
});

test('the provider for the AI SDK loads them with its first model, and no server', async () => {
  const loaded = await packagesLoadedBy(`
    import { createRawcall } from 'rawcall/ai-sdk';
    createRawcall()('some.gguf');`);
  expect(loaded).toContain('zod');
  const others = [...heavy.filter(name => name !== 'zod'), 'hono', 'ai', '@ai-sdk/provider'];
  expect(loaded.filter(name => others.includes(name))).toEqual([]);
});

test('what needs one of them loads it', async () => {
  const loaded = await packagesLoadedBy(`
    import { detectFormat, directServer, createHost } from 'rawcall';
    await detectFormat({ chatTemplate: '{{ messages[0].content }}' });
    const tools = createHost([directServer('rawcall-has-no-such-server')]);
    await tools.ready;
    await tools.close();`);
  expect(loaded).toEqual(expect.arrayContaining(['@huggingface/jinja', '@modelcontextprotocol/sdk']));
});
