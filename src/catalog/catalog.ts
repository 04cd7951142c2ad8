/** What the catalog says of models and adapters; models/catalog.yaml has the facts, docs/models.md the keys. */
import { RawcallError } from '../../parsers/error.ts';
import { checkShape } from '../check-shape.ts';
import { readYaml } from '../yaml-file.ts';
import { catalogKeys, catalogSchema } from './schema.ts';
import type { Source } from './source.ts';

export interface Catalog {
  readonly file: string;
  readonly models: readonly CatalogModel[];
  readonly adapters: readonly CatalogAdapter[];
}

/** What models and adapters have in common. */
export interface Entry {
  readonly name: string;
  readonly title: string;
  readonly makers: string;
  readonly licence: Licence;
  /** The page that the facts come from. */
  readonly card?: string;
  /** A format's name, or jinja. */
  readonly format: string;
  readonly sampling?: Sampling;
  readonly goodAt: readonly Figure[];
  /** What one should know before one takes it. */
  readonly note?: string;
}

export interface CatalogModel extends Entry {
  readonly parameters: number;
  /** Of a mixture of experts: those that work on one token. */
  readonly activeParameters?: number;
  /** Tokens that it was trained on. */
  readonly context: number;
  /** Its layers with a KV cache. Absent where it is not known. */
  readonly attention?: Attention;
  /** The first is the one that is meant where none is named. */
  readonly files: readonly CatalogFile[];
}

export interface CatalogAdapter extends Entry {
  /** The SHA-256 of the only file that it fits. */
  readonly base: string;
  readonly scale: number;
  readonly file: CatalogFile;
}

export interface CatalogFile {
  /** `Q4_K_M` and the like; of an adapter, what its numbers are. */
  readonly quantisation: string;
  readonly size: Size;
  /** Absent where nobody could see the file when the catalog was written: its hub's own digest holds then. */
  readonly sha256?: string;
  /** In the order in which they are tried. */
  readonly sources: readonly Source[];
  readonly note?: string;
}

export interface Size {
  readonly bytes: number;
  /** False: told by somebody in round figures, or reckoned from parameters and quantisation. */
  readonly exact: boolean;
}

export interface Licence {
  /** An SPDX identifier where there is one. */
  readonly name: string;
  readonly url?: string;
}

/** As the makers advise it. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly repeatPenalty?: number;
  readonly source: string;
}

export interface Figure {
  readonly what: string;
  readonly figure: string;
  readonly source: string;
}

export interface Attention {
  readonly layers: number;
  readonly kvHeads: number;
  readonly headSize: number;
}

/** @throws RawcallError `bad_catalog`, with `FILE:LINE` and the key */
export async function readCatalog(file: string): Promise<Catalog> {
  const yaml = await readYaml(file, (...about) => new RawcallError('bad_catalog', ...about));
  const checked = checkShape(catalogSchema, yaml.value, catalogKeys);
  if ('value' in checked) return { file, ...checked.value };
  const lines = checked.faults.map(({ path, message }) => `${yaml.place(path)}: ${message}.`);
  throw new RawcallError('bad_catalog', lines.join('\n'), { file, faults: checked.faults });
}
