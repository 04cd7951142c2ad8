/** `rawcall models pull`: a model into the store. */
import { readCatalog } from '../../catalog/catalog.ts';
import { jsonLine } from '../../json.ts';
import { bytesText } from '../../store/bytes-text.ts';
import { openHub } from '../../store/hub.ts';
import { locate } from '../../store/locate.ts';
import { usualPatience } from '../../store/patience.ts';
import { pull, type Wanted } from '../../store/pull.ts';
import { openStore, type StoredModel, type Voucher } from '../../store/store.ts';
import { wantedModel } from '../../store/wanted.ts';
import { exitCodes } from '../exit.ts';
import type { Lifetime } from '../lifetime.ts';
import { writeOut } from '../output.ts';
import { catalogFile } from '../package.ts';
import type { Context } from '../program.ts';
import { clearProgress } from '../progress-line.ts';
import type { Values } from '../settings.ts';
import { notice } from '../show.ts';
import { showTransfer } from './transfer.ts';

export async function pullModel(text: string, { values, lifetime }: Context): Promise<number> {
  const store = openStore();
  const wanted = await wantedModel(text, await readCatalog(values.catalog ?? catalogFile), store);
  const there = await locate(wanted, store);
  if (there) {
    if (values.json) await writeOut(`${jsonLine({ type: 'pull-end', ...keyOf(wanted), ...there })}\n`);
    else await writeOut(`${nameOf(wanted)} is here already (${there.of}): ${there.path}\n`);
    return exitCodes.answered;
  }
  const pulled = await pullShown(text, wanted, values, lifetime);
  if (!pulled) return exitCodes.interrupted;
  const [{ path }] = pulled.files;
  if (values.json) await writeOut(`${jsonLine({ type: 'pull-end', path, of: 'rawcall', ...pulled })}\n`);
  else
    await writeOut(`${nameOf(pulled)}, ${bytesText(sizeOf(pulled))}, ${vouched[pulled.voucher]}: ${path}\n`);
  return exitCodes.answered;
}

/** With its progress on the terminal. Nothing where the user stopped it, which is said. */
export async function pullShown(
  text: string,
  wanted: Wanted,
  values: Values,
  lifetime: Lifetime | undefined,
): Promise<StoredModel | undefined> {
  const stopping = new AbortController();
  using _ = lifetime?.interruptible(() => stopping.abort());
  const { onEvent, reached } = showTransfer(nameOf(wanted), values);
  try {
    return await pull(wanted, {
      store: openStore(),
      hub: await openHub(),
      patience: usualPatience,
      signal: stopping.signal,
      onEvent,
    });
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    const kept = reached() === '' ? '' : ` at ${reached()}. What has come is kept`;
    notice(`Stopped${kept}. Go on with: rawcall models pull ${text}`);
    return undefined;
  } finally {
    clearProgress();
  }
}

export const vouched: Readonly<Record<Voucher, string>> = {
  catalog: 'with the SHA-256 that the catalog has',
  hub: 'with the SHA-256 that the hub declared',
  nobody: 'whose SHA-256 nobody declared: it holds from now on',
};

const keyOf = ({ name, quantisation }: Wanted) => ({ name, quantisation });
export function nameOf({ name, quantisation }: Pick<Wanted, 'name' | 'quantisation'>): string {
  return `${name}:${quantisation}`;
}
export const sizeOf = ({ files }: StoredModel) => files.reduce((sum, { size }) => sum + size, 0);
