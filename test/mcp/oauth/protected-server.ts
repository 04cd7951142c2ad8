/**
 * An MCP server that wants a token, and the authorization server that gives it, on one loopback port: real HTTP, real PKCE, codes and
 * refresh tokens that are good once. What differs between tests is set on it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

export interface Behaviour {
  /** `none`: clients are registered by hand alone. */
  registration: 'open' | 'refused' | 'none';
  /** What the user does on the page. */
  user: 'allows' | 'denies';
  /** What the server asks for when nobody is logged in, and for a call of its tool. */
  scope: string | undefined;
  callScope: string | undefined;
  /** The answer to a refresh, where it is not a new token. */
  refresh: 'good' | 'refused' | 'fails' | 'garbage';
  refreshTokens: boolean;
  /** The token endpoint's error for a code. */
  exchange: 'good' | 'refused' | 'garbage';
  revocation: 'good' | 'fails' | 'none';
  metadataDocuments: boolean;
  /** Where the server and its authorization server send a client. */
  authorizationServer: string | undefined;
  authorizationEndpoint: string | undefined;
  /** Clients registered by hand: id and secret. */
  clients: Record<string, string | undefined>;
  /** Of RFC 9207: said in the metadata, and what the answer then says. */
  issuerInAnswer: string | undefined;
  /** The server takes no token, whatever it is. */
  refusesAll: boolean;
}

export interface ProtectedServer extends AsyncDisposable {
  readonly url: string;
  readonly origin: string;
  readonly behaviour: Behaviour;
  /** What was asked of it, one word each: `register`, `authorize`, `code`, `refresh`, `machine`, `revoke`. */
  readonly log: string[];
  /** Every secret that it has given or was sent. */
  readonly secrets: Set<string>;
  readonly registered: readonly Record<string, unknown>[];
  readonly authorizations: readonly URLSearchParams[];
  readonly tokenRequests: readonly URLSearchParams[];
  /** Access tokens that were given stop being good. */
  expire(): void;
  readonly calls: number;
}

interface Code {
  readonly challenge: string;
  readonly client: string;
  readonly redirect: string;
  readonly scope: string;
}

const defaults: Behaviour = {
  registration: 'open',
  user: 'allows',
  scope: undefined,
  callScope: undefined,
  refresh: 'good',
  refreshTokens: true,
  exchange: 'good',
  revocation: 'good',
  metadataDocuments: false,
  authorizationServer: undefined,
  authorizationEndpoint: undefined,
  clients: {},
  issuerInAnswer: undefined,
  refusesAll: false,
};

