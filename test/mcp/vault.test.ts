/** A vault gives its notes and nothing else of this machine. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { connectBuiltIn } from '../../src/mcp/servers/serve.ts';
import { builtIn } from './built-in.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'rawcall-')));
const root = join(base, 'vault');
const secret = 'TOP SECRET';
for (const folder of ['vault/garden', 'vault/.obsidian', 'vault-next-door'])
  mkdirSync(join(base, folder), { recursive: true });
const files = {
  'outside.md': secret,
  'vault-next-door/near.md': secret,
  'vault/.obsidian/workspace.md': secret,
  'vault/.hidden.md': secret,
  'vault/picture.png': secret,
  'vault/Index.md': '# Index\n\nSee [[garden/roses]].\n',
  'vault/garden/roses.md': '# Roses\n\nCut the roses in March.\nWater them.\n',
  'vault/garden/tea & herbs.md': 'Mint grows everywhere.\n',
  'vault/big.md': `${'a'.repeat(600_000)}\nneedle\n`,
};
for (const [path, text] of Object.entries(files)) writeFileSync(join(base, path), text);
for (const [from, to] of [
  ['link-out.md', '../outside.md'],
  ['link-out', '..'],
  ['link-hidden.md', '.obsidian/workspace.md'],
  ['link-in.md', 'garden/roses.md'],
  ['link-loop', '.'],
  ['link-image.md', 'picture.png'],
  ['link-nowhere.md', 'gone.md'],
] as const)
  symlinkSync(to, join(root, from));
afterAll(() => rmSync(base, { recursive: true }));

const uris = ['Index.md', 'big.md', 'garden/roses.md', 'garden/tea & herbs.md', 'link-in.md'];

test('notes are listed by relative URIs, without what is hidden or leads outside', async () => {
  await using server = await builtIn('vault', root);
  expect(await server.text('list_notes')).toBe(uris.join('\n'));
});

test.each([
  ['garden/roses.md'],
  ['garden/roses'],
  [' garden/roses.md '],
  ['./garden/roses.md'.slice(2)],
  ['note:///garden/roses.md'],
  ['garden%2Froses.md'],
  ['link-in.md'],
])('a note is read as %s', async uri => {
  await using server = await builtIn('vault', root);
  expect(await server.call('get_note', { uri })).toEqual({
    content: files['vault/garden/roses.md'],
    isError: false,
  });
});

test('a note that is too big is cut, and says so', async () => {
  await using server = await builtIn('vault', root);
  const text = await server.text('get_note', { uri: 'big.md' });
  expect(text).toHaveLength(512 * 1024 + '\n[… 75720 bytes left out …]'.length);
  expect(text.endsWith('\n[… 75720 bytes left out …]')).toBe(true);
});

describe('nothing outside', () => {
  test.each([
    '../outside.md',
    'garden/../../outside.md',
    '..%2Foutside.md',
    '%2e%2e/outside.md',
    'garden\\..\\..\\outside.md',
    'link-out.md',
    'link-out/outside.md',
    'link-out/vault/Index.md/../../../outside.md',
    'link-hidden.md',
    'link-image.md',
    'link-nowhere.md',
    'link-loop/.obsidian/workspace.md',
    '../vault-next-door/near.md',
    '.hidden.md',
    '.obsidian/workspace.md',
    'picture.png',
    'garden',
    'Index.md\0.md',
    join(base, 'outside.md'),
    `file://${join(base, 'outside.md')}`,
    `note://${join(base, 'outside.md')}`,
    join(root, 'Index.md'),
    'C:\\outside.md',
  ])('%s', async uri => {
    await using server = await builtIn('vault', root);
    const result = await server.call('get_note', { uri });
    expect(result.isError).toBe(true);
    expect(result.content).not.toContain(secret);
    if (!uri.includes(base)) expect(result.content).not.toContain(base);
  });

  test('whatever is asked for', async () => {
    await using server = await builtIn('vault', root);
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'garden',
      'link-out',
      'link-loop',
      'outside.md',
      'roses.md',
      '%2e%2e',
      '.obsidian',
    );
    const uri = fc.oneof(
      fc.array(part, { minLength: 1, maxLength: 6 }).map(parts => parts.join('/')),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(uri, async uri => {
        for (const text of [
          await server.text('get_note', { uri }),
          await server.text('search_notes', { query: uri }),
        ]) {
          expect(text).not.toContain(secret);
          expect(text).not.toContain(base);
        }
      }),
      { numRuns: 50 },
    );
  });
});

test('notes are searched by a phrase, then by words', async () => {
  await using server = await builtIn('vault', root);
  const search = (query: string) => server.text('search_notes', { query });
  expect(await search('ROSES in')).toBe(
    'garden/roses.md: Cut the roses in March.\nlink-in.md: Cut the roses in March.',
  );
  expect(await search('march water')).toBe(
    [
      'garden/roses.md: Cut the roses in March.',
      'garden/roses.md: Water them.',
      'link-in.md: Cut the roses in March.',
      'link-in.md: Water them.',
    ].join('\n'),
  );
  expect(await search('herbs')).toBe('garden/tea & herbs.md: Mint grows everywhere.');
  expect(await search('top secret')).toBe('No note contains "top secret".');
  expect((await search('aaaa')).length).toBeLessThan(400);
  expect(await server.call('search_notes', { query: ' ' })).toMatchObject({ isError: true });
});

test('notes are resources too', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = await connectBuiltIn('vault', [root], far);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(near);
  const { resources } = await client.listResources();
  expect(resources.map(({ name }) => name)).toEqual(uris);
  expect(resources[3]?.uri).toBe('note:///garden/tea%20%26%20herbs.md');
  for (const { uri, name } of resources) {
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, mimeType: 'text/markdown' }]);
    if (name === 'Index.md') expect(contents[0]).toMatchObject({ text: files['vault/Index.md'] });
  }
  expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
    { uriTemplate: 'note:///{+path}' },
  ]);
  await expect(client.readResource({ uri: 'note:///../outside.md' })).rejects.toThrow('relative URI');
  await expect(client.listResources({ cursor: '-1' })).rejects.toThrow('cursor');
  await server.close();
});
