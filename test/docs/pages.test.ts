/** What the pages show is run or checked: commands with the practice model in a folder of their own, without npx, which the README's go through. */

import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { AgentEvent } from '../../src/agent/events.ts';
import { readCatalog } from '../../src/catalog/catalog.ts';
import { caseReader } from '../../src/check/case.ts';
import { mentionsIn } from '../../src/cli/mcp/mentions.ts';
import type { CliEvent } from '../../src/cli/report.ts';
import { findConverter } from '../../src/convert/programs.ts';
import { start } from '../cli/rawcall.ts';
import { type Block, blocksOf, type Checks, describeBlocks, pageText, root } from './blocks.ts';
import { commandProblems } from './commands.ts';
import { shellIn, type Workplace, workplace } from './workplace.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** One server for all blocks that ask one. */
let server: ReturnType<typeof start> | undefined;
let address: Promise<string> | undefined;
function served(): Promise<string> {
  server ??= start(['serve', '--name', 'gpt-oss-120b', '--port', '0']);
  address ??= addressOf(server);
  return address;
}
afterAll(() => void server?.kill());

async function addressOf({ stdout }: ReturnType<typeof start>): Promise<string> {
  const [line] = await once(stdout.setEncoding('utf8'), 'data');
  return String(line).split(' ')[0]!;
}

const block = (page: string, beginning: string): Block => {
  const found = blocksOf(pageText(page)).find(({ name }) => name.startsWith(beginning));
  if (!found) throw new Error(`${page} has no block that begins with ${beginning}.`);
  return found;
};
const withoutNpx = (code: string) => code.replaceAll('npx rawcall', 'rawcall');
const lines = (code: string) => code.trimEnd().split('\n');

/** Every line of it ends well. */
async function runs({ sh }: Workplace, code: string, stdin?: string): Promise<string> {
  const { code: exit, stdout, stderr } = await sh(withoutNpx(code), stdin);
  expect(exit, stderr + stdout).toBe(0);
  return stdout;
}

const completion = '<tool_call>\n{"name": "add", "arguments": {"a": 31, "b": 11}}\n</tool_call>';
const calls = [{ name: 'add', arguments: { a: 31, b: 11 } }];
const recorded = `${JSON.stringify({ format: 'qwen', completion, expected: { calls } })}\n`;
const recordings = { 'recordings/completions.jsonl': recorded, 'recordings/mine.jsonl': recorded };

/** A synopsis, or what needs a network: only that its commands and flags are there. */
const named = ({ code }: Block) => expect(commandProblems(code)).toEqual([]);

