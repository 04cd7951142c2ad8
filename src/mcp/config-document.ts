/** A JSON file with comments, whose every part knows its line and column. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { RawcallError } from '../../parsers/error.ts';
import { errorWords, placeAt } from '../json-place.ts';

export interface ConfigDocument {
  readonly file: string;
  readonly root: Node | undefined;
  /** The values of an object by their keys. A key that stands there twice is an error. */
  properties(object: Node): Map<string, Node>;
  /** A value as it is written there. */
  source(node: Node): string;
  place(node: Node): { readonly line: number; readonly column: number };
  /** @throws RawcallError `bad_mcp_config`, always */
  fail(at: Node | undefined, message: string): never;
}

/** @throws RawcallError `bad_mcp_config` */
export function openDocument(text: string, file: string): ConfigDocument {
  // Editors that write a byte order mark at the start of a file are many.
  const body = text.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: true });

  function failAt(offset: number, message: string): never {
    const { line, column } = placeAt(body, offset);
    throw new RawcallError('bad_mcp_config', `${file}:${line}:${column}: ${message}`, { file, line, column });
  }
  const [error] = errors;
  if (error) {
    const what = errorWords(printParseErrorCode(error.error));
    failAt(error.offset, `this is not JSON (${what}). Mend it there; comments are allowed.`);
  }

  const fail = (at: Node | undefined, message: string): never => failAt(at?.offset ?? 0, message);
  return {
    file,
    root,
    fail,
    source: ({ offset, length }) => body.slice(offset, offset + length),
    place: ({ offset }) => placeAt(body, offset),
    properties(object) {
      const found = new Map<string, Node>();
      for (const { children } of object.children ?? []) {
        const [key, value] = children ?? [];
        if (!key || !value) continue;
        if (found.has(key.value)) fail(key, `the key "${key.value}" stands here twice. Keep one of the two.`);
        found.set(key.value, value);
      }
      return found;
    },
  };
}
