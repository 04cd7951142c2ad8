/** What a dialogue is held with: a GGUF of one's own, or endpoints elsewhere. */
import type { Host } from '../mcp/host.ts';
import type { Model } from '../model/model.ts';
import { rawModel } from '../model/raw.ts';
import { openEndpointModel } from './endpoint-model.ts';
import { usageError } from './exit.ts';
import type { Lifetime } from './lifetime.ts';
import { openModel } from './open-model.ts';
import type { Speaker } from './saved.ts';
import { flagOf, type Values } from './settings.ts';
import { withShownSchemas } from './shown-schemas.ts';

export interface DialogueModel {
  readonly speaker: Speaker;
  /** How many numbers its weights are, where that is known. */
  readonly parameters?: number;
  /** In tokens; without end where it is not known. */
  readonly contextSize: number;
  /** `origin`: whose tools they are, for `--tool-schemas`. */
  model(origin: Host['origin']): Model;
}

export async function openDialogueModel(values: Values, lifetime: Lifetime): Promise<DialogueModel> {
  if (values.endpoint !== undefined) return openEndpointModel(values, values.endpoint, lifetime);
  const alone = (['api', 'endpointModel', 'endpointKey', 'untrusted'] as const).find(
    name => values[name] !== undefined,
  );
  if (alone)
    throw usageError(
      `${flagOf(alone)} says how an endpoint is asked, and there is none: give --endpoint, or leave it out.`,
    );
  const { engine, format } = await openModel(values, lifetime);
  const { contextSize, info } = engine;
  return {
    speaker: { model: engine.name, format: format.name, vocabularySize: info.vocabularySize },
    parameters: info.parameters,
    contextSize,
    model: origin => rawModel(engine, withShownSchemas(format, values, origin)),
  };
}
