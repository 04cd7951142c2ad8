/** `rawcall cache`: the saved states of what prompts begin with, and the tools of servers. */
import { clearStates, listStates, type SavedState } from '../engine/llama/states.ts';
import { jsonLine } from '../json.ts';
import { exitCodes } from './exit.ts';
import { stateFolder, toolsFolder } from './folders.ts';
import { clearKnownTools, countKnownTools } from './known-tools.ts';
import { visible, writeOut } from './output.ts';
import type { Context } from './program.ts';
import { textTable } from './text-table.ts';

export async function listCache({ values }: Context): Promise<number> {
  const folder = stateFolder();
  const states = await listStates(folder);
  const servers = countKnownTools(toolsFolder());
  if (values.json) {
    for (const state of states) await writeOut(`${jsonLine(asJson(state))}\n`);
    await writeOut(`${jsonLine({ folder, states: states.length, total: sizeOf(states), servers })}\n`);
  } else if (states.length === 0) await writeOut(`No saved states in ${folder}.\n`);
  else {
    const rows = states.map(({ model, tokens, size, lastUsed }) => [
      visible(model),
      String(tokens),
      sizeText(size),
      lastUsed.toISOString().slice(0, 16).replace('T', ' '),
    ]);
    await writeOut(textTable(['model', 'tokens', 'size', 'last used (UTC)'], rows));
    await writeOut(`\n${countText(states)}, ${sizeText(sizeOf(states))}, in ${folder}\n`);
  }
  if (!values.json && servers > 0)
    await writeOut(`The tools of ${serversText(servers)}, in ${toolsFolder()}\n`);
  return exitCodes.answered;
}

export async function clearCache({ values }: Context): Promise<number> {
  const folder = stateFolder();
  const states = await clearStates(folder);
  const servers = clearKnownTools(toolsFolder());
  const total = sizeOf(states);
  await writeOut(
    values.json
      ? `${jsonLine({ folder, deleted: states.length, total, servers })}\n`
      : `Deleted ${countText(states)} (${sizeText(total)}) from ${folder}${servers === 0 ? '' : `, and the tools of ${serversText(servers)}`}.\n`,
  );
  return exitCodes.answered;
}

function asJson({ file, model, tokens, size, lastUsed }: SavedState): object {
  return { file, model, tokens, size, lastUsed: lastUsed.toISOString() };
}

function sizeOf(states: readonly SavedState[]): number {
  return states.reduce((sum, { size }) => sum + size, 0);
}

function countText({ length }: readonly SavedState[]): string {
  return length === 1 ? '1 state' : `${length} states`;
}

function serversText(count: number): string {
  return count === 1 ? '1 server' : `${count} servers`;
}

function sizeText(bytes: number): string {
  const megabytes = bytes / 1024 ** 2;
  return megabytes < 1024 ? `${megabytes.toFixed(1)} MiB` : `${(megabytes / 1024).toFixed(1)} GiB`;
}
