/** The GGUF and its format. */
import { RawcallError } from '../../parsers/error.ts';
import type { Engine } from '../engine/engine.ts';
import { type Format, formatNamed } from '../format.ts';
import type { Lifetime } from './lifetime.ts';
import { practiceModel } from './package.ts';
import type { Values } from './settings.ts';

export async function openModel(
  values: Values,
  lifetime: Lifetime,
): Promise<{ engine: Engine; format: Format }> {
  throw new RawcallError('x', `${values} ${lifetime} ${formatNamed} ${practiceModel}`);
}
export async function formatFor(values: Values): Promise<Format> {
  return formatNamed(values.format ?? 'llama3');
}
export async function openVocabulary(_model: string, _lifetime: Lifetime): Promise<Engine> {
  throw new RawcallError('x', 'not yet');
}
