/** The official chat template of every format that has one, one file each. */
import { readdirSync } from 'node:fs';
import type { Reference } from '../reference.ts';

const files = readdirSync(import.meta.dirname).filter(file => file !== 'index.ts');

export const references: readonly Reference[] = await Promise.all(
  files.map(async file => ((await import(`./${file}`)) as { reference: Reference }).reference),
);
