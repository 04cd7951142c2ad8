/** What of the servers' entries nobody is to read: values of variables, headers, addresses and clients. */
import { readAddress } from './http-address.ts';
import type { McpServer } from './servers.ts';

export function serverSecrets(servers: readonly McpServer[]): string[] {
  return servers.flatMap(server => {
    if ('unusable' in server) return [];
    const variables = hiddenValues(server.variables ?? {});
    if (!('url' in server)) return [...variables, ...hiddenValues(server.env)];
    const { url, headers, auth = {} } = server;
    const { clientSecret = '', privateKey = '' } = auth;
    return [
      ...variables,
      ...readAddress(url).secrets,
      // `Bearer TOKEN` is as much of a secret as the token alone.
      ...Object.values(headers).flatMap(value => [value, ...value.split(/\s+/)]),
      ...[clientSecret, privateKey],
    ];
  });
}

const secretName = /key|token|secret|passw|pwd$|credential|auth|cookie|session|dsn/i;

/**
 * The values of variables that may be secrets. A path, an address without credentials or a plain word is in half of all texts and
 * none, unless its name says otherwise.
 */
export function hiddenValues(variables: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(variables).flatMap(([name, value = '']) =>
    secretName.test(name) || !isPlain(value) ? [value] : [],
  );
}

/** Of the environment that rawcall itself has. */
export function environmentSecrets(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    secretName.test(name) && value.length >= 8 && !isPlain(value) ? [value] : [],
  );
}

function isPlain(value: string): boolean {
  if (/^(?:[/~.]|[A-Za-z]:[\\/])/.test(value)) return true;
  if (/^https?:\/\/[^@?]*$/.test(value)) return true;
  return /^[A-Za-z]*$|^\d{1,5}$/.test(value) && value.length <= 16;
}
