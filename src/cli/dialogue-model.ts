/** What a dialogue is held with: a GGUF of one's own, or endpoints elsewhere. */
import path from 'node:path';
import type { LlamaEngine } from '../engine/llama.ts';
import type { Format } from '../format.ts';
import { isFormatPath } from '../format-module.ts';
import type { Host } from '../mcp/host.ts';
import type { Model } from '../model/model.ts';
import { rawModel } from '../model/raw.ts';
import { modelRecord } from '../transcript/model-record.ts';
import type { TranscriptModel } from '../transcript/transcript.ts';
import { openEndpointModel } from './endpoint-model.ts';
import { usageError } from './exit.ts';
import type { Lifetime } from './lifetime.ts';
import { modelTemplate, openModel } from './open-model.ts';
import type { Speaker } from './saved.ts';
import { flagOf, type Values } from './settings.ts';
import { withShownSchemas } from './shown-schemas.ts';

export interface DialogueModel {
  readonly speaker: Speaker;
  /** How many numbers its weights are, where that is known. */
  readonly parameters?: number;
  /** In tokens; without end where it is not known. */
  readonly contextSize: number;
  /** What a transcript says of it. */
  readonly recorded: TranscriptModel;
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
  return {
    ...(await aboutModel(engine, format, values)),
    model: origin => rawModel(engine, withShownSchemas(format, values, origin)),
  };
}

/** All of it but the model, of one that is open here. */
export async function aboutModel(
  engine: LlamaEngine,
  format: Format,
  values: Values,
): Promise<Omit<DialogueModel, 'model'>> {
  const { contextSize, info } = engine;
  return {
    speaker: { model: engine.name, format: format.name, vocabularySize: info.vocabularySize },
    parameters: info.parameters,
    contextSize,
    recorded: await modelRecord({
      name: engine.name,
      format,
      contextSize,
      parameters: info.parameters,
      controlTokens: engine.controlTokens,
      path: info.path,
      template: await modelTemplate(values, engine),
      ...formatPath(values),
    }),
  };
}

/** A module is opened again from where it is. */
export function formatPath({ format }: Values): { readonly formatPath?: string } {
  return format !== undefined && isFormatPath(format) ? { formatPath: path.resolve(format) } : {};
}
