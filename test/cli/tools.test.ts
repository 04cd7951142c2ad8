/** `rawcall tools`: what is offered, and what it costs. */
import { expect, test } from 'vitest';
import { rawcall } from './rawcall.ts';

const calc = ['--mcp-command', 'rawcall', '--mcp-args', 'mcp-server calc'];

test('tools are listed with their servers', async () => {
  const { code, stdout } = await rawcall(['tools', ...calc]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^server +tool +description\n/);
  expect(stdout).toMatch(/ add +\S/);
});

test('--tokens: each tool, each server and all of them, as the vocabulary counts', async () => {
  const { json, stderr } = await rawcall(['tools', ...calc, '--tokens', '--json', '--format', 'qwen']);
  expect(stderr).toBe('');
  const lines = json();
  const tools = lines.slice(0, -1);
  const sum = tools.reduce((total, { tokens }) => total + tokens, 0);
  expect(tools.length).toBeGreaterThan(1);
  for (const { tokens } of tools) expect(tokens).toBeGreaterThan(20);
  // The instructions around the tools belong to none of them.
  expect(lines.at(-1).total).toBeGreaterThan(sum);

  const { stdout } = await rawcall(['tools', ...calc, '--tokens', '--format', 'qwen']);
  expect(stdout).toContain(`\nall     ${lines.at(-1).total}`);
});

test('--schema-form: the same tools for fewer tokens', async () => {
  const total = async (...form: string[]) => {
    const { json } = await rawcall(['tools', ...calc, '--tokens', '--json', '--format', 'qwen', ...form]);
    const tools = json().slice(0, -1);
    return tools.reduce((sum: number, { tokens }: { tokens: number }) => sum + tokens, 0);
  };
  const [native, signature] = await Promise.all([total(), total('--schema-form', 'signature')]);
  expect(signature).toBeLessThan(native / 2);
});

test('no servers, no tools', async () => {
  expect(await rawcall(['tools'])).toMatchObject({ code: 0, stdout: 'No tools.\n' });
});
