/** `rawcall models info`: all that the catalog says of one model. */
import {
  type CatalogAdapter,
  type CatalogFile,
  type CatalogModel,
  readCatalog,
} from '../../catalog/catalog.ts';
import { findModel } from '../../catalog/find.ts';
import { cachePerToken, memoryNeeded } from '../../catalog/memory.ts';
import { sourceText } from '../../catalog/source.ts';
import { jsonLine } from '../../json.ts';
import { bytesText } from '../../store/bytes-text.ts';
import { openStore, type StoredModel } from '../../store/store.ts';
import { exitCodes } from '../exit.ts';
import { visible, writeOut } from '../output.ts';
import { catalogFile } from '../package.ts';
import type { Context } from '../program.ts';
import { usualContext } from './list.ts';
import { parametersText, samplingFlags, sizeOf } from './words.ts';

type Row = readonly [what: string, text: string];

export async function aboutModel(text: string, { values }: Context): Promise<number> {
  const catalog = await readCatalog(values.catalog ?? catalogFile);
  const adapter = catalog.adapters.find(({ name }) => name === text);
  if (adapter) {
    await writeOut(values.json ? `${jsonLine({ ...adapter, adapter: true })}\n` : adapterPage(adapter));
    return exitCodes.answered;
  }
  const [name] = text.split(':');
  const stored = (await openStore().list()).filter(one => one.name === name);
  if (stored.length > 0 && !catalog.models.some(one => one.name === name)) {
    for (const one of stored)
      await writeOut(values.json ? `${jsonLine({ ...one, own: true })}\n` : ownPage(one));
    return exitCodes.answered;
  }
  const { model, file } = findModel(catalog, text);
  // Where no quantisation was named, all of them are meant.
  const files = text.includes(':') ? [file] : model.files;
  if (values.json) await writeOut(`${jsonLine({ ...model, files, stored })}\n`);
  else await writeOut(modelPage(model, files, stored));
  return exitCodes.answered;
}

/** Of one that the store has and the catalog does not know. */
function ownPage({ name, quantisation, source, files }: StoredModel): string {
  return `${lines([
    ['model', `${name}:${quantisation}, which the catalog does not know`],
    ['source', source],
    ...files.flatMap(({ path, size, sha256 }): Row[] => [
      ['here', `${path}, ${bytesText(size)}`],
      ['sha256', sha256],
    ]),
    ['more', `rawcall models inspect ${files[0].path}`],
  ]).join('\n')}\n`;
}

function modelPage(
  model: CatalogModel,
  files: readonly CatalogFile[],
  stored: readonly StoredModel[],
): string {
  const { name, title, makers, card, format, context, attention, sampling, goodAt, note } = model;
  const cache = `${bytesText(cachePerToken(model))} of memory a token${attention ? '' : ' at most, by its size'}`;
  const rows: Row[] = [
    ['model', `${title}, by ${makers}`],
    ['licence', licenceText(model)],
    ['parameters', parametersText(model)],
    ['context', `${context} tokens, ${cache}`],
    ['format', format],
    ...(sampling ? ([['sampling', `${samplingFlags(sampling)} (${sampling.source})`]] as const) : []),
    ...goodAt.map(({ what, figure, source }): Row => ['good at', `${what}: ${figure} (${source})`]),
    ...(card === undefined ? [] : ([['card', card]] as const)),
    ...(note === undefined ? [] : ([['note', note]] as const)),
  ];
  const parts = files.map(file =>
    [
      '',
      ...lines([
        [`${name}:${file.quantisation}`, ''],
        ['size', sizeText(file)],
        [
          'memory',
          `${bytesText(memoryNeeded(model, file, Math.min(usualContext, context)))} with a context of ${Math.min(usualContext, context)} tokens`,
        ],
        ['sha256', digestText(file, stored)],
        ...file.sources.map((source): Row => ['source', sourceText(source)]),
        ...(file.note === undefined ? [] : ([['note', file.note]] as const)),
        ['here', placeOf(file, stored) ?? `no: rawcall models pull ${name}:${file.quantisation}`],
      ]),
    ].join('\n'),
  );
  return `${[...lines(rows), ...parts].join('\n')}\n`;
}

function adapterPage(adapter: CatalogAdapter): string {
  const { title, makers, base, scale, format, goodAt, note, card, file } = adapter;
  return `${lines([
    ['adapter', `${title}, by ${makers}`],
    ['licence', licenceText(adapter)],
    ['base', `the model whose file has SHA-256 ${base}`],
    ['scale', String(scale)],
    ['format', format],
    ['size', sizeText(file)],
    ['sha256', file.sha256 ?? 'none'],
    ...file.sources.map((source): Row => ['source', sourceText(source)]),
    ...goodAt.map(({ what, figure, source }): Row => ['good at', `${what}: ${figure} (${source})`]),
    ...(card === undefined ? [] : ([['card', card]] as const)),
    ...(note === undefined ? [] : ([['note', note]] as const)),
  ]).join('\n')}\n`;
}

function lines(rows: readonly Row[]): string[] {
  return rows.map(([what, text]) => visible(text === '' ? what : `${what.padEnd(12)}${text}`));
}

function licenceText({ licence }: Pick<CatalogModel, 'licence'>): string {
  return licence.url === undefined ? licence.name : `${licence.name} (${licence.url})`;
}

function sizeText(file: CatalogFile): string {
  return file.size.exact
    ? `${sizeOf(file)} (${file.size.bytes} bytes)`
    : `${sizeOf(file)}: about, because the file was not seen when the catalog was written`;
}

function digestText({ sha256, quantisation }: CatalogFile, stored: readonly StoredModel[]): string {
  if (sha256 !== undefined) return `${sha256} (pinned in the catalog)`;
  const here = stored.find(one => one.quantisation === quantisation);
  if (!here) return 'not in the catalog: what the hub declares holds, and is kept with the file';
  const whose =
    here.voucher === 'hub' ? 'declared by the hub when it was pulled' : 'counted when it came here';
  return `${here.files.map(one => one.sha256).join(', ')} (${whose}; kept since)`;
}

function placeOf({ quantisation }: CatalogFile, stored: readonly StoredModel[]): string | undefined {
  return stored.find(one => one.quantisation === quantisation)?.files[0].path;
}
