/** What a server asks of us: declared only where there is a duty, answered by it, and refused with its words. */
import { expect, test, vi } from 'vitest';
import type { HostDuties } from '../../src/mcp/features.ts';
import { openRaw } from './linked.ts';

const sampling = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 20 };

function declared(wire: Awaited<ReturnType<typeof openRaw>>['wire']): unknown {
  return wire.got.find(({ method }) => method === 'initialize')?.params?.capabilities;
}

test.each<[string, HostDuties, object]>([
  ['nothing', {}, {}],
  ['roots', { roots: () => [] }, { roots: { listChanged: true } }],
  ['sampling', { sample: vi.fn() }, { sampling: {} }],
  ['elicitation', { elicit: vi.fn() }, { elicitation: { form: { applyDefaults: true }, url: {} } }],
])('what there is a duty for is declared, and no more: %s', async (_name, duties, capabilities) => {
  const { wire } = await openRaw({}, { duties });
  expect(declared(wire)).toEqual(capabilities);
  const answers = await Promise.all([
    wire.ask('roots/list'),
    wire.ask('sampling/createMessage', { ...sampling, tools: [] }),
    wire.ask('elicitation/create', { message: 'x' }),
  ]);
  const refused = answers.filter(answer => 'error' in answer && answer.error.code === -32601);
  expect(refused).toHaveLength(3 - Object.keys(duties).length);
});

test('roots are those of the moment, and servers are told when they are others', async () => {
  const list = [{ uri: 'file:///a', name: 'a' }];
  const { session, wire } = await openRaw({}, { duties: { roots: () => list } });
  expect(await wire.ask('roots/list')).toMatchObject({
    result: { roots: [{ uri: 'file:///a', name: 'a' }] },
  });
  list.push({ uri: 'file:///b', name: 'b' });
  await session.rootsChanged();
  await vi.waitFor(() => expect(wire.got.at(-1)?.method).toBe('notifications/roots/list_changed'));
  expect(await wire.ask('roots/list')).toMatchObject({ result: { roots: list } });
});

test('a text of the model: parts that are no text are described', async () => {
  const sample = vi.fn(async () => ({ model: 'm', text: 'Hello', stopReason: 'endTurn' }) as const);
  const { wire } = await openRaw({}, { duties: { sample } });
  const answer = await wire.ask('sampling/createMessage', {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        ],
      },
      { role: 'assistant', content: { type: 'text', text: 'I see' } },
    ],
    systemPrompt: 'Be short.',
    maxTokens: 20,
    temperature: 0.5,
    stopSequences: ['END'],
  });
  expect(answer).toMatchObject({
    result: {
      role: 'assistant',
      content: { type: 'text', text: 'Hello' },
      model: 'm',
      stopReason: 'endTurn',
    },
  });
  expect(sample.mock.calls).toEqual([
    [
      {
        server: 'one',
        system: 'Be short.',
        messages: [
          { role: 'user', content: 'Look\n[image: image/png, 3 bytes]' },
          { role: 'assistant', content: 'I see' },
        ],
        maxTokens: 20,
        temperature: 0.5,
        stopSequences: ['END'],
      },
      expect.any(AbortSignal),
    ],
  ]);
});

test('a text that is refused, and one with tools, which are not offered', async () => {
  const sample = vi.fn(async () => {
    throw new Error('not today');
  });
  const { wire } = await openRaw({}, { duties: { sample } });
  expect(await wire.ask('sampling/createMessage', sampling)).toMatchObject({
    error: { code: -1, message: 'not today' },
  });
  expect(await wire.ask('sampling/createMessage', { ...sampling, tools: [] })).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('offers no tools') },
  });
  expect(sample).toHaveBeenCalledOnce();
});

test('a form and a page, and an answer whose defaults are filled in', async () => {
  const elicit = vi.fn(async () => ({ action: 'accept', content: {} }) as const);
  const { wire } = await openRaw({}, { duties: { elicit } });
  const schema = { type: 'object', properties: { n: { type: 'integer', default: 3 } } };
  expect(
    await wire.ask('elicitation/create', { message: 'How many?', requestedSchema: schema }),
  ).toMatchObject({
    result: { action: 'accept', content: { n: 3 } },
  });
  const page = { mode: 'url', message: 'Log in', url: 'https://a.example/', elicitationId: 'e' };
  await wire.ask('elicitation/create', page);
  expect(elicit.mock.calls.map(([request]: unknown[]) => request)).toEqual([
    { server: 'one', mode: 'form', message: 'How many?', schema },
    { server: 'one', mode: 'url', message: 'Log in', url: 'https://a.example/' },
  ]);
});

test('the reason of a refusal stays here', async () => {
  const elicit = async () => ({ action: 'decline', reason: 'private' }) as const;
  const { wire } = await openRaw({}, { duties: { elicit } });
  const asked = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
  expect(await wire.ask('elicitation/create', asked)).toMatchObject({ result: { action: 'decline' } });
  expect(JSON.stringify(wire.got)).not.toContain('private');
});

test('a server that takes its question back ends the waiting', async () => {
  let ended: AbortSignal | undefined;
  const elicit = (_request: unknown, signal: AbortSignal) => {
    ended = signal;
    return new Promise<never>(() => {});
  };
  const { wire } = await openRaw({}, { duties: { elicit } });
  void wire.ask('elicitation/create', {
    message: 'Well?',
    requestedSchema: { type: 'object', properties: {} },
  });
  await vi.waitFor(() => expect(ended).toBeDefined());
  wire.notify('notifications/cancelled', { requestId: 'asked-1', reason: 'never mind' });
  await vi.waitFor(() => expect(ended?.aborted).toBe(true));
});
