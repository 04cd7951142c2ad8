/** Folders as servers are told of them. */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Root } from './features.ts';

/** `folder` is an absolute path. */
export function rootOf(folder: string): Root {
  return { uri: pathToFileURL(folder).href, name: basename(folder) || folder };
}
