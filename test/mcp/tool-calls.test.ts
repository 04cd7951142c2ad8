/** Results that are checked, calls that run as tasks, and the limits in time. */
import { describe, expect, test, vi } from 'vitest';
import { openRaw } from './linked.ts';

const anyInput = { type: 'object' };
const text = (words: string, more: object = {}) => ({ content: [{ type: 'text', text: words }], ...more });

async function withTool(tool: object, result: unknown) {
  const opened = await openRaw({
    'tools/list': () => ({ tools: [{ name: 'work', inputSchema: anyInput, ...tool }] }),
    'tools/call': () => result,
  });
  return { ...opened, listing: await opened.session.tools() };
}

describe('structured output', () => {
  const outputSchema = {
    type: 'object',
    properties: {
      total: { type: 'integer' },
      pair: { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    },
    required: ['total'],
    additionalProperties: false,
  };

  test.each<[string, object, readonly string[]]>([
    ['fits', { structuredContent: { total: 1 } }, []],
    ['fits as a tuple of 2020-12', { structuredContent: { total: 1, pair: ['a', 2] } }, []],
    [
      'does not fit',
      { structuredContent: { total: 'one', more: 1 } },
      [
        'The structured content breaks the output schema: more is not in the schema; total must be an integer.',
      ],
    ],
    [
      'is no object',
      { structuredContent: 7 },
      ['The structured content breaks the output schema: the structured content must be an object.'],
    ],
    ['is missing', {}, ['The tool has an output schema and gave no structured content.']],
    ['is missing in an error', { isError: true }, []],
  ])('that %s', async (_name, more, warnings) => {
    const { session } = await withTool({ outputSchema }, text('told', more));
    const result = await session.call('work', {});
    expect(result.content).toMatch(/^told/);
    expect(result.warnings ?? []).toEqual(warnings);
  });

  test('a schema that cannot be used hides nothing, and is told once', async () => {
    const remote = { type: 'object', properties: { r: { $ref: 'http://example.invalid/n.json' } } };
    const { session, listing } = await withTool(
      { outputSchema: remote },
      text('2', { structuredContent: { r: 2 } }),
    );
    expect(listing.tools.map(({ name }) => name)).toEqual(['work']);
    expect(await session.call('work', {})).toEqual({
      content: '2',
      isError: false,
      warnings: [
        expect.stringMatching(
          /^The output schema cannot be used \(.*example\.invalid.*\); results are not checked\.$/,
        ),
      ],
    });
    expect(await session.call('work', {})).toEqual({ content: '2', isError: false });
  });

  test('a pattern made to hang does not', async () => {
    const hangs = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } };
    const { session } = await withTool(
      { outputSchema: hangs },
      text('told', { structuredContent: { name: `${'a'.repeat(40)}!` } }),
    );
    expect((await session.call('work', {})).warnings).toEqual([
      'The structured content was not checked: the patterns of the output schema take too long.',
    ]);
  });

  test('a schema of a page before the last one holds too', async () => {
    const { session } = await openRaw({
      'tools/list': ({ cursor }) =>
        cursor === undefined
          ? { tools: [{ name: 'work', inputSchema: anyInput, outputSchema }], nextCursor: 'b' }
          : { tools: [{ name: 'other', inputSchema: anyInput }] },
      'tools/call': () => text('told', { structuredContent: {} }),
    });
    await session.tools();
    expect((await session.call('work', {})).warnings).toEqual([expect.stringContaining('total is required')]);
  });
});

test('a page that cannot be had leaves the tools of the others, and that is told', async () => {
  const { session } = await openRaw({
    'tools/list': ({ cursor }) => {
      if (cursor !== undefined) throw new Error('the disk is full');
      return { tools: [{ name: 'work', inputSchema: anyInput }], nextCursor: 'b' };
    },
  });
  const { tools, incomplete } = await session.tools();
  expect(tools.map(({ name }) => name)).toEqual(['work']);
  expect(incomplete).toMatch(/^page 2 of the list could not be had\. .*disk is full$/);
});

