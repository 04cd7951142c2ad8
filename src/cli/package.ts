/** Where this package lies, from the sources and from the bundle alike, and what it carries. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

function packageRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  return folder;
}

export const practiceModel = path.join(packageRoot(), 'models', 'practice', 'practice.gguf');

/** The models that are known by name. */
export const catalogFile = path.join(packageRoot(), 'models', 'catalog.yaml');

/** The files of the playground's page. */
export const playgroundPages = path.join(packageRoot(), 'dist', 'playground');

/** Calls llama.cpp's library, where there is no llama-quantize. */
export const quantizeScript = path.join(packageRoot(), 'src', 'convert', 'quantize.py');

/** Sets of tasks for `rawcall eval`, by their names. */
export const taskSetsFolder = path.join(packageRoot(), 'tasks');

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(packageRoot(), 'package.json'), 'utf8'));
  return (manifest as { version: string }).version;
}
