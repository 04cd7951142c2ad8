/** `rawcall models path`, `remove` and `verify`: what is stored. */
import { readCatalog } from '../../catalog/catalog.ts';
import { jsonLine } from '../../json.ts';
import { bytesText } from '../../store/bytes-text.ts';
import { locate } from '../../store/locate.ts';
import { notStored, openStore, type Store, type StoredModel } from '../../store/store.ts';
import { verify } from '../../store/verify.ts';
import { same, wantedModel } from '../../store/wanted.ts';
import { exitCodes, usageError } from '../exit.ts';
import { writeOut } from '../output.ts';
import { catalogFile } from '../package.ts';
import type { Context } from '../program.ts';
import { clearProgress, showProgress } from '../progress-line.ts';
import { nameOf, sizeOf, vouched } from './pull.ts';
import { transferText } from './transfer.ts';

/** @throws RawcallError `model_not_stored`, `unknown_model` */
export async function modelPath(text: string, { values }: Context): Promise<number> {
  const store = openStore();
  const wanted = await wantedModel(text, await readCatalog(values.catalog ?? catalogFile), store);
  const found = await locate(wanted, store);
  if (!found) throw notStored(text, store);
  await writeOut(values.json ? `${jsonLine(found)}\n` : `${found.path}\n`);
  return exitCodes.answered;
}

/** @throws RawcallError `model_not_stored`, `store_not_writable` */
export async function removeModel(text: string, { values }: Context): Promise<number> {
  const store = openStore();
  const found = await storedAs(text, store);
  if (found.length > 1)
    throw usageError(`The store has ${found.map(nameOf).join(' and ')}: say which of them is to go.`);
  // Nothing but parts of it may be there.
  const key = found[0] ?? (await wantedModel(text, await readCatalog(values.catalog ?? catalogFile), store));
  const freed = await store.remove(key);
  if (freed === 0) throw notStored(text, store);
  await writeOut(
    values.json
      ? `${jsonLine({ name: key.name, quantisation: key.quantisation, freed })}\n`
      : `Removed ${nameOf(key)}: ${bytesText(freed)} are free again.\n`,
  );
  return exitCodes.answered;
}

/** Exit code 1 where bytes have changed. */
export async function verifyModels(text: string | undefined, { values, lifetime }: Context): Promise<number> {
  const store = openStore();
  const models = text === undefined ? await store.list() : await storedAs(text, store);
  if (models.length === 0 && text !== undefined) {
    // A name that is none is told as that.
    await wantedModel(text, await readCatalog(values.catalog ?? catalogFile), store);
    throw notStored(text, store);
  }
  const stopping = new AbortController();
  using _ = lifetime.interruptible(() => stopping.abort());
  let fine = true;
  for (const model of models) {
    const size = sizeOf(model);
    const onProgress = (bytes: number) =>
      showProgress(`${nameOf(model)}: ${transferText(bytes, size, undefined)} read`);
    const damages = await verify(model, { signal: stopping.signal, onProgress }).catch(error => {
      if (!stopping.signal.aborted) throw error;
      return undefined;
    });
    clearProgress();
    if (!damages) return exitCodes.interrupted;
    fine &&= damages.length === 0;
    if (values.json) await writeOut(`${jsonLine({ ...model, fine: damages.length === 0, damages })}\n`);
    else if (damages.length === 0) await writeOut(`✓ ${nameOf(model)}, ${vouched[model.voucher]}\n`);
    else
      for (const { file, sha256 } of damages)
        await writeOut(
          `✗ ${nameOf(model)}: ${file.path} has the SHA-256 ${sha256}, not ${file.sha256}. Pull it anew: rawcall models remove ${nameOf(model)} && rawcall models pull ${nameOf(model)}\n`,
        );
  }
  if (models.length === 0 && !values.json) await writeOut(`There are no models in ${store.folder}.\n`);
  return fine ? exitCodes.answered : exitCodes.error;
}

async function storedAs(text: string, store: Store): Promise<readonly StoredModel[]> {
  const all = await store.list();
  const [name, quantisation] = text.split(':');
  return all.filter(
    model =>
      model.source === text ||
      (model.name === name && (quantisation === undefined || same(model.quantisation, quantisation))),
  );
}
