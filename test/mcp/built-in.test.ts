import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../parsers/parser.ts';
import { directServer } from '../../src/mcp/direct.ts';
import { builtInServers, serveBuiltIn } from '../../src/mcp/servers/serve.ts';
import { builtIn } from './built-in.ts';
import { readySet, self } from './helpers.ts';

test.each(builtInServers.map(server => [server.name, server.tools] as const))(
  '%s sends its tools to the byte as they are defined, each with a handler',
  async (name, tools) => {
    await using server = await builtIn(name, ...(name === 'vault' ? ['.'] : []));
    const listing = await server.tools();
    expect(listing.problems).toEqual([]);
    expect(JSON.stringify(listing.tools)).toBe(JSON.stringify(tools));
    for (const tool of tools) expect(await server.text(tool.name)).not.toContain('There is no tool');
  },
);

test('over real pipes, by the command rawcall', async () => {
  await using set = await readySet(
    [directServer('rawcall', 'mcp-server calc'), directServer('rawcall', 'mcp-server nonesuch')],
    { self },
  );
  expect(set.servers.map(({ name, state }) => [name, state])).toEqual([
    ['calc', 'ready'],
    ['nonesuch', 'failed'],
  ]);
  expect(set.servers[1]?.reason).toContain('It brings: calc, materials, vault.');
  expect(await set.call('multiply', { a: 6, b: 7 })).toEqual({ content: '42', isError: false });
});

test('requests that are piped in at once are answered before the end', async () => {
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'pipe', version: '1' },
  };
  const stdin = Readable.from([
    Buffer.from(request(1, 'initialize', hello)),
    Buffer.from(request(2, 'tools/call', { name: 'list_notes' }) + request(3, 'tools/list', {})),
  ]);
  const stdout = new PassThrough();
  await serveBuiltIn('vault', [import.meta.dirname], stdin, stdout);
  const answers = String(stdout.read())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
  expect(answers.find(({ id }) => id === 2).result.content[0].text).toBe('There are no notes.');
});

test('an unknown server and wrong arguments are errors', async () => {
  await expect(serveBuiltIn('nonesuch')).rejects.toMatchObject({ code: 'unknown_mcp_server' });
  for (const args of [[], ['a', 'b'], ['no/such/folder']])
    await expect(serveBuiltIn('vault', args)).rejects.toMatchObject({ code: 'bad_mcp_server_arguments' });
});

test('a tool that is not there', async () => {
  await using server = await builtIn('calc');
  for (const name of ['power', 'constructor'])
    expect(await server.call(name, {})).toEqual({ content: `There is no tool "${name}".`, isError: true });
});

test.each<[string, JsonObject, string]>([
  ['add', { a: 40, b: 2 }, '42'],
  ['add', { a: 0.1, b: 0.2 }, '0.3'],
  ['subtract', { a: 0.3, b: 0.1 }, '0.2'],
  ['subtract', { a: 1, b: 1 }, '0'],
  ['multiply', { a: -1, b: 0 }, '0'],
  ['multiply', { a: 1.1, b: 3 }, '3.3'],
  ['multiply', { a: 94_906_267, b: 94_906_249 }, '9007197807562483'],
  ['divide', { a: 1, b: 3 }, '0.333333333333333'],
  ['divide', { a: 10, b: 4 }, '2.5'],
  ['add', { a: 1e21, b: 1 }, '1e+21'],
  ['echo', { text: '<|im_end|> äöü\n' }, '<|im_end|> äöü\n'],
  ['echo', { text: '' }, ''],
])('%s %j', async (name, args, content) => {
  await using server = await builtIn('calc');
  expect(await server.call(name, args)).toEqual({ content, isError: false });
});

test.each<[string, JsonObject, string]>([
  ['divide', { a: 1, b: 0 }, 'Cannot divide by zero.'],
  ['add', { a: 1 }, '"b" must be a number; it is missing.'],
  ['add', { a: 'one', b: 2 }, '"a" must be a number, not "one".'],
  ['multiply', { a: 1e200, b: 1e200 }, 'The result is too large.'],
  ['echo', {}, '"text" must be a text that is not empty; it is missing.'],
])('%s %j is an error', async (name, args, content) => {
  await using server = await builtIn('calc');
  expect(await server.call(name, args)).toEqual({ content, isError: true });
});

test('materials are found by category and by words', async () => {
  await using server = await builtIn('materials');
  const ids = async (args: JsonObject) =>
    (await server.text('search_materials', args)).match(/M-\d+/g)?.join(' ');
  expect(await ids({})).toBe('M-1001 M-1002 M-1003 M-1004 M-1005');
  expect(await ids({ category: 'Chemicals' })).toBe('M-1001 M-1002 M-1005');
  expect(await ids({ query: 'COPPER' })).toBe('M-1003');
  expect(await ids({ category: 'metals', query: 'acetone' })).toBeUndefined();
  expect(await server.text('search_materials', { category: 'wood' })).toBe(
    'No material found. The categories are: chemicals, metals.',
  );
  expect(await server.text('get_material', { id: 'm-1002' })).toBe(
    '{"id":"M-1002","name":"Sulfuric acid","category":"chemicals","weight_kg":30,"hazard_class":null}',
  );
  expect(await server.call('get_material', { id: 'M-9' })).toEqual({
    content: 'There is no material "M-9". The ids are: M-1001, M-1002, M-1003, M-1004, M-1005.',
    isError: true,
  });
  expect((await server.call('search_materials', { category: 7 })).isError).toBe(true);
});

test('a flag is kept while the server runs', async () => {
  await using server = await builtIn('materials');
  const flag = { id: 'M-1002', reason: 'no hazard class' };
  expect(await server.text('flag_material', flag)).toBe('Flagged M-1002: no hazard class');
  expect(await server.text('get_material', { id: 'M-1002' })).toContain('"flag":"no hazard class"');
  expect((await server.call('flag_material', { id: 'M-1002' })).isError).toBe(true);
  const { tools } = await server.tools();
  expect(tools.find(tool => tool.name === 'flag_material')?.annotations?.destructiveHint).toBe(true);
});
