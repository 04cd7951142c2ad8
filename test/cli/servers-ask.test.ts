/** What servers ask and give in a run of the command line. The practice model knows none of these tools and is held to call one. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rawcall, temporaryFolder } from './rawcall.ts';

const everything = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
);
const besides = path.join(import.meta.dirname, '../mcp/fixtures/besides.mjs');

/** A run that calls this tool once, and answers. */
function calling(tool: string, file = everything): string[] {
  const config = path.join(temporaryFolder(), 'mcp.json');
  const entry = { command: process.execPath, args: [file], tools: { allow: [tool] } };
  writeFileSync(config, JSON.stringify({ mcpServers: { every: entry } }));
  const held = ['--constrain', 'required', '--rounds', 'once', '--format', 'hermes'];
  return ['run', 'Go on', '--mcp-config', config, ...held];
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads just what it then checks.
const events = (all: any[], pattern: RegExp) => all.filter(({ type }) => pattern.test(type));

test('a text of the model is asked for and given', async () => {
  const args = [...calling('trigger-sampling-request'), '--approve', 'trigger_*=auto', '--json'];
  const { json, stderr } = await rawcall(args, { stdin: 'y\n' });
  const [start, ask, end, tool] = events(json(), /^sampling|^approval-start|^tool-end/);
  expect(start).toMatchObject({
    type: 'sampling-start',
    server: 'every',
    system: 'You are a helpful test server.',
    messages: [{ role: 'user', content: expect.any(String) }],
  });
  expect(ask).toMatchObject({ type: 'approval-start', call: { name: 'sampling/every' }, server: 'every' });
  expect(stderr).toContain('The server every asks the model for a text of at most');
  expect(stderr).toContain('system: You are a helpful test server.');
  expect(end).toMatchObject({
    type: 'sampling-end',
    model: 'rawcall practice',
    text: expect.stringMatching(/\S/),
  });
  expect(tool.result.content).toContain(JSON.stringify(end.text));
});

test.each<[string, string[], string, RegExp]>([
  ['a rule', ['--approve', 'auto', '--approve', 'sampling/every=never'], '', /not allowed to run/],
  ['the user, with a reason', ['--approve', 'trigger_*=auto'], 'n, not my words\n', /not my words/],
])('%s refuses a text, and the server is told', async (_name, rules, stdin, reason) => {
  const { json } = await rawcall([...calling('trigger-sampling-request'), ...rules, '--json'], { stdin });
  const [end, tool] = events(json(), /^sampling-end|^tool-end/);
  expect(end.reason).toMatch(reason);
  expect(tool.result).toMatchObject({ isError: true, content: expect.stringMatching(reason) });
});

test('a form is answered by a line of JSON', async () => {
  const args = [...calling('trigger-elicitation-request'), '--approve', 'auto', '--json'];
  const stdin = '{"action":"accept","content":{"name":"Ada","check":true}}\n';
  const { json } = await rawcall(args, { stdin });
  const [start, end, tool] = events(json(), /^elicitation|^tool-end/);
  expect(start).toMatchObject({ server: 'every', mode: 'form', schema: { required: ['name'] } });
  expect(end).toEqual({ type: 'elicitation-end', server: 'every', action: 'accept' });
  expect(tool.result.content).toContain('- Name: Ada');
});

test('a form that nobody answers is declined, and why is said', async () => {
  const args = [...calling('trigger-elicitation-request'), '--approve', 'auto'];
  const { stderr } = await rawcall(args);
  expect(stderr).toContain(
    'every asked for something, which was declined: the input ended before an answer came',
  );
});

test('roots and logs', async () => {
  const args = [...calling('echo'), '--approve', 'never', '--root', temporaryFolder(), '--show', 'logs'];
  const { stderr } = await rawcall(args);
  expect(stderr).toMatch(/! every\/everything-server info: Roots updated: 1 root/);
  const { stderr: refused, code } = await rawcall(['run', 'Hi', '--root', 'no/such/folder']);
  expect(refused).toContain('There is no folder "no/such/folder" to tell servers of.');
  expect(code).toBe(2);
});

test('a chat adds roots', async () => {
  const folder = temporaryFolder();
  const stdin = `/roots\n/roots ${folder}\n/roots no/such/folder\n`;
  const { stderr } = await rawcall(['chat'], { stdin });
  expect(stderr).toContain('! Servers are told of no folder.\n');
  expect(stderr).toContain(`${folder}\n`);
  expect(stderr).toContain('! There is no folder "no/such/folder"');
});

test('what a tool gives besides text for the model', async () => {
  const args = [...calling('paint', besides), '--approve', 'auto'];
  const { stderr } = await rawcall(args);
  expect(stderr).toContain('paint, for you: Mind the wet paint.\n');
  expect(stderr).toContain(
    '! paint: The structured content breaks the output schema: width must be an integer.\n',
  );
  // The line that is replaced is for terminals alone.
  expect(stderr).not.toContain('coat');

  const { json } = await rawcall([...args, '--json']);
  const [first, second, end] = events(json(), /^tool-progress|^tool-end/);
  expect(first).toMatchObject({ call: { name: 'paint' }, progress: 1, total: 2, message: 'coat 1' });
  expect(second).toMatchObject({ progress: 2, message: 'coat 2' });
  expect(end.result).toEqual({
    content: 'It is painted.\n[image: image/png, 3 bytes]\n{"width":"wide"}',
    isError: false,
    forUser: 'Mind the wet paint.',
    attachments: [{ mimeType: 'image/png', data: 'AAAA' }],
    warnings: ['The structured content breaks the output schema: width must be an integer.'],
  });
  const prompts = JSON.stringify(events(json(), /^turn-start/));
  expect(prompts).toContain('It is painted.');
  expect(prompts).not.toMatch(/AAAA|wet paint/);
});
