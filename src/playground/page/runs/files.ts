/** The recordings there are, and a file that was dropped on the page. */
import { signal } from '@preact/signals';
import type { EvalList, GivenFile, ReadFile, RunList } from '../../runs/runs-protocol.ts';
import { ask } from '../shell/api.ts';
import { go } from '../shell/route.ts';

export const runList = signal<RunList | undefined>(undefined);
export const evalList = signal<EvalList | undefined>(undefined);

export async function refresh(): Promise<void> {
  const [runs, evals] = await Promise.all([ask<RunList>('runs'), ask<EvalList>('evals')]);
  runList.value = runs;
  evalList.value = evals;
}

/** It is nowhere but in this page. */
export const dropped = signal<(GivenFile & { readonly read: ReadFile }) | undefined>(undefined);

/** @throws ApiError for a file that is none of ours */
export async function openFile(file: File): Promise<void> {
  const given = { name: file.name, text: await file.text() };
  const read = await ask<ReadFile>('runs/read', { method: 'POST', body: given });
  dropped.value = { ...given, read };
  go('runs', 'file');
}