describe('tasks', () => {
  const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } };
  const tools = () => ({
    tools: [
      { name: 'work', inputSchema: anyInput, execution: { taskSupport: 'required' } },
      { name: 'quick', inputSchema: anyInput, execution: { taskSupport: 'optional' } },
    ],
  });
  const ticket = (status: string, more: object = {}) => ({ taskId: 't1', status, pollInterval: 50, ...more });

  test('a tool that must run as one does, its status is told, and its result is the call’s', async () => {
    const states = [
      ticket('working', { statusMessage: 'looking' }),
      ticket('working', { statusMessage: 'looking' }),
      ticket('working', { statusMessage: 'writing' }),
      ticket('completed', { statusMessage: 'done' }),
    ];
    const { session, wire } = await openRaw(
      {
        'tools/list': tools,
        'tools/call': ({ task }) => (task ? { task: ticket('working') } : text('at once')),
        'tasks/get': () => states.shift(),
        'tasks/result': () => text('the report'),
      },
      { capabilities },
    );
    const listing = await session.tools();
    expect(listing.tools.map(({ name }) => name)).toEqual(['work', 'quick']);
    expect(listing.problems).toEqual([]);
    const onProgress = vi.fn();
    expect(await session.call('work', { topic: 'x' }, { onProgress })).toEqual({
      content: 'the report',
      isError: false,
    });
    expect(onProgress.mock.calls.flat()).toEqual([
      { progress: 0, message: 'looking' },
      { progress: 0, message: 'writing' },
    ]);
    expect(wire.got.find(({ method }) => method === 'tools/call')?.params).toMatchObject({
      name: 'work',
      arguments: { topic: 'x' },
      task: {},
    });
    expect((await session.call('quick', {})).content).toBe('at once');
  });

  test.each<[string, object, string]>([
    ['failed', { 'tasks/result': () => text('no such topic') }, 'no such topic'],
    ['failed', {}, 'The task failed: out of paper'],
    ['cancelled', {}, 'The server cancelled the task.'],
  ])('one that is %s is an error: %s', async (status, more, content) => {
    const { session } = await openRaw(
      {
        'tools/list': tools,
        'tools/call': () => ({ task: ticket(status, { statusMessage: 'out of paper' }) }),
        ...more,
      },
      { capabilities },
    );
    await session.tools();
    expect(await session.call('work', {})).toEqual({ content, isError: true });
  });

  test('one that needs an answer is asked for its result, which brings the question', async () => {
    let status = 'input_required';
    const elicit = vi.fn(async () => ({ action: 'accept', content: { city: 'Ulm' } }) as const);
    const { session } = await openRaw(
      {
        'tools/list': tools,
        'tools/call': () => ({ task: ticket(status) }),
        'tasks/get': () => ticket(status),
        'tasks/result': async (_params, wire) => {
          const schema = { type: 'object', properties: { city: { type: 'string' } } };
          const answer = await wire.ask('elicitation/create', { message: 'Where?', requestedSchema: schema });
          status = 'completed';
          return text(JSON.stringify('result' in answer && answer.result));
        },
      },
      { capabilities, duties: { elicit } },
    );
    await session.tools();
    expect((await session.call('work', {})).content).toBe('{"action":"accept","content":{"city":"Ulm"}}');
    expect(elicit).toHaveBeenCalledOnce();
  });

  test('an abort cancels the task at the server', async () => {
    const { session, wire } = await openRaw(
      {
        'tools/list': tools,
        'tools/call': () => ({ task: ticket('working') }),
        'tasks/get': () => ticket('working'),
        'tasks/cancel': () => ticket('cancelled'),
      },
      { capabilities },
    );
    await session.tools();
    const controller = new AbortController();
    const call = session.call('work', {}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 200);
    await expect(call).rejects.toThrow('enough');
    await vi.waitFor(() =>
      expect(wire.got.at(-1)).toEqual({ method: 'tasks/cancel', params: { taskId: 't1' } }),
    );
  });

  test('a server that runs no tasks is called plainly, whatever its tool says', async () => {
    const { session, wire } = await openRaw({ 'tools/list': tools, 'tools/call': () => text('plain') });
    await session.tools();
    expect((await session.call('work', {})).content).toBe('plain');
    expect(wire.got.at(-1)?.params).not.toHaveProperty('task');
  });
});

describe('time', () => {
  const until = (check: () => boolean) => vi.waitFor(() => expect(check()).toBe(true), 5000);

  test('a call without a sign of life is cancelled at the server', async () => {
    const { session, wire } = await openRaw({ 'tools/call': () => undefined });
    expect(await session.call('work', {}, { timeout: 100 })).toEqual({
      content: 'The tool gave no result within 0.1 s and was cancelled.',
      isError: true,
    });
    await until(() => wire.got.at(-1)?.method === 'notifications/cancelled');
  });

  test('progress keeps a call alive, but not for ever', async () => {
    const { session } = await openRaw({
      'tools/call': ({ _meta }, wire) => {
        const { progressToken } = _meta as { progressToken: unknown };
        let progress = 0;
        const news = setInterval(() => {
          wire.notify('notifications/progress', { progressToken, progress: ++progress });
          if (progress === 200) clearInterval(news);
        }, 30);
      },
    });
    const onProgress = vi.fn();
    expect(await session.call('work', {}, { timeout: 100, onProgress })).toEqual({
      content: 'The tool gave no result within 3 s and was cancelled.',
      isError: true,
    });
    expect(onProgress.mock.calls.length).toBeGreaterThan(10);
  });

  test('while the server waits for the user, the call loses no time', async () => {
    const elicit = async () => {
      await new Promise(resolve => setTimeout(resolve, 600));
      return { action: 'cancel' } as const;
    };
    const { session } = await openRaw(
      {
        'tools/call': async (_params, wire) => {
          const schema = { type: 'object', properties: {} };
          const answer = await wire.ask('elicitation/create', { message: 'Well?', requestedSchema: schema });
          return text(JSON.stringify('result' in answer && answer.result));
        },
      },
      { duties: { elicit } },
    );
    expect((await session.call('work', {}, { timeout: 200 })).content).toBe('{"action":"cancel"}');
  });
});

describe('a tool that needs the user on a page', () => {
  const required = Object.assign(new Error('Please log in.'), {
    code: -32042,
    data: {
      elicitations: [{ mode: 'url', elicitationId: 'e', url: 'https://a.example/login', message: 'Log in' }],
    },
  });

  test.each(['accept', 'decline'] as const)('%s', async action => {
    const called = vi
      .fn((): unknown => text('welcome'))
      .mockImplementationOnce(() => {
        throw required;
      });
    const elicit = vi.fn(async () => ({ action }));
    const { session } = await openRaw({ 'tools/call': called }, { duties: { elicit } });
    expect(await session.call('work', {})).toEqual(
      action === 'accept'
        ? { content: 'welcome', isError: false }
        : { content: 'Please log in. The user did not go there.', isError: true },
    );
    expect(elicit.mock.calls.flat()[0]).toEqual({
      server: 'one',
      mode: 'url',
      message: 'Log in',
      url: 'https://a.example/login',
    });
    expect(called).toHaveBeenCalledTimes(action === 'accept' ? 2 : 1);
  });

  test('nobody to send there', async () => {
    const { session } = await openRaw({
      'tools/call': () => {
        throw required;
      },
    });
    expect(await session.call('work', {})).toEqual({ content: 'Please log in.', isError: true });
  });
});
