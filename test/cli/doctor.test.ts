/** `rawcall doctor`: what it says of a model and of servers that are well, and of what would not work. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { forgeries } from '../../src/cli/doctor/forgeries.ts';
import { openLlamaVocabulary } from '../../src/engine/llama.ts';
import { promptText } from '../../templates/prompt.ts';
import { fixture } from '../mcp/helpers.ts';
import { rawcall, temporaryFolder } from './rawcall.ts';

const practice = path.join(import.meta.dirname, '../../models/practice/practice.gguf');

function entry(name: string, more: object = {}): object {
  const { command, args } = fixture(name);
  return { command, args, ...more };
}

function folderWith(mcpServers: object, settings: object = {}): string {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'rawcall.json'), JSON.stringify({ mcpServers, ...settings }));
  return folder;
}

test('all is well: one page, and exit code 0', async () => {
  const cwd = folderWith({
    calc: { command: 'rawcall', args: ['mcp-server', 'calc'] },
    places: entry('odd-schemas', { tools: { deny: ['dorp'] }, approval: 'auto' }),
    off: { command: 'x', disabled: true },
  });
  const { code, stdout, stderr } = await rawcall(['doctor', '--approve', 'places/find*=never'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const row = (what: string, text: RegExp) =>
    expect(stdout).toMatch(new RegExp(`^[✓!] ${what} +${text.source}`, 'm'));
  row('settings', /.*rawcall\.json$/);
  row('format', /qwen: its template writes turns, calls and results as qwen does$/);
  row('control tokens', /all \d+ of the vocabulary were spelled as untrusted text, and none became/);
  row('context', /4096 tokens of the 4096 that it was trained on, [\d.]+ MiB of memory$/);
  row('speed', /\d.* read, \d.* written \(tokens a second, over \d+ and \d+\)$/);
  row('hints', /5 read-only, 0 destructive, 0 without either; trusted$/);
  row('approval', /5 run, 0 ask, 0 never run$/);
  row('version', /fixture 1, protocol \d{4}-\d\d-\d\d$/);
  row('approval', /0 run, 1 ask, 1 never run$/);
  row('tool', /dorp: "tools\.deny" names it/);
  row('schema', /find_places can be simplified: near: "\$ref" is written out; limit: /);
  row('state', /closed: disabled in /);
  row('tools', /7 tools are \d+ tokens, \d+ % of the context$/);
  // The columns stand under each other.
  const starts = stdout
    .split('\n')
    .flatMap(line => /^[✓!] .{15,16}?(?=\S)(?<= {2})/.exec(line)?.[0].length ?? []);
  expect(new Set(starts).size).toBeLessThanOrEqual(1);
  expect(stdout).toMatch(/All of this works\.\n$/);
});

test('what would not work is marked, with what to do, and the rest is there: exit code 1', async () => {
  const cwd = folderWith({ gone: { command: 'no-such-command-anywhere' }, places: entry('odd-schemas') });
  const { code, stdout } = await rawcall(['doctor', '--model', 'nowhere.gguf'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✗ file +The model .*nowhere\.gguf does not exist\. Give the path/m);
  expect(stdout).toMatch(
    /^✗ state +failed: the command "no-such-command-anywhere" was not found\. Install it/m,
  );
  expect(stdout).toMatch(/^ +→ Until then a run goes on without it/m);
  expect(stdout).toMatch(/^✓ tools +2$/m);
  expect(stdout).toMatch(/Would not work: model \(file\), server gone \(state\)\.\n$/);
});

test('--json: the same as one object, also where the file of servers is broken', async () => {
  const cwd = folderWith(
    { calc: { command: 'rawcall', args: ['mcp-server', 'calc'] } },
    { format: 'hermes' },
  );
  const { code, json } = await rawcall(['doctor', '--json'], { cwd });
  const [found, ...more] = json();
  expect({ code, more }).toEqual({ code: 0, more: [] });
  expect(found).toMatchObject({
    fine: true,
    wrong: [],
    machine: { node: process.version, platform: process.platform, cores: expect.any(Number) },
    config: { settings: path.join(cwd, 'rawcall.json') },
    model: {
      path: practice,
      format: 'hermes',
      detected: 'qwen',
      controlTokens: { forged: [], unsayable: [] },
      context: { size: 4096, trained: 4096 },
      speed: { evaluated: expect.any(Number) },
    },
    servers: [{ name: 'calc', state: 'ready', trusted: true, info: { name: 'rawcall-calc' } }],
  });
  expect(found.model.controlTokens.checked).toBeGreaterThan(5);
  expect(found.servers[0].tools).toHaveLength(5);
  expect(found.servers[0].tools[0]).toMatchObject({ approval: 'auto', tokens: expect.any(Number) });

  const broken = path.join(cwd, 'broken.json');
  writeFileSync(broken, '{"mcpServers": ');
  const second = await rawcall(['doctor', '--json', '--mcp-config', broken], { cwd });
  const [{ fine, wrong, model }] = second.json();
  expect({ code: second.code, fine, format: model.format }).toEqual({
    code: 1,
    fine: false,
    format: 'hermes',
  });
  expect(wrong).toEqual([
    { where: 'config', what: 'servers', text: expect.stringMatching(/broken\.json:1:\d+: this is not JSON/) },
  ]);
});

test('a vocabulary that lets text become a control token is found out', async () => {
  const vocabulary = await openLlamaVocabulary({ model: practice });
  const honest = forgeries(vocabulary);
  expect(honest).toEqual({ checked: vocabulary.controlTokens.size, forged: [], unsayable: [] });
  const careless = forgeries({
    controlTokens: vocabulary.controlTokens,
    // As a tokenizer does that is told to parse special tokens.
    tokenize: prompt => {
      const text = promptText(prompt);
      const control = text.includes('<|im_end|>');
      return [{ id: 1, text, control, origin: 'tool' }];
    },
  });
  expect(careless.forged).toEqual(['<|im_end|>']);
  await vocabulary.close();
});
