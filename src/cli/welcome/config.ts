/** A first `rawcall.json`: what was chosen, in the words of the flags. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { usageError } from '../exit.ts';
import type { Values } from '../settings.ts';

const calculator = { calc: { command: 'rawcall', args: ['mcp-server', 'calc'] } };

/** @returns the file. Without servers of one's own, the calculator stands there as an example. */
export async function writeConfig(
  folder: string,
  chosen: Values,
  servers: readonly string[],
): Promise<string> {
  const file = path.join(folder, 'rawcall.json');
  const settings = { ...chosen, ...(servers.length === 0 ? { mcpServers: calculator } : {}) };
  // One that came meanwhile is somebody's work.
  await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`, { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw usageError(`${file} is there already: change it by hand.`);
      throw error;
    },
  );
  return file;
}
