/** `--tools`: what of many servers' tools the model is offered. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { serverNames, toolsOf } from '../agent/many-tools.ts';
import { misbehaving } from '../mcp/misbehaving.ts';
import { rawcall, temporaryFolder } from './rawcall.ts';

function configOf(names: readonly string[]): string {
  const file = path.join(temporaryFolder(), 'mcp.json');
  const servers = names.map(name => {
    const { command, args } = misbehaving({ pages: [toolsOf(name)] }, name);
    return [name, { command, args }];
  });
  const materials = { command: 'rawcall', args: ['mcp-server', 'materials'] };
  writeFileSync(file, JSON.stringify({ mcpServers: { materials, ...Object.fromEntries(servers) } }));
  return file;
}

const question = 'Flag M-1003: no weight.';
const options = ['--format', 'hermes', '--approve', 'auto', '--context-size', '4096', '--json'];

/** Tokens of the tools that stand in the first prompt's own list. */
function toolsIn(event: { prompt: { text?: string; origin?: string }[] }): string[] {
  const texts = event.prompt.flatMap(({ text, origin }) => (origin === 'tools' ? [text] : [])).join('');
  return [...texts.matchAll(/"name": "(\w+)"/g)].map(([, name = '']) => name);
}

test('a hundred tools: those that fit, with find_tools, and it is said', async () => {
  const { json, stderr, code } = await rawcall([
    'run',
    question,
    '--mcp-config',
    configOf(serverNames),
    ...options,
  ]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/The 103 tools are \d+ tokens, .* All of them: --tools all/);
  const names = toolsIn(json().find(({ type }) => type === 'turn-start'));
  expect(names[0]).toBe('find_tools');
  expect(names).toContain('flag_material');
  expect(names.length).toBeLessThan(40);
});

test('a few: all of them, and nothing else, as with --tools all', async () => {
  const config = configOf([]);
  const [auto, all] = await Promise.all(
    [[], ['--tools', 'all']].map(flags =>
      rawcall(['run', question, '--mcp-config', config, ...options, ...flags]),
    ),
  );
  const prompts = (run = auto) =>
    run!.json().flatMap(({ type, prompt }) => (type === 'turn-start' ? [prompt] : []));
  expect(prompts(auto)).toEqual(prompts(all));
  expect(auto?.stderr).not.toContain('find_tools');
  expect(toolsIn(auto!.json().find(({ type }) => type === 'turn-start'))).toHaveLength(3);
});

test('--tools all offers more than a third of the context, and fails where they are more than all of it', async () => {
  const all = ['--mcp-config', configOf(serverNames), ...options, '--tools', 'all'];
  const { stderr, code } = await rawcall(['run', question, ...all, '--context-size', '2048']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/the context holds 2048: \d+ for the 103 tools/);
});

test('a chat says what the change of the offer costs, and lists what is not on offer', async () => {
  const flags = ['--mcp-config', configOf(serverNames), '--format', 'hermes', '--approve', 'auto'];
  const { stderr } = await rawcall(['chat', ...flags, '--context-size', '4096'], {
    stdin: `${question}\nDelete a protocol of the lab.\n/tools\n`,
  });
  expect(stderr).toMatch(
    /Tools on offer: now also .*delete_protocols.*\. \d+ tokens of the prompt are evaluated anew\./,
  );
  expect(stderr).toMatch(/^delete_protocols {2}Deletes the protocols/m);
  expect(stderr).toMatch(/^not on offer now: .*\w+, \w+/m);
});

test('the config file may say it, and another command has a flag of that name', async () => {
  const cwd = temporaryFolder();
  writeFileSync(path.join(cwd, 'rawcall.json'), '{"tools": "all", "thinking": false}');
  const parsed = await rawcall(['parse', '--format', 'hermes'], { cwd, stdin: 'Hello.' });
  expect(parsed).toMatchObject({ code: 0, stderr: '' });
  writeFileSync(path.join(cwd, 'rawcall.json'), '{"tools": "some"}');
  const wrong = await rawcall(['run', 'Hi'], { cwd });
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('"tools" must be one of auto, all, not "some"');
});
