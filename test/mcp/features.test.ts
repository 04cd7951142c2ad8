/** What a server offers besides tools, from servers that get some of it wrong. */
import { expect, test, vi } from 'vitest';
import { openRaw } from './linked.ts';

const all = { capabilities: { resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} } };

test('what a server says of itself', async () => {
  const { opened } = await openRaw(
    {
      initialize: () => ({
        protocolVersion: '2025-03-26',
        capabilities: { prompts: {}, tools: {} },
        serverInfo: { name: 'books', version: '3', websiteUrl: 'x' },
        instructions: 'Ask me first.',
      }),
    },
    {},
  );
  expect(opened).toEqual({
    name: 'books',
    version: '3',
    protocolVersion: '2025-03-26',
    instructions: 'Ask me first.',
    capabilities: ['prompts', 'tools'],
  });
});

test('a server without a feature is not asked for it', async () => {
  const { session, wire } = await openRaw({}, { capabilities: {} });
  expect(await session.resources()).toEqual({ resources: [], templates: [] });
  expect(await session.prompts()).toEqual([]);
  expect(await session.complete({ prompt: 'p' }, 'a', '')).toEqual([]);
  await expect(session.subscribe('x:1')).rejects.toMatchObject({
    code: 'mcp_request_failed',
    message: 'The server "one" tells of no changes to its resources.',
  });
  expect(wire.got.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized']);
});

test('every page of the resources, and one that is malformed never loses the others', async () => {
  const pages: Record<string, unknown> = {
    first: {
      resources: [{ uri: 'x:1', name: 'one', size: 3, mimeType: 7 }, null, { name: 'no uri' }],
      nextCursor: 'b',
    },
    b: { resources: [{ uri: 'x:2', title: 'Two', size: -1 }], nextCursor: 'b' },
  };
  const { session } = await openRaw(
    {
      'resources/list': ({ cursor }) => pages[String(cursor ?? 'first')],
      'resources/templates/list': () => ({
        resourceTemplates: [7, { uriTemplate: 'x:{id}', description: 'any' }],
      }),
    },
    all,
  );
  expect(await session.resources()).toEqual({
    resources: [
      { uri: 'x:1', name: 'one', size: 3 },
      { uri: 'x:2', name: 'x:2', title: 'Two' },
    ],
    templates: [{ uriTemplate: 'x:{id}', name: 'x:{id}', description: 'any' }],
  });
});

test('templates are optional; a list that breaks off is an error', async () => {
  const list = vi.fn((): unknown => ({ resources: [{ uri: 'x:1', name: 'one' }] }));
  const { session } = await openRaw({ 'resources/list': list }, all);
  expect(await session.resources()).toEqual({ resources: [{ uri: 'x:1', name: 'one' }], templates: [] });
  list.mockReturnValueOnce({ resources: [], nextCursor: 'b' }).mockImplementationOnce(() => {
    throw new Error('the disk is full');
  });
  await expect(session.resources()).rejects.toThrow(
    'The server "one" gave only a part of its resources: page 2 of the list could not be had. ' +
      'The server "one" did not answer resources/list: the disk is full',
  );
  list.mockReturnValueOnce({ resources: 'none' });
  await expect(session.resources()).rejects.toThrow('answered resources/list without a list of resources');
});

test('a resource is read: text and bytes, and a refusal names the server', async () => {
  const { session } = await openRaw(
    {
      'resources/read': ({ uri }) => {
        if (uri !== 'x:1') throw Object.assign(new Error('Resource not found'), { code: -32002 });
        return {
          contents: [{ uri: 'x:1/a', mimeType: 'text/plain', text: 'hello' }, 'no', { blob: 'AAAA' }],
        };
      },
    },
    all,
  );
  expect(await session.readResource('x:1')).toEqual([
    { uri: 'x:1/a', mimeType: 'text/plain', text: 'hello' },
    { uri: 'x:1', blob: 'AAAA' },
  ]);
  await expect(session.readResource('x:9')).rejects.toMatchObject({
    code: 'mcp_request_failed',
    message: 'The server "one" did not answer resources/read: Resource not found',
    details: { server: 'one', method: 'resources/read', code: -32002 },
  });
});

test('prompts with their arguments, and as messages of text', async () => {
  const { session, wire } = await openRaw(
    {
      'prompts/list': () => ({
        prompts: [
          { name: 'plain' },
          { title: 'no name' },
          { name: 'full', description: 'd', arguments: [{ name: 'a', required: true }, { name: 'b' }, 3] },
        ],
      }),
      'prompts/get': () => ({
        messages: [
          { role: 'user', content: { type: 'text', text: 'Look:' } },
          { role: 'assistant', content: { type: 'image', mimeType: 'image/png', data: 'AAAA' } },
          {
            role: 'wizard',
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          },
        ],
      }),
    },
    all,
  );
  expect(await session.prompts()).toEqual([
    { name: 'plain', arguments: [] },
    {
      name: 'full',
      description: 'd',
      arguments: [
        { name: 'a', required: true },
        { name: 'b', required: false },
      ],
    },
  ]);
  expect(await session.prompt('full', { a: '1' })).toEqual([
    { role: 'user', content: 'Look:' },
    { role: 'assistant', content: '[image: image/png, 3 bytes]' },
    { role: 'user', content: 'a\nb' },
  ]);
  expect(wire.got.at(-1)).toEqual({ method: 'prompts/get', params: { name: 'full', arguments: { a: '1' } } });
});

test('completions, at most a hundred', async () => {
  const values = [...Array.from({ length: 120 }, (_, index) => `v${index}`), 7];
  const { session, wire } = await openRaw({ 'completion/complete': () => ({ completion: { values } }) }, all);
  expect(await session.complete({ uriTemplate: 'x:{id}' }, 'id', 'v', { other: 'y' })).toHaveLength(100);
  expect(wire.got.at(-1)?.params).toEqual({
    ref: { type: 'ref/resource', uri: 'x:{id}' },
    argument: { name: 'id', value: 'v' },
    context: { arguments: { other: 'y' } },
  });
});

test('changes of a resource are told; logs are asked for and told, whatever is in them', async () => {
  const onResourceUpdated = vi.fn();
  const onLog = vi.fn();
  const { session, wire } = await openRaw(
    { 'resources/subscribe': () => ({}), 'logging/setLevel': () => ({}) },
    { ...all, onResourceUpdated, onLog, logLevel: 'warning' },
  );
  await session.subscribe('x:1');
  expect(wire.got.slice(2)).toEqual([
    { method: 'logging/setLevel', params: { level: 'warning' } },
    { method: 'resources/subscribe', params: { uri: 'x:1' } },
  ]);
  wire.notify('notifications/resources/updated', { uri: 'x:1' });
  wire.notify('notifications/message', { level: 'error', logger: 'db', data: 'away' });
  wire.notify('notifications/message', { level: 'loud', data: { a: [1] } });
  wire.notify('notifications/message');
  await vi.waitFor(() => expect(onLog).toHaveBeenCalledTimes(3));
  expect(onResourceUpdated).toHaveBeenCalledExactlyOnceWith('x:1');
  expect(onLog.mock.calls.flat()).toEqual([
    { server: 'one', level: 'error', logger: 'db', text: 'away' },
    { server: 'one', level: 'info', text: '{"a":[1]}' },
    { server: 'one', level: 'info', text: '' },
  ]);
});

test('nobody who listens to logs: none are asked for', async () => {
  const { session, wire } = await openRaw({ 'prompts/list': () => ({ prompts: [] }) }, all);
  await session.prompts();
  expect(wire.got.map(({ method }) => method)).not.toContain('logging/setLevel');
});

test('an abort rejects with its reason, and the server is told', async () => {
  const { session, wire } = await openRaw({ 'prompts/list': () => undefined }, all);
  const controller = new AbortController();
  const listed = session.prompts(controller.signal);
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await expect(listed).rejects.toThrow('enough');
  await vi.waitFor(() => expect(wire.got.at(-1)?.method).toBe('notifications/cancelled'));
});

test('a list without end is given up', async () => {
  let page = 0;
  const list = () => ({ prompts: [{ name: `p${++page}` }], nextCursor: `after ${page}` });
  const { session } = await openRaw({ 'prompts/list': list }, all);
  await expect(session.prompts()).rejects.toThrow(
    'gave only a part of its prompts: the list has more than 200 pages',
  );
  expect(page).toBe(200);
});
