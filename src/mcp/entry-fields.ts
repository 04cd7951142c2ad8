/** The keys of one entry, read as what they have to be. Another program's key for the same is taken as ours. */
import type { Node } from 'jsonc-parser';
import { nearest } from '../nearest.ts';
import type { ConfigDocument } from './config-document.ts';
import {
  enablingKeys,
  mostSeconds,
  type OwnKey,
  otherNames,
  ownKeys,
  secondsKeys,
  toolLists,
  unusedKeys,
} from './foreign-keys.ts';
import type { ServerSettings } from './servers.ts';

/** Each reads one key, and fails where the value is of another kind; nothing where the key is absent, or `null`. */
export interface EntryFields {
  readonly disabled: boolean;
  readonly tools: ServerSettings['tools'];
  readonly warnings: readonly string[];
  text(key: OwnKey): string | undefined;
  texts(key: OwnKey): string[] | undefined;
  record(key: OwnKey): Record<string, string> | undefined;
  flag(key: OwnKey): boolean | undefined;
  milliseconds(key: OwnKey): number | undefined;
  /** Where a key's value stands; also of a part of it, such as `env.TOKEN`. */
  at(key: string): Node | undefined;
  wrong(key: string, kind: string): string;
}

const longest = 2 ** 31 - 1;

/** @throws RawcallError `bad_mcp_config` */
export function entryFields(name: string, node: Node, document: ConfigDocument): EntryFields {
  const { fail, source } = document;
  if (node.type !== 'object') fail(node, `the server "${name}" must be an object: {"command": "…"}.`);
  const given = new Map([...document.properties(node)].filter(([, value]) => value.type !== 'null'));
  const { own, warnings } = ownFields(name, given, document);

  const wrong = (key: string, kind: string) => `"${key}" of the server "${name}" must be ${kind}.`;
  const refuse = (key: string, value: Node, kind: string): never => fail(value, wrong(key, kind));

  /** A number or a truth value is taken as it is written: `"PORT": 8080` is clear enough. */
  function scalar(value: Node): string | undefined {
    if (value.type === 'number' || value.type === 'boolean') return source(value);
    return value.type === 'string' && !value.value.includes('\0') ? value.value : undefined;
  }

  function flagOf(key: string, value: Node | undefined): boolean | undefined {
    if (value === undefined) return undefined;
    return value.type === 'boolean' ? value.value : refuse(key, value, 'true or false');
  }

  function textsOf(key: string, value: Node | undefined): string[] | undefined {
    if (value === undefined) return undefined;
    if (value.type !== 'array') refuse(key, value, 'a list of texts');
    return (value.children ?? []).map(one => scalar(one) ?? refuse(key, value, 'a list of texts'));
  }

  function toolPatterns(): ServerSettings['tools'] {
    const patterns: { allow?: string[]; deny?: string[] } = {};
    const add = (kind: 'allow' | 'deny', texts: string[] | undefined) => {
      if (texts) patterns[kind] = [...(patterns[kind] ?? []), ...texts];
    };
    const tools = own.get('tools');
    // A list is what the Copilot CLI writes.
    if (tools?.type === 'array') add('allow', textsOf('tools', tools));
    else if (tools?.type === 'object')
      for (const [key, value] of document.properties(tools)) {
        if (key === 'allow' || key === 'deny') add(key, textsOf(`tools.${key}`, value));
        else
          fail(value, `"tools" of the server "${name}" has an unknown key "${key}". Known are: allow, deny.`);
      }
    else if (tools) refuse('tools', tools, '{"allow": […], "deny": […]}');
    for (const [key, kind] of Object.entries(toolLists)) add(kind, textsOf(key, given.get(key)));
    return patterns.allow || patterns.deny ? patterns : undefined;
  }

  return {
    disabled:
      flagOf('disabled', own.get('disabled')) === true ||
      enablingKeys.some(key => flagOf(key, given.get(key)) === false),
    // Only where it is asked for: what a disabled server has is of no matter.
    get tools() {
      return toolPatterns();
    },
    warnings,
    text(key) {
      const value = own.get(key);
      if (value === undefined) return undefined;
      return value.type === 'string'
        ? (scalar(value) ?? refuse(key, value, 'a text'))
        : refuse(key, value, 'a text');
    },
    texts: key => textsOf(key, own.get(key)),
    record(key) {
      const value = own.get(key);
      if (value === undefined) return undefined;
      if (value.type !== 'object') refuse(key, value, 'an object of texts');
      const entries = [...document.properties(value)].filter(([, one]) => one.type !== 'null');
      return Object.fromEntries(
        entries.map(([part, one]) => [part, scalar(one) ?? refuse(`${key}.${part}`, one, 'a text')]),
      );
    },
    flag: key => flagOf(key, own.get(key)),
    milliseconds(key) {
      const value = own.get(key);
      if (value === undefined) return undefined;
      const seconds = secondsKeys.some(other => given.has(other)) && value.value <= mostSeconds;
      const count = seconds ? value.value * 1000 : value.value;
      if (value.type === 'number' && count >= 1 && count <= longest) return count;
      return refuse(key, value, `a number of milliseconds from 1 to ${longest}`);
    },
    at(key) {
      const [, whole = '', part] = /^(\w+)(?:\.(.*))?$/s.exec(key.replace(/\[\d+\]$/, '')) ?? [];
      const value = own.get(whole as OwnKey);
      return part !== undefined && value?.type === 'object' ? document.properties(value).get(part) : value;
    },
    wrong,
  };
}

const isOwn = (key: string): key is OwnKey => ownKeys.some(one => one === key);

function ownFields(name: string, given: ReadonlyMap<string, Node>, { fail, properties }: ConfigDocument) {
  const own = new Map<OwnKey, Node>();
  const warnings: string[] = [];
  const unused: string[] = [];

  for (const [key, value] of given) if (isOwn(key)) own.set(key, value);
  for (const [key, value] of given) {
    const meant = Object.hasOwn(otherNames, key) ? otherNames[key] : undefined;
    if (isOwn(key) || enablingKeys.includes(key) || Object.hasOwn(toolLists, key)) continue;
    if (meant !== undefined && !own.has(meant)) own.set(meant, value);
    else if (meant !== undefined) warnings.push(`"${key}" is not used, since there is "${meant}" too`);
    else if (Object.hasOwn(unusedKeys, key)) {
      if (unusedKeys[key] === '') unused.push(key);
      else warnings.push(`"${key}" is not used: ${unusedKeys[key]}`);
    } else {
      const close = nearest(key, ownKeys);
      // Left out in silence, a "deny" that is mistyped would open what it is to close.
      if (close) fail(value, `the server "${name}" has an unknown key "${key}". Did you mean "${close}"?`);
      unused.push(key);
    }
  }
  if (unused.length > 0) warnings.push(`not used: ${unused.map(key => `"${key}"`).join(', ')}`);

  // Zed of old: {"command": {"path": …, "args": …, "env": …}}.
  const command = own.get('command');
  if (command?.type === 'object') {
    const parts = properties(command);
    own.delete('command');
    for (const [part, key] of [
      ['path', 'command'],
      ['args', 'args'],
      ['env', 'env'],
    ] as const) {
      const value = parts.get(part);
      if (value && value.type !== 'null' && !own.has(key)) own.set(key, value);
    }
  }
  return { own, warnings };
}
