/**
 * What the protocol's conformance tests run as a client: rawcall's host on the server whose address is the last argument. It calls
 * each tool once, and is its own user: it opens the login's address and follows where that leads.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openHost } from '../src/mcp/host.ts';
import { systemLogins } from '../src/mcp/oauth/system-logins.ts';
import type { ServerAuth } from '../src/mcp/servers.ts';

/** The address that the tests' own client metadata document would have; what it holds is not read. */
const metadataDocument = 'https://conformance-test.local/client-metadata.json';

interface Credentials {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
}

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const credentials: Credentials = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

function auth(): ServerAuth {
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = credentials;
  return {
    ...(scenario.includes('client-credentials') ? { grant: 'client_credentials' } : {}),
    clientId: clientId ?? metadataDocument,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(privateKey === undefined ? {} : { privateKey }),
  };
}

/** As a tool's schema wants them, as far as the tests' tools go. */
function argumentsFor({
  properties = {},
}: {
  readonly properties?: unknown;
}): Record<string, number | string> {
  const listed = Object.entries(properties as Record<string, { type?: string }>);
  return Object.fromEntries(listed.map(([name, { type }]) => [name, type === 'number' ? 1 : 'text']));
}

const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-conformance-'));
const host = openHost([{ name: 'conformance', url: process.argv.at(-1) ?? '', headers: {}, auth: auth() }], {
  // As long as the tests wait for the whole of it.
  startTimeout: 110_000,
  logins: systemLogins({ RAWCALL_DATA: folder, RAWCALL_KEYRING: 'off' }),
  authorize: async ({ address, signal }) => {
    const page = await fetch(address, { signal });
    await page.body?.cancel();
  },
  // The user accepts a form as it stands, so that its defaults are the answer.
  duties: { elicit: async () => ({ action: 'accept', content: {} }) },
});

let failed = false;
try {
  await host.ready;
  const [server] = host.servers;
  if (server?.state !== 'ready') throw new Error(server?.reason);
  for (const { name, inputSchema } of host.tools) {
    const { isError, content } = await host.call(name, argumentsFor(inputSchema as { properties?: unknown }));
    if (isError) throw new Error(`${name}: ${content}`);
  }
} catch (error) {
  failed = true;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
} finally {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
