/** The official chat template of every format that has one, one file each. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Reference } from '../reference.ts';

const files = readdirSync(import.meta.dirname).filter(file => file !== 'index.ts');

export const references: readonly Reference[] = await Promise.all(
  files.map(
    async file =>
      ((await import(path.join(import.meta.dirname, file))) as { reference: Reference }).reference,
  ),
);
