// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholder is what a message shows.
/** Servers over HTTP: sessions, streams and refusals, against servers that do what a library would not. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { connectHttp } from '../../src/mcp/http.ts';
import type { HttpServer } from '../../src/mcp/servers.ts';
import { readySet } from './helpers.ts';
import { type Exchange, event, json, listening, result, serve, usual } from './http-server.ts';

const names = (host: { readonly tools: readonly { readonly name: string }[] }) =>
  host.tools.map(({ name }) => name);

async function reasonOf(server: HttpServer, options = {}): Promise<string> {
  await using host = await readySet([server], { startTimeout: 20_000, ...options });
  expect(host.servers[0]?.state).toBe('failed');
  return host.servers[0]?.reason ?? '';
}

describe('sessions', () => {
  test('headers go with every request, and the session is ended at the end', async () => {
    const heard: unknown[] = [];
    await using web = await listening(exchange => {
      const { authorization, 'x-key': key, 'mcp-session-id': session } = exchange.request.headers;
      heard.push([authorization, key, session, exchange.request.url]);
      serve(exchange, { 'mcp-session-id': 's1' });
    });
    const url = new URL('/mcp?key=k1', web.origin);
    url.username = 'me';
    url.password = 'p%40ss';
    const host = await readySet([{ ...web.server, url: url.href, headers: { 'X-Key': 'k2' } }]);
    expect(await host.call('work', {})).toEqual({ content: 'work done', isError: false });
    await host.close();
    const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
    expect(web.seen).toEqual([
      'POST initialize',
      'POST notifications/initialized',
      'GET',
      'POST tools/list',
      'POST tools/call',
      'DELETE',
    ]);
    expect(heard[0]).toEqual([basic, 'k2', undefined, '/mcp?key=k1']);
    expect(new Set(heard.slice(1).map(String))).toEqual(new Set([`${basic},k2,s1,/mcp?key=k1`]));
  });

  test.each([
    [404, ''],
    [400, 'Bad Request: No valid session ID provided'],
  ])(
    'one that the server forgot (%i) is opened anew, once, and the calls are repeated',
    async (status, message) => {
      let session = 0;
      let tools = ['work'];
      await using web = await listening(exchange => {
        const { message: asked, request } = exchange;
        if (asked.method === 'initialize') {
          session++;
          return serve(exchange, { 'mcp-session-id': `s${session}` });
        }
        if (request.headers['mcp-session-id'] !== `s${session}`)
          return json(exchange, { error: { code: -32000, message } }, {}, status);
        if (asked.method === 'tools/list')
          return json(exchange, {
            result: { tools: tools.map(name => ({ name, inputSchema: { type: 'object' } })) },
          });
        return serve(exchange);
      });
      await using host = await readySet([web.server]);
      // The server begins anew: nothing it knew is left.
      session++;
      tools = ['work', 'more'];
      const results = await Promise.all([1, 2, 3].map(() => host.call('work', {})));
      expect(results.map(({ content }) => content)).toEqual(['work done', 'work done', 'work done']);
      expect(web.seen.filter(one => one === 'POST initialize')).toHaveLength(2);
      await vi.waitFor(() => expect(names(host)).toEqual(['work', 'more']), { timeout: 10_000 });
    },
  );

  test('what a server was told before it forgot its session is told again', async () => {
    let session = 0;
    const told: string[] = [];
    await using web = await listening(exchange => {
      const { message: asked, request } = exchange;
      if (asked.method === 'initialize') {
        session++;
        const capabilities = { tools: {}, logging: {}, resources: { subscribe: true } };
        const result = { ...(usual(asked) as object), capabilities };
        return json(exchange, { result }, { 'mcp-session-id': `s${session}` });
      }
      if (request.headers['mcp-session-id'] !== `s${session}`)
        return json(exchange, { error: { code: -32000, message: '' } }, {}, 404);
      if (asked.method === 'logging/setLevel' || asked.method === 'resources/subscribe') {
        told.push(asked.method);
        return json(exchange, { result: {} });
      }
      return serve(exchange);
    });
    await using host = await readySet([web.server], { onLog: () => {} });
    await host.features('web')!.subscribe('note://a');
    session++;
    expect(await host.call('work', {})).toMatchObject({ isError: false });
    const all = ['logging/setLevel', 'logging/setLevel', 'resources/subscribe', 'resources/subscribe'];
    await vi.waitFor(() => expect(told.sort()).toEqual(all), { timeout: 10_000 });
  });

  test('one that is forgotten again and again is an error, and not a loop', async () => {
    let started = false;
    await using web = await listening(exchange => {
      if (started && exchange.message.method === 'tools/call') exchange.response.writeHead(404).end();
      else serve(exchange, { 'mcp-session-id': 's' });
    });
    await using host = await readySet([web.server]);
    started = true;
    expect(await host.call('work', {})).toMatchObject({
      isError: true,
      content: expect.stringContaining('404'),
    });
    expect(web.seen.filter(one => one === 'POST initialize')).toHaveLength(2);
  });

  test('a server that is gone is a failure that says so, and is reached again when it is back', async () => {
    const first = await listening(exchange => serve(exchange));
    await using host = await readySet([first.server]);
    await first[Symbol.asyncDispose]();
    // Its end has to come over the network.
    await sleep(100);
    const gone = await host.call('work', {});
    expect(gone).toMatchObject({
      isError: true,
      content: expect.stringContaining('nothing listens at http://127.0.0.1:'),
    });
    expect(host.servers[0]).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('Start the server'),
    });
    expect(await host.call('work', {})).toMatchObject({
      isError: true,
      content: expect.stringMatching(/^The server "web" is not running: nothing listens/),
    });
  });
});

describe('streams', () => {
  /** Answers calls over streams of the test's own. */
  const streaming = (call: (exchange: Exchange) => void, resume: (exchange: Exchange) => void = serve) =>
    listening(exchange => {
      if (exchange.message.method === 'tools/call') {
        exchange.response.writeHead(200, { 'content-type': 'text/event-stream' });
        call(exchange);
      } else if (exchange.request.headers['last-event-id'] !== undefined) resume(exchange);
      else serve(exchange);
    });
  const answer = (id: unknown, text: string) => ({ jsonrpc: '2.0', id, result: result(text) });

  test('one that is cut is resumed where it was, when the server says', async () => {
    let asked: Exchange['message'] = {};
    const resumed: unknown[] = [];
    await using web = await streaming(
      ({ response, message }) => {
        asked = message;
        response.write('retry: 10\n');
        response.write(event(undefined, 'e1'));
        setTimeout(() => response.destroy(), 20);
      },
      ({ request, response }) => {
        resumed.push(request.headers['last-event-id']);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(event(answer(asked.id, 'after all'), 'e2'));
      },
    );
    await using host = await readySet([web.server]);
    expect(await host.call('work', {})).toEqual({ content: 'after all', isError: false });
    expect(resumed).toEqual(['e1']);
  });

  test.each(['ends', 'is cut'])(
    'one that %s without an answer, and cannot be resumed, ends the call',
    async how => {
      await using web = await streaming(({ response }) => {
        response.write(': nothing yet\n\n');
        setTimeout(() => (how === 'ends' ? response.end() : response.destroy()), 20);
      });
      await using host = await readySet([web.server], { callTimeout: 50_000 });
      expect(await host.call('work', {})).toEqual({
        content: 'The connection was cut before the answer came. There is no result.',
        isError: true,
      });
    },
  );

  test('one that can never be resumed ends the call after some attempts', async () => {
    await using web = await streaming(
      ({ response }) => response.end(`retry: 5\n${event(undefined, 'e1')}`),
      ({ response }) => response.writeHead(503).end(),
    );
    await using host = await readySet([web.server], { callTimeout: 50_000 });
    expect(await host.call('work', {})).toMatchObject({ content: expect.stringContaining('was cut') });
    // The one stream of the session itself, and the attempts.
    expect(web.seen.filter(one => one === 'GET')).toHaveLength(1 + 5);
  });

  test('an error is an answer as well: its stream is not resumed', async () => {
    await using web = await streaming(({ response, message }) => {
      const error = { jsonrpc: '2.0', id: message.id, error: { code: -32603, message: 'The disk is full.' } };
      response.end(`retry: 5\n${event(undefined, 'e1')}${event(error, 'e2')}`);
    });
    await using host = await readySet([web.server]);
    expect(await host.call('work', {})).toEqual({ content: 'The disk is full.', isError: true });
    await host.call('work', {});
    expect(web.seen.filter(one => one === 'GET')).toHaveLength(1);
  });

  test('notices come over the stream of the session', async () => {
    let tools = ['work'];
    let notify = () => {};
    await using web = await listening(exchange => {
      const { method, message, response } = exchange;
      if (method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        notify = () => response.write(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
      } else if (message.method === 'tools/list')
        json(exchange, { result: { tools: tools.map(name => ({ name, inputSchema: { type: 'object' } })) } });
      else serve(exchange);
    });
    await using host = await readySet([web.server]);
    tools = ['work', 'more'];
    await vi.waitFor(() => {
      notify();
      expect(names(host)).toEqual(['work', 'more']);
    });
  });

  test('a message without end is bounded', async () => {
    await using web = await streaming(({ response }) => {
      const chunk = 'x'.repeat(1024 * 1024);
      response.write('data: ');
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    await using host = await readySet([web.server]);
    expect(await host.call('work', {})).toEqual({
      content: 'The answer is larger than 64 MB. There is no result.',
      isError: true,
    });
  });
});

describe('a list whose second page fails', () => {
  test.each([
    ['by HTTP', (exchange: Exchange) => exchange.response.writeHead(500).end('out of memory')],
    [
      'by the protocol',
      (exchange: Exchange) => json(exchange, { error: { code: -32603, message: 'out of memory' } }),
    ],
  ])('%s keeps what came and is told', async (_how, fail) => {
    await using web = await listening(exchange => {
      const { method, params } = exchange.message;
      if (method !== 'tools/list') serve(exchange);
      else if (params?.cursor === undefined)
        json(exchange, {
          result: { tools: [{ name: 'a', inputSchema: { type: 'object' } }], nextCursor: '2' },
        });
      else fail(exchange);
    });
    await using host = await readySet([web.server]);
    expect(names(host)).toEqual(['a']);
    expect(host.servers[0]).toMatchObject({
      state: 'ready',
      warnings: [{ warning: 'list_incomplete', message: expect.stringMatching(/page 2 .*out of memory/) }],
    });
  });
});

describe('refusals say what to do', () => {
  const refusing = (status: number, body: string, headers = {}) =>
    listening(({ response }) => response.writeHead(status, headers).end(body));

  test.each([
    [
      403,
      '{"error": "no such right"}',
      'refuses access (403). Check what the login may do, or log in anew: rawcall mcp login web. It says: no such right',
    ],
    [
      404,
      '<html>Not found</html>',
      'has no MCP endpoint, neither of Streamable HTTP nor of the older SSE (404). Correct its "url": the path often ends in /mcp.',
    ],
    [
      405,
      '',
      'has no MCP endpoint, neither of Streamable HTTP nor of the older SSE (405). Correct its "url": the path often ends in /mcp.',
    ],
    [429, '', 'takes no more requests for now (429). Try again later.'],
    [
      500,
      '{"error": {"message": "disk\\nfull"}}',
      "failed (500). The fault is the server's: try again later, or look into its log. It says: disk full",
    ],
    [
      503,
      '<!doctype html><p>Down</p>',
      "failed (503). The fault is the server's: try again later, or look into its log.",
    ],
    [418, 'short and stout', 'refused the request (418). It says: short and stout'],
  ])('%i %s', async (status, body, words) => {
    await using web = await refusing(status, body);
    expect(await reasonOf(web.server)).toBe(`${web.server.url} ${words}`);
  });

  test('a login that is missing, and a key that is not accepted', async () => {
    await using web = await refusing(401, 'no');
    expect(await reasonOf(web.server)).toContain('rawcall mcp login web');
    expect(await reasonOf({ ...web.server, headers: { Authorization: 'Bearer old' } })).toBe(
      `${web.server.url} does not accept the "Authorization" header of its config (401). ` +
        'Renew it, or take it out and run: rawcall mcp login web. It says: no',
    );
    const events = { onToolsChanged() {}, onClosed() {} };
    const bare = connectHttp(web.server, events, { startTimeout: 20_000 });
    await expect(bare.open()).rejects.toMatchObject({
      code: 'mcp_server_failed',
      message: `${web.server.url} asks for a login (401). Run: rawcall mcp login web. It says: no`,
    });
  });

  test('a web page instead of the protocol', async () => {
    await using web = await refusing(200, '<html></html>', { 'content-type': 'text/html; charset=utf-8' });
    expect(await reasonOf(web.server)).toBe(
      `${web.server.url} sent a web page instead of the protocol. Correct its "url": the path often ends in /mcp.`,
    );
  });

  test('JSON of something else', async () => {
    await using web = await refusing(200, '{"hello": 1}', { 'content-type': 'application/json' });
    expect(await reasonOf(web.server)).toContain('is not in the form of the protocol');
    await using broken = await refusing(200, '{"hello"', { 'content-type': 'application/json' });
    expect(await reasonOf(broken.server)).toContain('is not in the form of the protocol');
  });

  test('no answer at all', async () => {
    await using web = await listening(() => {});
    expect(await reasonOf(web.server, { startLimit: 1500 })).toBe(
      `${web.server.url} gave no answer in time, so it may be no MCP server. Check its "url".`,
    );
    await using closing = await listening(({ request }) => request.socket.destroy());
    expect(await reasonOf(closing.server)).toContain('closed the connection without an answer');
  });

  test('nobody listens, and no such host', async () => {
    const web = await listening(() => {});
    await web[Symbol.asyncDispose]();
    expect(await reasonOf(web.server)).toBe(
      `nothing listens at ${web.server.url}. Start the server, or correct its "url".`,
    );
    expect(await reasonOf({ ...web.server, transport: 'sse' })).toContain('nothing listens');
    expect(await reasonOf({ name: 'a', url: 'http://127.0.0.1:1/mcp', headers: {} })).toBe(
      'http://127.0.0.1:1/mcp has a port that no web client uses. Let the server listen at another one.',
    );
    expect(await reasonOf({ name: 'a', url: 'http://no-such-host.invalid/mcp', headers: {} })).toMatch(
      /^the host no-such-host\.invalid was not found \((ENOTFOUND|EAI_AGAIN)\)\. Correct its "url"/,
    );
  });

  test('plain HTTP where TLS was asked for', async () => {
    await using web = await listening(exchange => serve(exchange));
    const url = web.server.url.replace('http:', 'https:');
    expect(await reasonOf({ ...web.server, url })).toContain('does not speak TLS');
  });

  test('an address that is none, and a header that cannot be sent', async () => {
    expect(await reasonOf({ name: 'a', url: 'example.com', headers: {} })).toContain(
      'its "url" is no address',
    );
    expect(await reasonOf({ name: 'a', url: 'http://a.b', headers: { K: 'x\ny' } })).toBe(
      'its "headers.K" has characters that no header can hold.',
    );
  });

  test('of a call: the model reads them, and the server stays', async () => {
    let broken = true;
    await using web = await listening(exchange => {
      if (exchange.message.method === 'tools/call' && broken) exchange.response.writeHead(500).end('oops');
      else serve(exchange);
    });
    await using host = await readySet([web.server]);
    expect(await host.call('work', {})).toMatchObject({
      isError: true,
      content: expect.stringMatching(/failed \(500\).*It says: oops$/),
    });
    broken = false;
    expect(await host.call('work', {})).toMatchObject({ content: 'work done' });
  });
});

describe('redirects', () => {
  test('within the server are followed', async () => {
    await using web = await listening(exchange => {
      if (exchange.request.url === '/mcp') exchange.response.writeHead(308, { location: '/mcp/' }).end();
      else serve(exchange);
    });
    await using host = await readySet([web.server]);
    expect(names(host)).toEqual(['work']);
  });

  test('to another server are not: its headers are for this one alone', async () => {
    await using other = await listening(exchange => serve(exchange));
    await using web = await listening(({ response }) =>
      response.writeHead(307, { location: `${other.origin}/mcp?key=hunter2` }).end(),
    );
    const reason = await reasonOf({ ...web.server, headers: { Authorization: 'Bearer hunter2' } });
    expect(reason).toContain(`redirects elsewhere (307), which is not followed.`);
    expect(reason).toContain(`${other.origin}/mcp`);
    expect(reason).not.toContain('hunter2');
    expect(other.seen).toEqual([]);
  });
});

test('no secret of a config is in a message, not even where the server repeats it', async () => {
  const secrets = ['hunter2', 'swordfish', 'passw0rd', 'a-key-in-the-path-that-is-long'];
  for (const status of [401, 403, 404, 500, 418]) {
    await using web = await listening(({ request, response }) => {
      const { authorization, 'x-key': key } = request.headers;
      response.writeHead(status).end(`no: ${authorization} ${key} ${request.url}`);
    });
    const url = new URL(`/${secrets[3]}/mcp?token=passw0rd`, web.origin);
    url.username = 'user';
    url.password = 'swordfish';
    const server = {
      ...web.server,
      url: url.href,
      headers: { Authorization: 'Bearer hunter2', 'X-Key': 'hunter2' },
      variables: { TOKEN: 'hunter2' },
    };
    const reason = await reasonOf(server);
    for (const secret of [...secrets, Buffer.from('user:swordfish').toString('base64')])
      expect(reason).not.toContain(secret);
    if (status === 401) expect(reason).toContain('does not accept the "Authorization" header of its config');
    if (status === 418) expect(reason).toContain('${TOKEN}');
  }
});

test('a server that is slow to answer holds nobody up', async () => {
  let answerNow = () => {};
  const waited = new Promise<void>(resolve => {
    answerNow = resolve;
  });
  await using web = await listening(async exchange => {
    await waited;
    serve(exchange);
  });
  await using host = await readySet([web.server], { startTimeout: 200 });
  expect(host.servers[0]?.state).toBe('starting');
  answerNow();
  await vi.waitFor(() => expect(names(host)).toEqual(['work']), { timeout: 10_000 });
  expect(usual({ method: 'tools/list' })).toHaveProperty('tools');
});
