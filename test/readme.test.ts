/** What the README shows is run as it stands, with the practice model and in a folder of its own. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { readCatalog } from '../src/catalog/catalog.ts';
import { memoryNeeded } from '../src/catalog/memory.ts';
import { bytesText } from '../src/store/bytes-text.ts';
import { type Block, blocksOf, describeBlocks, pageText, root } from './docs/blocks.ts';
import { shellIn, workplace } from './docs/workplace.ts';
import { startHub } from './store/hub.ts';

vi.setConfig({ testTimeout: 180_000 });

const block = (beginning: string): Block => {
  const found = blocksOf(pageText('README.md')).find(({ name }) => name.startsWith(beginning));
  if (!found) throw new Error(`The README has no block that begins with ${beginning}.`);
  return found;
};
const json = (file: string) => JSON.parse(pageText(file));
const llama = json('node_modules/node-llama-cpp/package.json');

describeBlocks('README.md', {
  // .ci/run is these lines, on a fresh clone; what npm start prints is the next block.
  'npm ci && npm start   # a GGUF model calls an MCP tool and answers; nothing is downloaded but the packages':
    ({ code }) => {
      const commands = code.split('\n').flatMap(line => line.replace(/#.*/, '').trim().split(' && '));
      expect(commands.filter(command => command !== '')).toEqual(['npm ci', 'npm start', 'npm test']);
      const ci = pageText('.ci/run').split('\n');
      for (const command of ['npm ci', 'npm test']) expect(ci).toContain(command);
    },

  '→ add(a=31, b=11)': async ({ code }) => {
    const { stdout } = await shellIn(root, 'npm --silent start 2>&1');
    expect(stdout).toBe(code);
  },

  'npx rawcall run "What is in notes.txt?" --model path/to/model.gguf --mcp-config mcp.json': async ({
    code,
  }) => {
    const { sh } = workplace({ 'notes.txt': 'Buy milk.\n', 'mcp.json': block('"mcpServers"').code });
    const { code: exit, stdout, stderr } = await sh(code);
    // The practice model, which stands in, knows none of these tools, and may find no words in the end.
    const wordless = stderr.includes('The turn wrote nothing.');
    expect({ exit, stderr }).toMatchObject({ exit: wordless ? 3 : 0 });
    expect(stdout.trim()).not.toBe('');
    // The servers that need nothing from outside offered their tools.
    expect(stderr.match(/! MCP server \S+/g)).toEqual(['! MCP server tickets:']);
    expect(stderr).toContain('The 19 tools');
  },

  '"mcpServers": {': async ({ code }) => {
    const { sh } = workplace({ 'mcp.json': code });
    const { stdout } = await sh('rawcall mcp list --mcp-config mcp.json --json || true');
    const servers = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(servers).toEqual([
      expect.objectContaining({ name: 'files', state: 'ready', tools: 14 }),
      expect.objectContaining({ name: 'calc', state: 'ready', tools: 5 }),
      expect.objectContaining({ name: 'tickets', reason: expect.stringContaining('needs TOKEN') }),
    ]);
  },

  // A hub has it that is the practice model; what fits takes a measurement, in test/cli/models/about.test.ts.
  'npx rawcall models recommend                                      # which of them fit this machine, and how fast they would be':
    async ({ code }) => {
      const hub = await startHub();
      hub.put('me/repo', 'it.gguf', readFileSync(path.join(root, 'models/practice/practice.gguf')));
      const [entry = ''] =
        /^ {2}- name: qwen3-0\.6b\n.*?(?=^ {2}- name: )/ms.exec(pageText('models/catalog.yaml')) ?? [];
      const itsFile = entry
        .replace(/(?<=- )hf:\S+/, 'hf:me/repo:it.gguf')
        .replaceAll(/^ +(bytes|sha256): .*\n/gm, '');
      const { sh } = workplace({
        'catalog.yaml': `models:\n${itsFile}`,
        'rawcall.json': '{"catalog": "catalog.yaml"}',
      });
      const run = code.replace(/.*recommend.*\n/, '');
      const { code: exit, stdout, stderr } = await sh(`export HF_ENDPOINT=${hub.endpoint}\n${run}`);
      expect({ exit, stderr }).toMatchObject({ exit: 0 });
      expect(stderr).toContain('qwen3-0.6b:Q8_0');
      expect(stdout.trim()).not.toBe('');
    },

  // test/examples.test.ts runs that file.
  "import { approval, createAgent, createEngine, createHost, directServer, formatOf, rawModel } from 'rawcall';":
    ({ code }) => expect(code).toBe(pageText('examples/agent.ts')),

  // rawcall itself is installed by scripts/check-package.mjs, with what the next block leaves out.
  [`npm install --omit=optional rawcall @node-llama-cpp/linux-x64@${llama.version}`]: () => {
    expect(json('package.json').dependencies['node-llama-cpp']).toBe(llama.version);
    expect(llama.optionalDependencies).toHaveProperty('@node-llama-cpp/linux-x64', llama.version);
  },

  // Every binary for a GPU that a machine without one can do without.
  '"overrides": {': ({ code }) => {
    const left = Object.keys(JSON.parse(code).overrides['node-llama-cpp']);
    const all = Object.keys(llama.optionalDependencies);
    expect(left).toEqual(all.filter(name => /-(cuda|cuda-ext|vulkan)$/.test(name)));
  },
});

test('what the models to begin with cost is what the catalog says', async () => {
  const { models } = await readCatalog(path.join(root, 'models', 'catalog.yaml'));
  const rows = [
    ...pageText('README.md').matchAll(/^\| `([\w.-]+)` \| ([\d.]+ [MG]B) \| ([\d.]+ [MG]B) \|/gm),
  ];
  expect(rows).toHaveLength(4);
  for (const [, name, size, memory] of rows) {
    const model = models.find(one => one.name === name)!;
    const file = model.files[0]!;
    expect([size, memory], name).toEqual([
      bytesText(file.size.bytes),
      bytesText(memoryNeeded(model, file, 8192)),
    ]);
    expect(model.licence.name).toBe('Apache-2.0');
  }
});
