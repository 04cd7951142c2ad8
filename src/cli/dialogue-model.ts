/** What a dialogue is held with: a GGUF of one's own, or endpoints elsewhere. */
import path from 'node:path';
import type { LlamaEngine } from '../engine/llama.ts';
import type { Format } from '../format.ts';
import { isFormatPath } from '../format-module.ts';
import type { TemplateSource } from '../format-of.ts';
import type { Host } from '../mcp/host.ts';
import type { Model } from '../model/model.ts';
import { rawModel } from '../model/raw.ts';
import type { Speaker } from '../playground/desk.ts';
import type { RawParts } from '../server/service.ts';
import { modelRecord } from '../transcript/model-record.ts';
import type { TranscriptModel } from '../transcript/transcript.ts';
import { openEndpointModel } from './endpoint-model.ts';
import { usageError } from './exit.ts';
import type { Closing } from './lifetime.ts';
import { modelTemplate, type OpenModel, openModel } from './open-model.ts';
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
  /** What takes prompts of our own; absent where the model is driven by somebody else's. */
  readonly raw?: RawParts & { readonly source?: TemplateSource };
  /** `origin`: whose tools they are, for `--tool-schemas`. */
  model(origin: Host['origin']): Model;
}

export async function openDialogueModel(values: Values, lifetime: Closing): Promise<DialogueModel> {
  if (values.endpoint !== undefined) return openEndpointModel(values, values.endpoint, lifetime);
  const alone = (['api', 'endpointModel', 'endpointKey', 'untrusted'] as const).find(
    name => values[name] !== undefined,
  );
  if (alone)
    throw usageError(
      `${flagOf(alone)} says how an endpoint is asked, and there is none: give --endpoint, or leave it out.`,
    );
  return modelHere(await openModel(values, lifetime), values);
}

/** With a model that is open here. */
export async function modelHere(opened: OpenModel, values: Values): Promise<DialogueModel> {
  const { engine, format } = opened;
  return {
    ...(await aboutModel(engine, format, values)),
    raw: { ...opened, source: engine },
    model: origin => rawModel(engine, withShownSchemas(format, values, origin)),
  };
}

/** All of it but the model, of one that is open here. */
export async function aboutModel(
  engine: LlamaEngine,
  format: Format,
  values: Values,
): Promise<Omit<DialogueModel, 'model' | 'raw'>> {
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
      lora: engine.lora,
      template: await modelTemplate(values, engine),
      ...formatPath(values),
    }),
  };
}

/** A module is opened again from where it is. */
export function formatPath({ format }: Values): { readonly formatPath?: string } {
  return format !== undefined && isFormatPath(format) ? { formatPath: path.resolve(format) } : {};
}
