/** The folders of `--root` and `/roots`: what servers are told of that have none of their own. None that nobody named. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Root } from '../../mcp/features.ts';
import { rootOf } from '../../mcp/roots.ts';
import { usageError } from '../exit.ts';

export interface Roots {
  readonly list: readonly Root[];
  /** @throws RawcallError `usage` where there is no such folder */
  add(folder: string): void;
}

/** @throws RawcallError `usage` */
export function openRoots(folders: readonly string[] = []): Roots {
  const list: Root[] = [];
  function add(folder: string): void {
    const path = resolve(folder);
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw usageError(
        `There is no folder "${folder}" to tell servers of. Give one that is there as --root.`,
      );
    const root = rootOf(path);
    if (!list.some(({ uri }) => uri === root.uri)) list.push(root);
  }
  for (const folder of folders) add(folder);
  return { list, add };
}
