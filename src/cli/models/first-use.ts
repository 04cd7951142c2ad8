/** A model that is asked for by its name: used where it is, and pulled where it is not, after a question. */
import { RawcallError } from '../../../parsers/error.ts';
import { readCatalog } from '../../catalog/catalog.ts';
import { sourceText } from '../../catalog/source.ts';
import { bytesText } from '../../store/bytes-text.ts';
import { locate } from '../../store/locate.ts';
import type { Wanted } from '../../store/pull.ts';
import { openStore } from '../../store/store.ts';
import { wantedModel } from '../../store/wanted.ts';
import { exitCodes } from '../exit.ts';
import type { Closing, Lifetime } from '../lifetime.ts';
import { agreed } from '../lines.ts';
import { catalogFile } from '../package.ts';
import type { Values } from '../settings.ts';
import { pullShown } from './pull.ts';

/**
 * Only whoever has the terminal to themselves, which comes with a whole lifetime, is asked.
 *
 * @throws RawcallError `unknown_model`, `model_not_here`, and those of `pull`
 */
export async function hereOrPulled(
  model: string,
  values: Values,
  closing: Closing | Lifetime,
): Promise<string> {
  const lifetime = 'leave' in closing ? closing : undefined;
  const store = openStore();
  const wanted = await wantedModel(model, await readCatalog(values.catalog ?? catalogFile), store);
  const found = await locate(wanted, store);
  if (found) return found.path;
  const question = `${model} is not here. Pull it (${whatComes(wanted)})?`;
  if (!values.yes && !(lifetime && (await agreed(question, lifetime)))) throw notHere(model, wanted);
  const pulled = await pullShown(model, wanted, values, lifetime);
  // The user stopped it, and knows.
  if (!pulled) return lifetime!.leave(exitCodes.interrupted);
  return pulled.files[0].path;
}

function whatComes({ size, about, sources }: Wanted): string {
  const [source] = sources;
  const text =
    size === undefined ? (about === undefined ? undefined : `about ${bytesText(about)}`) : bytesText(size);
  return [text, source && `from ${sourceText(source)}`].filter(Boolean).join(', ');
}

function notHere(text: string, wanted: Wanted): RawcallError {
  return new RawcallError(
    'model_not_here',
    `${text} is not on this machine (${whatComes(wanted)}). Pull it with: rawcall models pull ${text} (or add --yes)`,
    { name: wanted.name, quantisation: wanted.quantisation },
  );
}
