/** `rawcall models list`: what the catalog has, and which of it is here. */
import { type Catalog, type CatalogAdapter, type CatalogModel, readCatalog } from '../../catalog/catalog.ts';
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
  const catalog = await readCatalog(values.catalog ?? catalogFile);
  const stored = await openStore().list();
  const own = stored.filter(one => !isKnown(one, catalog));
  if (values.json) {
    const listed = [
      ...catalog.models.map(model => ({ ...model, stored: storedOf(model, stored) })),
      ...catalog.adapters.map(adapter => ({ ...adapter, adapter: true })),
      ...own.map(one => ({ ...one, own: true })),
    ];
    for (const one of listed) await writeOut(`${jsonLine(one)}\n`);
    return exitCodes.answered;
  }
  const parts = [
    modelTable(catalog.models, stored),
    adapterTable(catalog.adapters),
    ownTable(own),
    `Memory: with a context of ${usualContext} tokens. ~: about, of a file that was not seen when the catalog was written.\n` +
      'What fits this machine: rawcall models recommend. More of one: rawcall models info NAME\n',
  ];
  await writeOut(parts.filter(part => part !== '').join('\n'));
  return exitCodes.answered;
}

function modelTable(models: readonly CatalogModel[], stored: readonly StoredModel[]): string {
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
  return textTable(titles, rows, [3, 4, 5]);
}

function adapterTable(adapters: readonly CatalogAdapter[]): string {
  if (adapters.length === 0) return '';
  const rows = adapters.map(({ name, file, format, licence }) => [
    name,
    bytesText(file.size.bytes),
    format,
    visible(licence.name),
  ]);
  return textTable(['adapter', 'size', 'format', 'licence'], rows, [1]);
}

/** What the store has besides the catalog. */
function ownTable(own: readonly StoredModel[]): string {
  if (own.length === 0) return '';
  const rows = own.map(({ name, quantisation, files }) => [
    `${name}:${quantisation}`,
    bytesText(files.reduce((sum, { size }) => sum + size, 0)),
    visible(files[0].path),
  ]);
  return textTable(['of your own', 'size', 'path'], rows, [1]);
}

function isKnown(one: StoredModel, { models }: Catalog): boolean {
  const model = models.find(({ name }) => name === one.name);
  return model?.files.some(({ quantisation }) => quantisation === one.quantisation) ?? false;
}

/** The quantisations of it that are in the store. */
export function storedOf({ name }: Pick<CatalogModel, 'name'>, stored: readonly StoredModel[]): string[] {
  return stored.filter(one => one.name === name).map(({ quantisation }) => quantisation);
}