export async function protectedServer(given: Partial<Behaviour> = {}): Promise<ProtectedServer> {
  const behaviour: Behaviour = { ...defaults, ...given };
  const log: string[] = [];
  const secrets = new Set<string>();
  const registered: Record<string, unknown>[] = [];
  const authorizations: URLSearchParams[] = [];
  const tokenRequests: URLSearchParams[] = [];
  const codes = new Map<string, Code>();
  /** Scopes by token. */
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();
  let calls = 0;

  const secret = (kind: string) => {
    const made = `${kind}-${randomBytes(12).toString('hex')}`;
    secrets.add(made);
    return made;
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin());
    const body = await textOf(request);
    const route = routes[url.pathname];
    if (route) await route(request, response, body, url.searchParams);
    else response.writeHead(404).end();
  }

  const json = (response: ServerResponse, value: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const error = (response: ServerResponse, code: string, description = code) =>
    json(response, { error: code, error_description: description }, code === 'invalid_client' ? 401 : 400);

  type Route = (
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
    query: URLSearchParams,
  ) => unknown;

  const routes: Record<string, Route> = {
    '/mcp': mcp,
    '/.well-known/oauth-protected-resource/mcp': (_request, response) =>
      json(response, {
        resource: `${origin()}/mcp`,
        authorization_servers: [behaviour.authorizationServer ?? origin()],
      }),
    '/.well-known/oauth-authorization-server': (_request, response) =>
      json(response, {
        issuer: origin(),
        authorization_endpoint: behaviour.authorizationEndpoint ?? `${origin()}/authorize`,
        token_endpoint: `${origin()}/token`,
        ...(behaviour.registration === 'none' ? {} : { registration_endpoint: `${origin()}/register` }),
        ...(behaviour.revocation === 'none' ? {} : { revocation_endpoint: `${origin()}/revoke` }),
        ...(behaviour.metadataDocuments ? { client_id_metadata_document_supported: true } : {}),
        ...(behaviour.issuerInAnswer ? { authorization_response_iss_parameter_supported: true } : {}),
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'private_key_jwt'],
      }),
    '/register': register,
    '/authorize': authorize,
    '/token': token,
    '/revoke': revoke,
  };

  function register(_request: IncomingMessage, response: ServerResponse, body: string): unknown {
    log.push('register');
    if (behaviour.registration === 'refused')
      return error(response, 'invalid_client_metadata', 'No \u001b[31mstrangers\nhere');
    const client = { ...JSON.parse(body), client_id: `client-${registered.length + 1}` };
    registered.push(client);
    return json(response, client, 201);
  }

  function knows(client: string | null): client is string {
    if (client === null) return false;
    return (
      registered.some(({ client_id }) => client_id === client) ||
      Object.hasOwn(behaviour.clients, client) ||
      (behaviour.metadataDocuments && client.startsWith('https://'))
    );
  }

  function authorize(
    _r: IncomingMessage,
    response: ServerResponse,
    _b: string,
    query: URLSearchParams,
  ): unknown {
    log.push('authorize');
    authorizations.push(query);
    const client = query.get('client_id');
    const redirect = new URL(query.get('redirect_uri') ?? '');
    const own = registered.find(({ client_id }) => client_id === client)?.redirect_uris;
    if (!knows(client) || (Array.isArray(own) && !own.includes(redirect.href)))
      return response.writeHead(400).end('unknown client');
    if (query.get('code_challenge_method') !== 'S256') return response.writeHead(400).end('no PKCE');
    redirect.searchParams.set('state', query.get('state') ?? '');
    if (behaviour.issuerInAnswer) redirect.searchParams.set('iss', behaviour.issuerInAnswer);
    if (behaviour.user === 'denies') {
      redirect.searchParams.set('error', 'access_denied');
      redirect.searchParams.set('error_description', '<script>alert("no")</script>\u001b[2J');
    } else {
      const code = secret('code');
      redirect.searchParams.set('code', code);
      codes.set(code, {
        challenge: query.get('code_challenge') ?? '',
        client,
        redirect: query.get('redirect_uri') ?? '',
        scope: query.get('scope') ?? '',
      });
    }
    return response.writeHead(302, { location: redirect.href }).end();
  }

  function token(request: IncomingMessage, response: ServerResponse, body: string): unknown {
    const form = new URLSearchParams(body);
    tokenRequests.push(form);
    for (const name of ['code_verifier', 'client_assertion'])
      if (form.get(name)) secrets.add(form.get(name)!);
    const client = clientOf(request, form);
    switch (form.get('grant_type')) {
      case 'authorization_code':
        log.push('code');
        return exchange(response, form, client);
      case 'refresh_token':
        log.push('refresh');
        return renew(response, form, client);
      case 'client_credentials':
        log.push('machine');
        if (client === undefined)
          return error(response, 'invalid_client', `Not ${request.headers.authorization}`);
        return json(response, grant(form.get('scope') ?? '', false));
      default:
        return error(response, 'unsupported_grant_type');
    }
  }

  function clientOf(request: IncomingMessage, form: URLSearchParams): string | undefined {
    const basic = request.headers.authorization?.replace(/^Basic /, '');
    if (basic !== undefined) {
      const [id = '', password = ''] = Buffer.from(basic, 'base64').toString().split(':');
      return Object.hasOwn(behaviour.clients, id) && behaviour.clients[id] === password ? id : undefined;
    }
    const assertion = form.get('client_assertion')?.split('.')[1];
    if (assertion !== undefined) return JSON.parse(Buffer.from(assertion, 'base64url').toString()).sub;
    const id = form.get('client_id');
    return knows(id) && behaviour.clients[id] === undefined ? id : undefined;
  }

  function exchange(response: ServerResponse, form: URLSearchParams, client: string | undefined): unknown {
    const code = form.get('code') ?? '';
    const known = codes.get(code);
    codes.delete(code);
    if (behaviour.exchange === 'garbage') return response.end(`access_token=${secret('garbled')}`);
    if (behaviour.exchange === 'refused')
      return error(response, 'invalid_grant', `The code ${code} is not good`);
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (client === undefined) return error(response, 'invalid_client');
    if (known?.client !== client || known.challenge !== proof || known.redirect !== form.get('redirect_uri'))
      return error(response, 'invalid_grant');
    return json(response, grant(known.scope, behaviour.refreshTokens));
  }

  function renew(response: ServerResponse, form: URLSearchParams, client: string | undefined): unknown {
    const used = form.get('refresh_token') ?? '';
    if (behaviour.refresh === 'fails') return response.writeHead(503).end(`down: ${used}`);
    if (behaviour.refresh === 'garbage') return response.end(`access_token=${secret('garbled')}`);
    const scope = refresh.get(used);
    if (behaviour.refresh === 'refused' || scope === undefined || client === undefined) {
      // One that was used before is in a thief's hands: nothing that came of it is good any more.
      refresh.clear();
      access.clear();
      return error(response, 'invalid_grant', `The token ${used} is not good`);
    }
    refresh.delete(used);
    return json(response, grant(scope, true));
  }

  function grant(scope: string, renewable: boolean): Record<string, unknown> {
    const made = secret('access');
    access.set(made, scope);
    if (!renewable) return { access_token: made, token_type: 'Bearer', expires_in: 3600 };
    const renewing = secret('refresh');
    refresh.set(renewing, scope);
    return { access_token: made, token_type: 'Bearer', expires_in: 3600, refresh_token: renewing };
  }

  function revoke(request: IncomingMessage, response: ServerResponse, body: string): unknown {
    const form = new URLSearchParams(body);
    log.push('revoke');
    if (behaviour.revocation === 'fails') return response.writeHead(503).end(`down: ${form.get('token')}`);
    if (clientOf(request, form) === undefined) return error(response, 'invalid_client');
    access.delete(form.get('token') ?? '');
    refresh.delete(form.get('token') ?? '');
    return response.end();
  }

  async function mcp(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const used = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const scopes = access.get(used)?.split(' ');
    const metadata = `resource_metadata="${origin()}/.well-known/oauth-protected-resource/mcp"`;
    const refuse = (status: number, more: string) =>
      response.writeHead(status, { 'www-authenticate': `Bearer ${metadata}${more}` }).end();
    const asked = behaviour.scope === undefined ? '' : `, scope="${behaviour.scope}"`;
    if (!scopes || behaviour.refusesAll) return void refuse(401, asked);
    const calling = body.includes('"tools/call"');
    const { callScope } = behaviour;
    if (calling && callScope !== undefined && !scopes.includes(callScope))
      return void refuse(403, `, error="insufficient_scope", scope="${callScope}"`);
    if (calling) calls++;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const server = new McpServer({ name: 'protected', version: '1.0.0' });
    server.registerTool('greet', { description: 'Greets' }, () => ({
      content: [{ type: 'text', text: 'Hello!' }],
    }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => void server.close());
    await server.connect(transport as never);
    await transport.handleRequest(request, response, JSON.parse(body));
  }

  const listener = createServer((request, response) => {
    handle(request, response).catch(cause => response.writeHead(500).end(String(cause)));
  });
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const origin = () => `http://127.0.0.1:${port}`;

  return {
    url: `${origin()}/mcp`,
    origin: origin(),
    behaviour,
    log,
    secrets,
    registered,
    authorizations,
    tokenRequests,
    expire: () => access.clear(),
    get calls() {
      return calls;
    },
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      await new Promise(resolve => listener.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
