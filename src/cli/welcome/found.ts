/** What there is to begin with: settings, models, servers, and what computes. */
import { type Catalog, readCatalog } from '../../catalog/catalog.ts';
import { describeComputer } from '../../engine/llama.ts';
import { bytesText } from '../../store/bytes-text.ts';
import { findElsewhere } from '../../store/elsewhere.ts';
import { openStore } from '../../store/store.ts';
import { counted } from '../doctor/section.ts';
import { configuredServers } from '../mcp/open.ts';
import { catalogFile } from '../package.ts';
import type { Context } from '../program.ts';

export interface Found {
  readonly catalog: Catalog;
  /** As the settings have it: a model's name or path, or an endpoint. */
  readonly chosen?: string;
  /** In the store, as they are given to `--model`. */
  readonly stored: readonly string[];
  /** Models of the catalog that other programs have downloaded, and which program. */
  readonly elsewhere: readonly { readonly name: string; readonly program: string }[];
  readonly servers: readonly string[];
  /** What computes, or why nothing does. */
  readonly computer: string;
  readonly configFile?: string;
}

export async function lookAround(context: Context): Promise<Found> {
  const { values, configFile } = context;
  const catalog = await readCatalog(values.catalog ?? catalogFile);
  const stored = (await openStore().list()).map(({ name, quantisation }) => `${name}:${quantisation}`);
  const elsewhere: { name: string; program: string }[] = [];
  for (const { name, files } of catalog.models)
    for (const { quantisation, sources, size, sha256 } of files) {
      const found = await findElsewhere({
        sources,
        ...(size.exact ? { size: size.bytes } : {}),
        ...(sha256 === undefined ? {} : { sha256 }),
      });
      if (found) elsewhere.push({ name: `${name}:${quantisation}`, program: found.program });
    }
  const chosen = values.endpoint?.join(', ') ?? values.model;
  return {
    catalog,
    ...(chosen === undefined ? {} : { chosen }),
    stored,
    elsewhere,
    servers: (await configuredServers(context)).map(({ name }) => name),
    computer: await computerText(values.gpu),
    ...(configFile === undefined ? {} : { configFile }),
  };
}

/** No greeting fails because a GPU does. */
async function computerText(gpu: Context['values']['gpu']): Promise<string> {
  try {
    const { gpu: kind, devices, vram, mathCores } = await describeComputer(gpu);
    if (kind === undefined) return `none; ${counted(mathCores, 'core')} of the CPU will compute`;
    const free = vram ? `, ${bytesText(vram.free)} of its memory are free` : '';
    return `${devices.join(', ') || 'unnamed'} (${kind})${free}`;
  } catch (error) {
    return `not usable: ${error instanceof Error ? error.message : String(error)}`;
  }
}
