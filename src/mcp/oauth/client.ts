/** What rawcall is to an authorization server: a client of the config, or one that it registers itself. */
import { createPrivateKey } from 'node:crypto';
import { type AddClientAuthentication, isHttpsUrl } from '@modelcontextprotocol/sdk/client/auth.js';
import { createPrivateKeyJwtAuth } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthClientMetadata,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { HttpServer } from '../servers.ts';
import { failed } from './failures.ts';

/** Where the config names a client, and not by the address of its metadata document. */
export function configuredClient(
  { auth }: HttpServer,
  issuer: string | undefined,
): OAuthClientInformationMixed | undefined {
  if (auth?.clientId === undefined || isHttpsUrl(auth.clientId)) return undefined;
  return {
    client_id: auth.clientId,
    ...(auth.clientSecret === undefined ? {} : { client_secret: auth.clientSecret }),
    // The SDK sends nothing of it to any other.
    ...((auth.issuer ?? issuer) ? { issuer: auth.issuer ?? issuer } : {}),
  };
}

export function metadataDocument({ auth }: HttpServer): string | undefined {
  return isHttpsUrl(auth?.clientId) ? auth?.clientId : undefined;
}

/** To register with, and for the scope of a token that is asked for without a person. */
export function clientMetadata(
  redirect: string | undefined,
  scope: string | undefined,
  authorizationServer: AuthorizationServerMetadata | undefined,
): OAuthClientMetadata {
  const methods = authorizationServer?.token_endpoint_auth_methods_supported;
  return {
    client_name: 'rawcall',
    redirect_uris: redirect === undefined ? [] : [redirect],
    grant_types: redirect === undefined ? ['client_credentials'] : ['authorization_code', 'refresh_token'],
    response_types: redirect === undefined ? [] : ['code'],
    // A program on a user's machine can keep no secret; it takes one where the server insists.
    ...(methods === undefined || methods.includes('none') ? { token_endpoint_auth_method: 'none' } : {}),
    ...(scope === undefined ? {} : { scope }),
  };
}

/**
 * The signature that stands for a secret, where the config has a key.
 *
 * @throws RawcallError `mcp_login_failed` where the key is none
 */
export function signature({ name, auth }: HttpServer): AddClientAuthentication | undefined {
  if (auth?.privateKey === undefined) return undefined;
  if (auth.clientId === undefined) throw failed(name, 'the "privateKey" of its config needs a "clientId"');
  const key = openKey(name, auth.privateKey);
  return createPrivateKeyJwtAuth({ issuer: auth.clientId, subject: auth.clientId, ...key });
}

const curves: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

function openKey(server: string, pem: string): { privateKey: string; alg: string } {
  try {
    // A variable of the environment often has its line breaks written out.
    const key = createPrivateKey(pem.replaceAll('\\n', '\n'));
    const curve = key.asymmetricKeyDetails?.namedCurve ?? '';
    const alg = key.asymmetricKeyType === 'rsa' ? 'RS256' : curves[curve];
    if (alg !== undefined)
      return { alg, privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
  } catch {
    // The reason may quote the key.
  }
  const forms = 'a PEM text with an RSA key or one of the curves P-256, P-384, P-521';
  throw failed(server, `the "privateKey" of its config is not ${forms}`);
}
