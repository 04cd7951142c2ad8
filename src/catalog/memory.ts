/** What a model takes of a machine's memory, before any of it is there: weights, cache, and room to work. */
import type { CatalogFile, CatalogModel } from './catalog.ts';

/** Of two numbers of 16 bits (key and value) for each layer and head. */
const bytesOfValue = 2;

/** Of models whose layers are not known: that of Llama 3.1 8B, more than most of their size take. */
const unknownCache = 128 * 1024;

/** What llama.cpp works in, besides, and what the program itself takes. */
const workspace = 250 * 1024 ** 2;

/** In bytes. */
export function cachePerToken({ attention }: Pick<CatalogModel, 'attention'>): number {
  if (!attention) return unknownCache;
  const { layers, kvHeads, headSize } = attention;
  return 2 * layers * kvHeads * headSize * bytesOfValue;
}

/** In bytes. */
export function memoryNeeded(model: CatalogModel, file: CatalogFile, context: number): number {
  return file.size.bytes + context * cachePerToken(model) + workspace;
}

/** The longest context with which the file fits into `memory`, at most what it was trained on; 0 or less where it does not fit. */
export function contextThatFits(model: CatalogModel, file: CatalogFile, memory: number): number {
  const room = memory - file.size.bytes - workspace;
  return Math.min(model.context, Math.floor(room / cachePerToken(model)));
}