const pages: Readonly<Record<string, Checks>> = {
  'docs/checking.md': {
    'npx rawcall check recordings/            # every completions.jsonl and NAME.completions.jsonl below it':
      async ({ code }) => {
        const unchecked = `${JSON.stringify({ completion })}\n`;
        const place = workplace({ ...recordings, 'qwen.jsonl': unchecked });
        expect(await runs(place, code)).toContain('1 of 1');
        expect(await runs(place, 'cat qwen.jsonl')).toContain('"expected"');
      },
    '{"id": "two calls", "format": "qwen", "completion": "<tool_call>…", "expected": {"calls": [{"name": "add", "arguments": {"a": 31}}]}}':
      ({ code }) => {
        expect(caseReader('mine.jsonl')(code.trim(), 1)).toMatchObject({
          id: 'two calls',
          format: 'qwen',
          expected: { calls: [{ name: 'add' }] },
        });
      },
    '✗ qwen.jsonl:2  two calls  (qwen)': async ({ code }) => {
      const text = '<tool_call>{"name": "add", "arguments": {"a": 13}}</tool_call>';
      const expected = { calls: [{ name: 'add', arguments: { a: 31 } }] };
      const wrong = { id: 'two calls', format: 'qwen', completion: text, expected };
      const { sh } = workplace({ 'qwen.jsonl': recorded + JSON.stringify(wrong) });
      const { code: exit, stdout } = await sh('rawcall check qwen.jsonl');
      expect(exit).toBe(1);
      expect(stdout).toContain(code);
    },
    'npx rawcall check --score recordings/': async ({ code }) => {
      const shown = lines(await runs(workplace(recordings), code));
      const [heading = ''] = lines(block('docs/checking.md', 'format   completions').code);
      expect(shown[0]!.split(/\s+/)).toEqual(heading.split(/\s+/));
      expect(shown[1]).toMatch(/^qwen +1 .*1 of 1/);
    },
    // Of its figures the sums are checked, the columns in the block before.
    'format   completions  read  repaired  refused  calls  as expected  characters/s': ({ code }) => {
      for (const row of lines(code).slice(1, 3)) {
        const [, all, ...parts] = row.split(/\s+/).map(Number);
        expect(parts[0]! + parts[1]! + parts[2]!, row).toBe(all);
      }
    },
    "import { describeCompletions } from 'rawcall/testing';": async ({ code }) => {
      const { sh } = workplace({ ...recordings, 'package.json': '{"type": "module"}', 'mine.test.js': code });
      const { code: exit, stdout } = await sh('node node_modules/vitest/vitest.mjs run');
      expect({ exit, stdout }).toMatchObject({ exit: 0, stdout: expect.stringMatching(/1 passed/) });
    },
  },

  'docs/endpoints.md': {
    'rawcall run "What is in notes.txt?" --endpoint http://10.0.0.5:8080 --mcp-config mcp.json': async ({
      code,
    }) => {
      const calc = { command: 'rawcall', args: ['mcp-server', 'calc'] };
      const place = workplace({ 'mcp.json': JSON.stringify({ mcpServers: { calc } }) });
      const url = await served();
      // A server of ours does not tell its chat template, as a llama-server does.
      const here = code
        .replace('http://10.0.0.5:8080', `${url} --format qwen`)
        .replace('https://host/v1', url);
      const said = await runs(place, here, 'What is 31 plus 11?\n');
      expect(lines(said).length).toBeGreaterThanOrEqual(2);
    },
    "import { chatModel, completionsEngine, formatNamed, openEndpoint, rawModel } from 'rawcall';": async ({
      code,
    }) => {
      const place = workplace();
      const url = await served();
      const tell = 'console.log(typeof ours.turn, typeof theirs.turn);';
      const program = `${code.replace('http://10.0.0.5:8080', url)}${tell}`;
      expect(await runs(place, `cat >some.mjs && node some.mjs`, program)).toBe('function function\n');
    },
  },

  'docs/eval.md': {
    // The set that ships is asked in test/cli/eval.test.ts, and takes a minute.
    'npx rawcall eval starter                                     # a set that ships, asked of the practice model':
      async ({ code }) => {
        const [starter = '', twoModels = '', matrix = '', report = '', compare = ''] = lines(code);
        expect(commandProblems(starter)).toEqual([]);
        const place = workplace({ 'mine.yaml': block('docs/eval.md', 'description:').code });
        expect(await runs(place, `${twoModels.replace(/#.*/, '')} --out results.jsonl`)).toMatch(/^ +a +b$/m);
        expect(await runs(place, matrix)).toContain('question-and-data/once');
        await runs(place, report);
        expect(await runs(place, 'cat report.html')).toContain('<html');
        await runs(place, `cp results.jsonl before.jsonl; cp results.jsonl after.jsonl; ${compare}`);
      },
    // The block before asks these tasks.
    'description: Questions to a helpdesk.': ({ code }) => expect(code).toContain('id: subscription-tier'),
    // It needs a network; test/cli/eval-import.test.ts imports such a folder.
    'pip download --no-deps bfcl-eval && unzip -q bfcl_eval-*.whl -d bfcl         # its data, Apache 2.0; rawcall ships none of it':
      named,
    'npx rawcall eval report RESULTS.jsonl… [--reporter table|json|junit|html] [--out FILE]': named,
    'npx rawcall eval compare BEFORE.jsonl AFTER.jsonl [--threshold 2] [--metric right]… [--pair OLD=NEW]… [--reporter table|json]':
      named,
  },

  'docs/grammars.md': {
    "const { gbnf, relaxed, impossible } = formatNamed('hermes').parser.grammar(tools, { parallel: false });":
      async ({ code }) => {
        const before = `
          import { createEngine, formatNamed } from 'rawcall';
          const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'integer' } } } }];
          const engine = await createEngine({ model: 'path/to/model.gguf' });
          const prompt = formatNamed('hermes').template.render({ messages: [{ role: 'user', content: 'Add 3.' }], tools });
        `;
        const asked = code.replace('engine.generate(', 'const generation = engine.generate(');
        const after = `
          let text = '';
          for await (const piece of generation) text += piece.text;
          await engine.close();
          console.log(JSON.stringify({ text, relaxed, impossible }));
        `;
        const said = await runs(workplace(), 'cat >some.mjs && node some.mjs', before + asked + after);
        const { text, ...rest } = JSON.parse(said);
        expect(text).toMatch(/^<tool_call>\s*\{"name": "add"/);
        expect(rest).toEqual({ relaxed: [], impossible: [] });
      },
  },

  'docs/mcp.md': {
    '"mcpServers": {': async ({ code }) => {
      expect(await serversOf(code)).toEqual([
        expect.objectContaining({ name: 'files', state: 'ready' }),
        expect.objectContaining({ name: 'tickets', reason: expect.stringContaining('needs TICKETS_TOKEN') }),
      ]);
    },
    '"build": {': async ({ code }) => {
      expect(await serversOf(`{"mcpServers": {${code}}}`)).toEqual([
        expect.objectContaining({ name: 'build', reason: expect.stringContaining('needs BUILD_SECRET') }),
      ]);
    },
    'Allow materials/flag_material(id="M-1003", reason="no weight")? [y / a = always, for this tool / n / n and a reason]':
      async ({ code }) => {
        const server = `--mcp-command rawcall --mcp-args "mcp-server materials"`;
        const { stderr } = await workplace().sh(`rawcall chat ${server}`, 'Flag M-1003: no weight.\ny\n');
        expect(stderr).toContain(code.trim());
      },
    '{"type": "tools-changed", "added": ["delete_protocols"], "removed": [], "changed": [], "tokens": 684}':
      ({ code }) => {
        const event: AgentEvent = {
          type: 'tools-changed',
          added: ['delete_protocols'],
          removed: [],
          changed: [],
          tokens: 684,
        };
        expect(JSON.parse(code)).toEqual(event);
      },
    '> What does @vault:note:///garden/roses.md say of March?': ({ code }) => {
      expect(mentionsIn(code, ['vault'])).toEqual([
        { server: 'vault', reference: 'note:///garden/roses.md' },
      ]);
    },
    '{"type":"elicitation-start","server":"books","mode":"form","message":"Who reads?","schema":{…}}': ({
      code,
    }) => {
      const [start, answer, end] = lines(code.replace('{…}', '{"type":"object","properties":{}}')).map(line =>
        JSON.parse(line),
      );
      const schema = { type: 'object', properties: {} } as const;
      const events: CliEvent[] = [
        { type: 'elicitation-start', server: 'books', mode: 'form', message: 'Who reads?', schema },
        { type: 'elicitation-end', server: 'books', action: 'accept' },
      ];
      expect([start, end]).toEqual(events);
      expect(answer).toEqual({ action: 'accept', content: { name: 'Ada' } });
    },
  },

  'docs/own-formats.md': {
    'echo \'[{"role": "user", "content": "Hi"}]\' | rawcall render - --format ./own-format.mjs   # the prompt, control tokens marked':
      async ({ code }) => {
        const said = await runs(workplace(), code);
        expect(said).toContain('⟦<turn:user>⟧Hi');
        expect(said).toMatch(/(\d+) of \1/);
      },
    'const parser = createParser(': ({ code }) => {
      const example = pageText('examples/own-format.mjs');
      for (const part of code.split('…')) expect(example).toContain(part.trim());
    },
  },

  'docs/serve.md': {
    'rawcall serve --model path/to/model.gguf': async ({ code }) => {
      const [command, said] = lines(code);
      const line = await workplace().start(`${command} --port 0`);
      expect(`# ${line.replace(/:\d+\//, ':8080/')}`).toBe(said);
    },
    "const client = new OpenAI({ baseURL: 'http://127.0.0.1:8080/v1', apiKey: 'none' });": async ({
      code,
    }) => {
      const place = workplace();
      const url = await served();
      const program = `
        import OpenAI from 'openai';
        ${code.replace('http://127.0.0.1:8080/v1', url)}
        console.log((await client.models.list()).data[0].id);
      `;
      expect(await runs(place, 'cat >some.mjs && node some.mjs', program)).toBe('gpt-oss-120b\n');
    },
    // test/cli/serve-tools.test.ts serves both ways.
    'rawcall serve --model path/to/model.gguf --mcp-config mcp.json               # clients run the calls':
      named,
    "curl 127.0.0.1:8080/v1/completions -d '{": async ({ code }) => {
      const place = workplace();
      const url = await served();
      const said = await runs(place, code.replace('curl 127.0.0.1:8080/v1', `curl --silent ${url}`));
      expect(JSON.parse(said).choices[0].text).not.toBe('');
    },
  },

  'docs/models.md': {
    'npx rawcall models list                        # the catalog': async shown => {
      named(shown);
      // What fits takes a measurement, in test/cli/models/about.test.ts.
      const quick = shown.code.replace(/.*recommend.*/, '').replace('model.gguf', 'a.gguf');
      expect(await runs(workplace(), quick)).toMatch(/^llama-3\.2-1b [\s\S]*^file +a\.gguf/m);
    },
    // test/cli/models/pull.test.ts does so, with a hub of its own.
    'npx rawcall models pull qwen3-4b               # or NAME:QUANTISATION, hf:ORG/REPOSITORY:FILE.gguf, an address':
      named,
    // test/convert/convert.test.ts does so.
    'npx rawcall models convert ./tiny --out tiny.gguf             # a folder as Hugging Face has models':
      named,
    'python3 -m venv DATA/converter': ({ code }) => {
      expect(() => findConverter({ environment: 'DATA/converter', env: {} })).toThrow(
        lines(code)
          .map(line => `  ${line}`)
          .join('\n'),
      );
    },
    'models:': async ({ code }) => {
      const { folder } = workplace({ 'catalog.yaml': code });
      const { models } = await readCatalog(path.join(folder, 'catalog.yaml'));
      expect(models).toEqual([expect.objectContaining({ name: 'mine-1b', format: 'llama3-json' })]);
    },
  },

  // test/playground/ opens it.
  'docs/playground.md': { 'rawcall play --model path/to/model.gguf --mcp-config mcp.json': named },

  'docs/transcripts.md': {
    'npx rawcall show                       # the newest; --html run.html: one offline page; --json: its events, each prompt whole':
      async ({ code }) => {
        const place = workplace();
        const server = '--mcp-command rawcall --mcp-args "mcp-server calc"';
        await runs(place, `rawcall run "What is 31 plus 11?" ${server}`);
        const file = '"$(find data -name "*.jsonl")"';
        const said = await runs(place, code.replaceAll('FILE', file));
        expect(said).toContain('What is 31 plus 11?');
        expect(said).toMatch(/(\d+) of \1/);
      },
  },

  'ARCHITECTURE.md': {
    'templates/                 src/engine/                parsers/': ({ code }) => {
      const folders = code.match(/[\w/]+\//g) ?? [];
      expect(folders.length).toBeGreaterThan(3);
      for (const folder of folders) expect(existsSync(path.join(root, folder)), folder).toBe(true);
    },
  },

  'CONTRIBUTING.md': {
    // Each takes minutes; that they are there is checked, and CI runs the first two.
    'npm ci': ({ code }) => {
      const { scripts } = JSON.parse(pageText('package.json'));
      const npm = [...code.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
      expect(npm.length).toBeGreaterThan(3);
      for (const name of npm) expect(scripts).toHaveProperty(name);
      for (const [place] of code.matchAll(/test\/[\w./-]+/g))
        expect(existsSync(path.join(root, place))).toBe(true);
    },
    'npm run build': async ({ code }) => {
      const { code: exit, stdout, stderr } = await shellIn(root, code.replace(/^npm run build\n/, ''));
      expect(exit, stderr).toBe(0);
      expect(stdout).toContain('⟦<turn:user>⟧Hi');
      expect(stdout).toContain('"harbour"');
    },
    'node dist/rawcall.cjs check examples/own-format.jsonl': async ({ code }) => {
      const { stdout } = await shellIn(root, code);
      expect(stdout).toMatch(/(\d+) of \1/);
    },
  },
};

/** Pages whose blocks are made, or compared, by a test of their own. */
const elsewhere = {
  'docs/formats.md': 'test/formats/page.test.ts',
  'docs/library.md': 'test/examples.test.ts',
  'README.md': 'test/readme.test.ts',
};

async function serversOf(config: string) {
  const { stdout } = await workplace({ 'mcp.json': config }).sh(
    'rawcall mcp list --mcp-config mcp.json --json || true',
  );
  return lines(stdout).map(line => JSON.parse(line));
}

for (const [page, checks] of Object.entries(pages)) describeBlocks(page, checks);

test('no page with a block is left out', () => {
  const folders = ['.', 'docs'];
  const all = folders.flatMap(folder =>
    readdirSync(path.join(root, folder))
      .filter(name => name.endsWith('.md'))
      .map(name => path.posix.join(folder, name)),
  );
  const shown = all.filter(page => blocksOf(pageText(page)).length > 0);
  expect(shown.sort()).toEqual([...Object.keys(pages), ...Object.keys(elsewhere)].sort());
  for (const [page, file] of Object.entries(elsewhere))
    expect(pageText(file)).toContain(path.basename(page).replace('formats.md', 'formats'));
});
