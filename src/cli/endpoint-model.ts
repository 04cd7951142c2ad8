/** A dialogue's model at endpoints elsewhere (`--endpoint`): with our prompts, or behind their own chat API. */
import { completionsEngine } from '../engine/completions.ts';
import { type Endpoint, openEndpoint } from '../engine/endpoint.ts';
import { type Format, formats } from '../format.ts';
import { chatModel } from '../model/chat.ts';
import { rawModel } from '../model/raw.ts';
import { modelRecord } from '../transcript/model-record.ts';
import { type DialogueModel, formatPath } from './dialogue-model.ts';
import { usageError } from './exit.ts';
import type { Closing } from './lifetime.ts';
import { modelFormat, modelTemplate, namedFormat } from './open-model.ts';
import { flagOf, type SettingName, type Values } from './settings.ts';
import { notice } from './show.ts';
import { shownTool, withShownSchemas } from './shown-schemas.ts';

export const keyVariable = 'RAWCALL_ENDPOINT_KEY';

/** What is said of a model that is loaded here. */
const ownModel = ['model', 'lora', 'gpu', 'gpuLayers', 'threads'] as const satisfies readonly SettingName[];
/** What is said of prompts that are written here. */
const ownPrompts = [
  'format',
  'chatTemplate',
  'schema',
  'schemaForm',
  'untrusted',
] as const satisfies readonly SettingName[];

export async function openEndpointModel(
  values: Values,
  urls: readonly string[],
  lifetime: Closing,
): Promise<DialogueModel> {
  const { api = 'completions', endpointModel, contextSize: given } = values;
  refuse(values, ownModel, 'is of a model on this machine, and --endpoint names one elsewhere');
  if (api === 'chat') refuse(values, ownPrompts, 'shapes prompts, which with --api chat the endpoint writes');
  const named = await namedFormat(values);
  const key = values.endpointKey ?? process.env[keyVariable];
  const endpoint = await openEndpoint({
    urls,
    ...(key ? { key } : {}),
    ...(endpointModel === undefined ? {} : { model: endpointModel }),
  });
  const { info } = endpoint;
  const contextSize = given ?? info.contextSize;
  const size = contextSize === undefined ? {} : { contextSize };
  const about = {
    contextSize: contextSize ?? Number.POSITIVE_INFINITY,
    ...(info.parameters === undefined ? {} : { parameters: info.parameters }),
  };
  // Completions are kept without token ids, so that no vocabulary is needed to read them again.
  const speaker = (format: string) => ({ model: info.model, format, vocabularySize: 0 });
  if (api === 'chat')
    return {
      ...about,
      speaker: speaker('chat'),
      recorded: { name: info.model, format: 'chat', ...size },
      model: origin => chatModel(endpoint, { ...size, shown: shownTool(values, origin) }),
    };

  const format = named ?? (await endpointFormat(values, endpoint));
  const engine = await completionsEngine(endpoint, {
    ...size,
    controlTokens: controlTokensOf(format),
    foreignTokens: formats.flatMap(controlTokensOf),
    ...(values.untrusted === undefined ? {} : { untrusted: values.untrusted }),
    onNotice: notice,
  });
  lifetime.closeAtEnd(() => engine.close());
  if (!engine.takesTokens)
    notice(
      `${endpoint.client.url} takes text and no token ids: control words in what users and tools say are ${values.untrusted === 'refuse' ? 'refused' : 'broken'} (--untrusted).`,
    );
  return {
    ...about,
    speaker: speaker(format.name),
    recorded: await modelRecord({
      ...about,
      name: info.model,
      format,
      controlTokens: engine.controlTokens ?? new Set(),
      template: await modelTemplate(values, { info: { ...info, path: endpoint.client.url } }),
      ...formatPath(values),
    }),
    raw: { engine, format },
    model: origin => rawModel(engine, withShownSchemas(format, values, origin)),
  };
}

async function endpointFormat(values: Values, { client, info }: Endpoint): Promise<Format> {
  if (info.chatTemplate === undefined && values.chatTemplate === undefined)
    throw usageError(
      `${client.url} does not tell its chat template. Give --format (rawcall formats lists them) or --chat-template.`,
    );
  return modelFormat(values, { info: { ...info, path: client.url } });
}

const controlTokensOf = ({ template }: Format) => [...template.controlTokens, ...template.stops];

function refuse(values: Values, names: readonly SettingName[], why: string): void {
  const name = names.find(one => values[one] !== undefined);
  if (name) throw usageError(`${flagOf(name)} ${why}. Leave one of them out.`);
}
