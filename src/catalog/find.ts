/** The model that a name means: `NAME`, or `NAME:QUANTISATION`. */
import { RawcallError } from '../../parsers/error.ts';
import { nearest } from '../nearest.ts';
import type { Catalog, CatalogFile, CatalogModel } from './catalog.ts';

export interface FoundModel {
  readonly model: CatalogModel;
  readonly file: CatalogFile;
}

/** Whether a text has the form of a name; a path of a GGUF has not, unless it says nothing but a bare word. */
export function isModelName(text: string): boolean {
  return /^[a-z0-9][a-z0-9.-]*(?::[A-Za-z0-9][\w.-]*)?$/.test(text) && !/\.gguf$/i.test(text);
}

/** @throws RawcallError `unknown_model` */
export function findModel({ models }: Catalog, text: string): FoundModel {
  const [name = '', quantisation] = text.split(':');
  const model = models.find(one => one.name === name);
  if (!model) {
    const names = models.map(one => one.name);
    const meant = begun(name, names) ?? nearest(name, names);
    throw new RawcallError(
      'unknown_model',
      `The catalog has no model "${name}". ${meant ? `Is it ${meant}? ` : ''}See them all: rawcall models list`,
      { name, ...(meant === undefined ? {} : { meant }) },
    );
  }
  const file = model.files.find(
    one => quantisation === undefined || one.quantisation.toLowerCase() === quantisation.toLowerCase(),
  );
  if (file) return { model, file };
  const known = model.files.map(one => one.quantisation);
  throw new RawcallError(
    'unknown_model',
    `${name} has no file ${quantisation}; it has ${known.join(', ')}: ${name}:${known[0]}`,
    { name, quantisation, known },
  );
}

/** A family's name is known to everybody, its sizes are not. */
function begun(name: string, names: readonly string[]): string | undefined {
  const all = names.filter(one => one.startsWith(name.toLowerCase()));
  if (name === '' || all.length === 0) return undefined;
  return all.length > 6 ? `${all.slice(0, 6).join(', ')} or another` : all.join(' or ');
}
