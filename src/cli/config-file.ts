/** `rawcall.json` or `.rawcallrc`, found upwards from the working folder: JSON with comments, keys named after the flags. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { RawcallError } from '../../parsers/error.ts';
import { isModelName } from '../catalog/find.ts';
import { errorWords, placeAt } from '../json-place.ts';
import { nearest } from '../nearest.ts';
import { problemOf, type Setting, type SettingName, settings, type Values } from './settings.ts';

export interface ConfigFile {
  readonly file: string;
  readonly values: Values;
  /** True where it has `mcpServers` too; whoever starts them reads and checks that part. */
  readonly hasServers: boolean;
}

export function findConfigFile(folder: string): string | undefined {
  for (const name of ['rawcall.json', '.rawcallrc']) {
    const file = path.join(folder, name);
    if (existsSync(file)) return file;
  }
  const parent = path.dirname(folder);
  return parent === folder ? undefined : findConfigFile(parent);
}

/** @throws RawcallError `bad_config`, naming the file, the place and the remedy */
export function readConfigFile(file: string): ConfigFile {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first)
    throw bad(file, text, first.offset, `not JSON: ${errorWords(printParseErrorCode(first.error))}.`);
  if (tree?.type !== 'object')
    throw bad(file, text, 0, 'it must be an object with settings, such as {"model": "…"}.');

  const values: Record<string, unknown> = {};
  let hasServers = false;
  for (const [key, keyNode, valueNode] of members(tree)) {
    const value: unknown = getNodeValue(valueNode);
    if (key === 'mcpServers') {
      hasServers = true;
      continue;
    }
    if (!Object.hasOwn(settings, key)) throw bad(file, text, keyNode.offset, unknownKey(key));
    const setting: Setting = settings[key as SettingName];
    const given = setting.kind === 'list' && typeof value === 'string' ? [value] : value;
    const problem = problemOf(setting, given);
    if (problem)
      throw bad(file, text, valueNode.offset, `"${key}" ${problem}, not ${JSON.stringify(value)}.`);
    const absolute = (one: string) => path.resolve(path.dirname(file), one);
    if (setting.kind === 'list' && setting.paths && Array.isArray(given)) {
      const { paths } = setting;
      values[key] = given.map(one => (paths === 'or-names' && isModelName(one) ? one : absolute(one)));
      continue;
    }
    const isPath =
      setting.kind === 'path' ||
      (setting.kind === 'path-or-false' && given !== false) ||
      (setting.kind === 'name-or-path' && setting.isPath(String(given)));
    values[key] = isPath ? absolute(String(given)) : given;
  }
  return { file, values, hasServers };
}

function members(tree: Node): [key: string, keyNode: Node, valueNode: Node][] {
  return (tree.children ?? []).flatMap(({ children: [keyNode, valueNode] = [] }) =>
    keyNode && valueNode ? [[String(keyNode.value), keyNode, valueNode]] : [],
  );
}

function unknownKey(key: string): string {
  const known = [...Object.keys(settings), 'mcpServers'];
  const meant = nearest(key, known);
  const remedy = meant ? `Did you mean "${meant}"?` : `Known keys: ${known.join(', ')}.`;
  return `unknown key "${key}". ${remedy}`;
}

function bad(file: string, text: string, offset: number, what: string): RawcallError {
  const place = placeAt(text, offset);
  return new RawcallError('bad_config', `${file}:${place.line}:${place.column}: ${what}`, { file, ...place });
}
