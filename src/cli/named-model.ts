/** The file that `--model` names: a path, or a model of the catalog or the store, which is pulled first where it is not here. */
import { existsSync } from 'node:fs';
import { isModelName } from '../catalog/find.ts';
import { isAddress } from '../catalog/source.ts';
import type { Closing, Lifetime } from './lifetime.ts';
import { practiceModel } from './package.ts';
import type { Values } from './settings.ts';

/** @throws RawcallError `unknown_model`, `model_not_here`, and those of `pull` */
export async function modelFile(values: Values, closing: Closing | Lifetime): Promise<string> {
  const { model = practiceModel } = values;
  // What is there under that path is meant before a name is.
  if (!isAddress(model) && (!isModelName(model) || existsSync(model))) return model;
  // Whoever gives a path needs nothing of the catalog and the store.
  const { hereOrPulled } = await import('./models/first-use.ts');
  return hereOrPulled(model, values, closing);
}
