/** The reference servers from npm, over stdio. */
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { npmServer, readySet } from './helpers.ts';

test('everything and filesystem, side by side', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rawcall-')));
  writeFileSync(join(folder, 'note.txt'), 'It rains.\n');
  await using set = await readySet([npmServer('everything'), npmServer('filesystem', folder)]);
  expect(set.servers.map(({ name, state, reason }) => [name, state, reason])).toEqual([
    ['everything', 'ready', undefined],
    ['filesystem', 'ready', undefined],
  ]);
  const tools = new Map(set.tools.map(tool => [tool.name, tool]));
  expect(tools.get('get_sum')?.inputSchema).toMatchObject({ type: 'object', required: ['a', 'b'] });
  expect(tools.get('write_file')?.annotations).toMatchObject({ destructiveHint: true });
  expect(tools.get('read_text_file')?.outputSchema).toBeDefined();

  expect(await set.call('echo', { message: 'hi' })).toEqual({ content: 'Echo: hi', isError: false });
  expect((await set.call('get_sum', { a: 2, b: 40 })).content).toContain('42');
  expect((await set.call('get_tiny_image', {})).content).toMatch(/\[image: image\/png, \d+ bytes\]/);
  expect((await set.call('get_sum', { a: 'two' })).isError).toBe(true);
  expect(await set.call('read_text_file', { path: join(folder, 'note.txt') })).toEqual({
    content: 'It rains.\n',
    isError: false,
  });
  expect((await set.call('read_text_file', { path: '/etc/hostname' })).isError).toBe(true);
});

test('a server gets a few variables and those of its config, and none else', async () => {
  process.env.RAWCALL_TEST_SECRET = 'hunter2';
  try {
    await using set = await readySet([{ ...npmServer('everything'), env: { GIVEN: 'yes' } }]);
    const { content } = await set.call('get_env', {});
    expect(JSON.parse(content)).toMatchObject({ GIVEN: 'yes', PATH: process.env.PATH });
    expect(content).not.toContain('hunter2');
  } finally {
    delete process.env.RAWCALL_TEST_SECRET;
  }
});
