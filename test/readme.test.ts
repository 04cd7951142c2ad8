/** What the README shows is run as it stands, with the practice model and in a folder of its own. */
import { expect, vi } from 'vitest';
import { type Block, blocksOf, describeBlocks, pageText, root } from './docs/blocks.ts';
import { shellIn, workplace } from './docs/workplace.ts';

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
    expect({ exit, stderr }).toMatchObject({ exit: 0 });
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
