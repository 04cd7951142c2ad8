/** What `--lora` names: files of LoRA adapters, or adapters of the catalog, each with its scale behind a colon. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RawcallError } from '../../parsers/error.ts';
import { type Catalog, type CatalogAdapter, readCatalog } from '../catalog/catalog.ts';
import { isModelName } from '../catalog/find.ts';
import type { LoraAdapter } from '../engine/llama.ts';
import { usageError } from './exit.ts';
import { catalogFile } from './package.ts';
import type { Values } from './settings.ts';

/** @throws RawcallError `usage`, `lora_not_found`, `lora_other_base`, `bad_catalog` */
export async function openAdapters(
  { lora = [], catalog: file = catalogFile }: Values,
  model: string,
): Promise<LoraAdapter[]> {
  if (lora.length === 0) return [];
  const catalog = await readCatalog(file);
  return Promise.all(lora.map(text => openAdapter(text, catalog, model)));
}

async function openAdapter(text: string, catalog: Catalog, model: string): Promise<LoraAdapter> {
  const { name, scale } = parseLora(text);
  const named = existsSync(name) ? undefined : adapterNamed(name, catalog);
  const file = named?.path ?? name;
  const known = named?.adapter ?? (await adapterOf(file, catalog));
  if (known) await checkBase(known, file, model);
  const added = scale ?? known?.scale;
  return { path: file, ...(added === undefined ? {} : { scale: added }) };
}

/** A colon may be part of a path, too: that of a file that is there, or of a drive. */
function parseLora(text: string): { readonly name: string; readonly scale?: number } {
  const [, name = text, scale] = /^(.+):([^:/\\]*)$/.exec(text) ?? [];
  if (scale === undefined || existsSync(text)) return { name: text };
  if (scale.trim() === '' || !Number.isFinite(Number(scale)))
    throw usageError(
      `--lora ${text}: the scale behind the colon must be a number, such as ${name}:0.5, and not "${scale}".`,
    );
  return { name, scale: Number(scale) };
}

function adapterNamed(
  name: string,
  { adapters, file }: Catalog,
): { readonly path: string; readonly adapter: CatalogAdapter } | undefined {
  const adapter = adapters.find(one => one.name === name);
  for (const source of adapter?.file.sources ?? []) {
    const local = source.kind === 'path' ? path.resolve(path.dirname(file), source.path) : '';
    if (adapter && existsSync(local)) return { path: local, adapter };
  }
  if (!isModelName(name)) return undefined;
  const known = adapters.map(one => one.name).join(', ') || 'none';
  throw new RawcallError(
    'lora_not_found',
    `There is no file ${name}, and the catalog has no adapter of that name here. Adapters of the catalog: ${known}.`,
    { name },
  );
}

/** The adapter of the catalog that a file is, by its digest. */
async function adapterOf(file: string, { adapters }: Catalog): Promise<CatalogAdapter | undefined> {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  const alike = adapters.filter(one => one.file.size.bytes === size);
  if (alike.length === 0) return undefined;
  const digest = await sha256(file);
  return alike.find(one => one.file.sha256 === digest);
}

/** Shapes are the same in all models of a family; which weights an adapter was trained on only the digest tells. */
async function checkBase({ name, base }: CatalogAdapter, file: string, model: string): Promise<void> {
  // What is no file is the engine's to say.
  if (!statSync(model, { throwIfNoEntry: false })?.isFile()) return;
  const digest = await sha256(model);
  if (digest === base) return;
  throw new RawcallError(
    'lora_other_base',
    `The adapter ${name} is for another model: for the file with the SHA-256 ${base}, and ${model} has ${digest}. Give the model that it was trained on, or leave the adapter out.`,
    { path: file, name, base, sha256: digest },
  );
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
