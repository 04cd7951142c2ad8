/** What the SDK's flow asks for and leaves behind, for one way to a token. */
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { HttpServer } from '../servers.ts';
import { clientMetadata, configuredClient, metadataDocument, signature } from './client.ts';
import { failed } from './failures.ts';
import type { Login } from './stored-login.ts';

export interface ProviderOptions {
  readonly server: HttpServer;
  /** What there is of a login: its client is used again, and the authorization server that it is bound to. */
  readonly login: Login | undefined;
  readonly scope: string | undefined;
  /** A token that renews others is used, where the login has one; else a person or the client's own credentials are asked. */
  readonly refresh: boolean;
  /** Where the browser comes back to. Absent: no person is asked. */
  readonly callback?: { readonly address: string; readonly state: string };
  /** The address that a person is to open. */
  readonly onAddress: (address: URL) => void;
  readonly onLogin: (login: Login) => Promise<void>;
  /** The authorization server says that what was sent is no longer, or never was, good. */
  readonly onRefused: (what: 'client' | 'tokens') => Promise<never>;
}

export interface LoginProvider extends OAuthClientProvider {
  readonly discovered: OAuthDiscoveryState | undefined;
}

export function loginProvider(options: ProviderOptions): LoginProvider {
  const { server, login, scope, refresh, callback, onAddress, onLogin, onRefused } = options;
  const byMachine = server.auth?.grant === 'client_credentials';
  const redirect = byMachine
    ? undefined
    : (callback?.address ?? login?.client?.redirect_uris?.[0] ?? anyAddress);
  const configured = configuredClient(server, login?.tokens.issuer);
  let client = configured ?? knownClient(login, redirect, refresh);
  let discovered = refresh && login ? remembered(login) : undefined;
  let requested = scope;
  let verifier: string | undefined;
  const sign = signature(server);
  const document = metadataDocument(server);

  function keepClient(registered: OAuthClientInformationMixed): void {
    client = registered;
  }

  return {
    redirectUrl: redirect,
    get clientMetadata() {
      return clientMetadata(redirect, scope, discovered?.authorizationServerMetadata);
    },
    ...(document === undefined ? {} : { clientMetadataUrl: document }),
    ...(callback ? { state: () => callback.state } : {}),
    clientInformation: () => client,
    // Without it the SDK does not register another where the configured one belongs to another authorization server.
    ...(configured ? {} : { saveClientInformation: keepClient }),
    tokens: () => (refresh ? login?.tokens : undefined),
    async saveTokens(tokens) {
      await onLogin({
        server: server.url,
        authorizationServer: discovered?.authorizationServerUrl ?? new URL('/', server.url).href,
        ...(discovered?.resourceMetadataUrl ? { resourceMetadata: discovered.resourceMetadataUrl } : {}),
        // What was asked for is what was given, where nothing else is said.
        tokens: { ...(requested === undefined ? {} : { scope: requested }), ...tokens },
        ...(client && !configured ? { client } : {}),
      });
    },
    redirectToAuthorization(address) {
      requested = address.searchParams.get('scope') ?? undefined;
      onAddress(address);
    },
    saveCodeVerifier(made) {
      verifier = made;
    },
    codeVerifier() {
      if (verifier === undefined) throw failed(server.name, 'it was not begun here');
      return verifier;
    },
    ...(sign ? { addClientAuthentication: sign } : {}),
    ...(byMachine ? { prepareTokenRequest: machineRequest } : {}),
    saveDiscoveryState(state) {
      discovered = state;
    },
    discoveryState: () => discovered,
    // The SDK would begin again: it would send a code twice, or register a client that nobody asked for.
    invalidateCredentials: scope => onRefused(scope === 'all' ? 'client' : 'tokens'),
    get discovered() {
      return discovered;
    },
  };
}

/** Never opened: the SDK takes a provider without one for a machine. */
const anyAddress = 'http://127.0.0.1/callback';

/** A client that was registered for another address may not come back to this one. */
function knownClient(
  login: Login | undefined,
  redirect: string | undefined,
  refresh: boolean,
): Login['client'] {
  const client = login?.client;
  const registered = client?.redirect_uris;
  return refresh || registered === undefined || registered.includes(redirect ?? '') ? client : undefined;
}

function remembered({ authorizationServer, resourceMetadata }: Login): OAuthDiscoveryState {
  return {
    authorizationServerUrl: authorizationServer,
    ...(resourceMetadata === undefined ? {} : { resourceMetadataUrl: resourceMetadata }),
  };
}

function machineRequest(scope: string | undefined): URLSearchParams {
  return new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === undefined ? {} : { scope }),
  });
}
