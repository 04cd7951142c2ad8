/** `rawcall models list`: what the catalog has, and which of it is here. */
import { type CatalogModel, readCatalog } from '../../catalog/catalog.ts';
import { memoryNeeded } from '../../catalog/memory.ts';
import { jsonLine } from '../../json.ts';
import { bytesText } from '../../store/bytes-text.ts';
import { openStore, type StoredModel } from '../../store/store.ts';
import { exitCodes } from '../exit.ts';
import { visible, writeOut } from '../output.ts';
import { catalogFile } from '../package.ts';
import type { Context } from '../program.ts';
import { textTable } from '../text-table.ts';
import { numberText, sizeOf } from './words.ts';

/** For which `list` and `info` say what memory is needed: what a small agent's dialogue takes. */
export const usualContext = 8192;

export async function listModels({ values }: Context): Promise<number> {
  const { models, adapters } = await readCatalog(values.catalog ?? catalogFile);
  const store = openStore();
  const stored = await store.list();
  if (values.json) {
    for (const model of models)
      await writeOut(`${jsonLine({ ...model, stored: storedOf(model, stored) })}\n`);
    for (const adapter of adapters) await writeOut(`${jsonLine({ ...adapter, adapter: true })}\n`);
    return exitCodes.answered;
  }
  const rows = models.flatMap(model =>
    model.files.map((file, at) => [
      at === 0 ? model.name : `${model.name}:${file.quantisation}`,
      numberText(model.parameters),
      file.quantisation,
      sizeOf(file),
      bytesText(memoryNeeded(model, file, Math.min(usualContext, model.context))),
      String(model.context),
      model.format,
      visible(model.licence.name),
      storedOf(model, stored).includes(file.quantisation) ? 'here' : '',
    ]),
  );
  const titles = ['model', 'parameters', 'file', 'size', 'memory', 'context', 'format', 'licence', ''];
  await writeOut(textTable(titles, rows, [3, 4, 5]));
  if (adapters.length > 0) {
    const lines = adapters.map(({ name, file, format, licence }) => [
      name,
      bytesText(file.size.bytes),
      format,
      licence.name,
    ]);
    await writeOut(`\n${textTable(['adapter', 'size', 'format', 'licence'], lines, [1])}`);
  }
  await writeOut(
    `\nMemory: with a context of ${usualContext} tokens. ~: about, of a file that was not seen when the catalog was written.\n` +
      'What fits this machine: rawcall models recommend. More of one: rawcall models info NAME\n',
  );
  return exitCodes.answered;
}

/** The quantisations of it that are in the store. */
export function storedOf({ name }: Pick<CatalogModel, 'name'>, stored: readonly StoredModel[]): string[] {
  return stored.filter(one => one.name === name).map(({ quantisation }) => quantisation);
}
