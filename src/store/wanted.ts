/** What the texts that name a model mean: a name of the catalog, a source, or a name that only the store has. */
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { findModel } from '../catalog/find.ts';
import { parseSource, type Source, sourceText } from '../catalog/source.ts';
import type { Wanted } from './pull.ts';
import type { Store } from './store.ts';

/**
 * `NAME`, `NAME:QUANTISATION`, `hf:ORG/REPOSITORY:FILE` or `https://…`.
 *
 * @throws RawcallError `unknown_model`
 */
export async function wantedModel(text: string, catalog: Catalog, store: Store): Promise<Wanted> {
  const source = parseSource(text);
  if (source) return ofSource(source);
  const [name = '', quantisation] = text.split(':');
  if (!catalog.models.some(one => one.name === name)) {
    const stored = (await store.list()).find(
      one => one.name === name && (quantisation === undefined || same(one.quantisation, quantisation)),
    );
    if (stored) return { name, quantisation: stored.quantisation, sources: [] };
  }
  const { model, file } = findModel(catalog, text);
  return {
    name: model.name,
    quantisation: file.quantisation,
    sources: file.sources.map(one => fromFolder(one, path.dirname(catalog.file))),
    ...(file.size.exact ? { size: file.size.bytes } : { about: file.size.bytes }),
    ...(file.sha256 === undefined ? {} : { sha256: file.sha256 }),
  };
}

export const same = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();

function fromFolder(source: Source, folder: string): Source {
  return source.kind === 'path' ? { ...source, path: path.resolve(folder, source.path) } : source;
}

/** A source that no catalog has gets a name of where it is and what it is called, so that two makers' files stay apart. */
function ofSource(source: Source): Wanted {
  const [owner, file] =
    source.kind === 'hub'
      ? [source.repository.split('/')[0] ?? '', path.posix.basename(source.file)]
      : source.kind === 'url'
        ? [new URL(source.url).hostname, path.posix.basename(new URL(source.url).pathname)]
        : ['', ''];
  if (!/\.gguf$/i.test(file))
    throw new RawcallError(
      'unknown_model',
      `${sourceText(source)} names no GGUF file. Give hf:ORG/REPOSITORY:FILE.gguf or the https:// address of one.`,
      { source: sourceText(source) },
    );
  const { name, quantisation } = keyOfFile(file);
  return { name: `${plain(owner)}.${name}`, quantisation, sources: [source] };
}

/** `Some-Model-Q4_K_M-00001-of-00002.gguf` is some-model, Q4_K_M. */
export function keyOfFile(file: string): { readonly name: string; readonly quantisation: string } {
  const stem = path.basename(file).replace(/(-\d{5}-of-\d{5})?\.gguf$/i, '');
  const [, before = stem, quantisation = 'unknown'] =
    /^(.+)[-._]((?:UD-)?I?Q\d\w*|TQ\d_0|MXFP4|BF16|F16|F32)$/i.exec(stem) ?? [];
  return { name: plain(before), quantisation: quantisation.toUpperCase() };
}

function plain(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return name || 'model';
}
