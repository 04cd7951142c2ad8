/** Where a model lies that is on this machine already. */
import { stat } from 'node:fs/promises';
import { findElsewhere, type programs } from './elsewhere.ts';
import type { Wanted } from './pull.ts';
import type { Store } from './store.ts';

export interface Located {
  readonly path: string;
  /** Whose it is: `rawcall` for what its store or its catalog's folder has. */
  readonly of: 'rawcall' | (typeof programs)[number];
}

export async function locate(
  wanted: Wanted,
  store: Store,
  env?: Readonly<Record<string, string | undefined>>,
): Promise<Located | undefined> {
  for (const source of wanted.sources) {
    if (source.kind !== 'path') continue;
    const found = await stat(source.path).catch(() => undefined);
    if (found?.isFile()) return { path: source.path, of: 'rawcall' };
  }
  const stored = await store.find(wanted);
  if (stored) return { path: stored.files[0].path, of: 'rawcall' };
  const other = await findElsewhere(wanted, env);
  return other && { path: other.path, of: other.program };
}
