/** What a server may ask and tell, with npm's server-everything over stdio. */
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import type { HostDuties, Root } from '../../src/mcp/features.ts';
import type { HostOptions } from '../../src/mcp/host.ts';
import { readySet } from './helpers.ts';

const entry = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

function everything(options: HostOptions = {}, more: object = {}) {
  return readySet([{ name: 'every', command: process.execPath, args: [entry], env: {}, ...more }], options);
}

const text = (result: { content: string }) => result.content;

test('pictures are attachments, what is for the user is not for the model, and data is told once', async () => {
  await using host = await everything();
  const image = await host.call('get_tiny_image', {});
  expect(image.content).toMatch(/\[image: image\/png, \d+ bytes\]/);
  expect(image.content).not.toContain('iVBOR');
  expect(image.attachments).toEqual([{ mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) }]);

  const success = await host.call('get_annotated_message', { messageType: 'success', includeImage: true });
  expect(success).toMatchObject({
    content: '[The result was shown to the user.]',
    forUser: expect.stringMatching(/^Operation completed successfully\n\[image/),
    attachments: [{ mimeType: 'image/png' }],
  });
  expect(text(await host.call('get_annotated_message', { messageType: 'debug' }))).toMatch(/^Debug: /);

  expect(await host.call('get_structured_content', { location: 'Chicago' })).toEqual({
    content: '{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}',
    isError: false,
  });
});

test('a long operation tells of its progress, and a call that was given up is over', async () => {
  await using host = await everything();
  const onProgress = vi.fn();
  const done = await host.call('trigger_long_running_operation', { duration: 0.6, steps: 3 }, { onProgress });
  expect(done.content).toContain('completed');
  expect(onProgress.mock.calls.flat().map(({ progress, total }) => [progress, total])).toEqual(
    expect.arrayContaining([
      [1, 3],
      [2, 3],
    ]),
  );
  const controller = new AbortController();
  const call = host.call('trigger_long_running_operation', { duration: 60 }, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error('enough')), 100);
  await expect(call).rejects.toThrow('enough');
});

test('a tool that runs as a task, and asks in its midst', async () => {
  const elicit: HostDuties['elicit'] = async request => {
    expect(request).toMatchObject({ server: 'every', mode: 'form' });
    return { action: 'accept', content: { interpretation: 'snake' } };
  };
  await using host = await everything({ duties: { elicit } });
  const onProgress = vi.fn();
  const args = { topic: 'python', ambiguous: true };
  const report = await host.call('simulate_research_query', args, { onProgress });
  expect(report.content).toContain('# Research Report: python (snake)');
  expect(onProgress.mock.calls.flat().map(({ message }) => message)).toContain('Gathering sources...');
});

test('roots of the run, and those of a server’s own entry', async () => {
  const roots: Root[] = [{ uri: 'file:///a', name: 'a' }];
  await using host = await everything({ duties: { roots: () => roots } });
  await vi.waitFor(async () => expect(text(await host.call('get_roots_list', {}))).toContain('file:///a'));
  roots.push({ uri: 'file:///b' });
  await host.rootsChanged();
  await vi.waitFor(async () => expect(text(await host.call('get_roots_list', {}))).toContain('file:///b'));

  await using own = await everything({}, { roots: ['/home/someone/project'] });
  await vi.waitFor(async () =>
    expect(text(await own.call('get_roots_list', {}))).toContain('file:///home/someone/project'),
  );
});

test('what is asked of the model and of the user reaches them, and what is not offered is not there', async () => {
  const sample = vi.fn(async () => ({ model: 'm', text: 'Hello there', stopReason: 'endTurn' }) as const);
  const elicit = vi.fn(async () => ({ action: 'accept', content: { name: 'Ada', check: true } }) as const);
  await using host = await everything({ duties: { sample, elicit } });
  expect(text(await host.call('trigger_sampling_request', { prompt: 'Hi', maxTokens: 9 }))).toContain(
    'Hello there',
  );
  expect(sample.mock.calls.flat()[0]).toMatchObject({
    server: 'every',
    system: 'You are a helpful test server.',
    messages: [{ role: 'user', content: expect.stringContaining('Hi') }],
    maxTokens: 9,
    temperature: 0.7,
  });
  const form = text(await host.call('trigger_elicitation_request', {}));
  expect(form).toContain('Name: Ada');
  // Not of the answer: the server's default.
  expect(form).toContain('Favorite Integer: 42');
  expect(text(await host.call('trigger_url_elicitation', { url: 'https://a.example/x' }))).toContain(
    'accept',
  );
  expect(elicit.mock.calls.flat()).toContainEqual(
    expect.objectContaining({ mode: 'url', url: 'https://a.example/x' }),
  );

  await using bare = await everything();
  const names = bare.tools.map(({ name }) => name);
  expect(names).toContain('echo');
  expect(names.filter(name => /sampling|elicitation|roots/.test(name))).toEqual([]);
});

test('logs come, from the level that was asked for', async () => {
  const onLog = vi.fn();
  await using host = await everything({ onLog, logLevel: 'debug', duties: { roots: () => [] } });
  expect(host.servers[0]?.info).toMatchObject({ capabilities: expect.arrayContaining(['logging', 'tasks']) });
  await vi.waitFor(() => expect(onLog).toHaveBeenCalled(), 10_000);
  expect(onLog.mock.calls.flat()[0]).toMatchObject({ server: 'every', text: expect.stringMatching(/root/i) });
});

test('a subscription tells of changes', async () => {
  const onResourceUpdated = vi.fn();
  await using host = await everything({ onResourceUpdated });
  const features = host.features('every')!;
  const { resources, templates } = await features.resources();
  expect(resources.length).toBeGreaterThan(0);
  expect(templates.length).toBeGreaterThan(0);
  const { uri } = resources[0]!;
  await features.subscribe(uri);
  await host.call('toggle_subscriber_updates', {});
  await vi.waitFor(() => expect(onResourceUpdated).toHaveBeenCalledWith('every', uri), 20_000);
});
