/** The `auth` of an entry: how to log in, as far as the server does not say. */
import type { Node } from 'jsonc-parser';
import type { ConfigDocument } from './config-document.ts';
import { otherAuthNames } from './foreign-keys.ts';
import type { ServerAuth } from './servers.ts';

const grants = ['authorization_code', 'client_credentials'] as const;
const texts = ['clientId', 'clientSecret', 'privateKey', 'scope', 'issuer'] as const;

/** @throws RawcallError `bad_mcp_config` */
export function readAuth(
  name: string,
  node: Node,
  { fail, properties }: ConfigDocument,
  expanded: (key: string, text: string) => string,
): ServerAuth {
  const wrong = (key: string, value: Node, kind: string): never =>
    fail(value, `"${key}" of the server "${name}" must be ${kind}.`);
  if (node.type !== 'object') wrong('auth', node, 'an object such as {"clientId": "…"}');
  const given = new Map(
    [...properties(node)].map(([key, value]) => [
      Object.hasOwn(otherAuthNames, key) ? otherAuthNames[key] : key,
      value,
    ]),
  );

  const auth: { -readonly [Key in keyof ServerAuth]: ServerAuth[Key] } = {};
  for (const key of texts) {
    const value = given.get(key);
    // Scopes are a list elsewhere.
    const words = value?.type === 'array' && key === 'scope' ? (value.children ?? []) : value && [value];
    if (value === undefined || words === undefined || value.type === 'null') continue;
    if (words.some(one => one.type !== 'string')) wrong(`auth.${key}`, value, 'a text');
    auth[key] = expanded(`auth.${key}`, words.map(one => one.value).join(' '));
  }
  const grant = given.get('grant');
  const known = grants.find(one => one === grant?.value);
  if (grant && !known) wrong('auth.grant', grant, grants.join(' or '));
  if (known) auth.grant = known;
  const port = given.get('callbackPort');
  if (port && !(Number.isInteger(port.value) && port.value > 0 && port.value < 65_536))
    wrong('auth.callbackPort', port, 'a port from 1 to 65535');
  if (port) auth.callbackPort = port.value;
  return auth;
}
