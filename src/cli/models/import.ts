/** `rawcall models import`: a file of one's own into the store. */
import { readCatalog } from '../../catalog/catalog.ts';
import { isModelName } from '../../catalog/find.ts';
import { jsonLine } from '../../json.ts';
import { importFile } from '../../store/import.ts';
import { openStore } from '../../store/store.ts';
import { keyOfFile } from '../../store/wanted.ts';
import { exitCodes, usageError } from '../exit.ts';
import { writeOut } from '../output.ts';
import { catalogFile } from '../package.ts';
import type { Context } from '../program.ts';
import { clearProgress, showProgress } from '../progress-line.ts';
import { nameOf, vouched } from './pull.ts';
import { transferText } from './transfer.ts';

interface ImportOptions {
  readonly name?: string;
  readonly move?: boolean;
}

export async function importModel(
  file: string,
  { values, lifetime }: Context<ImportOptions>,
): Promise<number> {
  const { name, move = false } = values;
  if (name !== undefined && !isModelName(name))
    throw usageError(
      `--name ${name}: a name is small letters, digits, dots and hyphens, and behind a colon the quantisation: my-model:Q4_K_M.`,
    );
  const [own, quantisation = keyOfFile(file).quantisation] = name?.split(':') ?? [];
  const stopping = new AbortController();
  using _ = lifetime.interruptible(() => stopping.abort());
  try {
    const model = await importFile({
      file,
      move,
      store: openStore(),
      catalog: await readCatalog(values.catalog ?? catalogFile),
      ...(own === undefined ? {} : { name: { name: own, quantisation } }),
      signal: stopping.signal,
      onProgress: (bytes, size) => showProgress(`${file}: ${transferText(bytes, size, undefined)} read`),
    });
    clearProgress();
    const [{ path }] = model.files;
    await writeOut(
      values.json
        ? `${jsonLine({ path, ...model })}\n`
        : `${nameOf(model)}, ${vouched[model.voucher]}: ${path}\nUse it with: --model ${nameOf(model)}\n`,
    );
    return exitCodes.answered;
  } catch (error) {
    if (stopping.signal.aborted) return exitCodes.interrupted;
    throw error;
  } finally {
    clearProgress();
  }
}
