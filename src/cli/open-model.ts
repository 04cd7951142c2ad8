/** The GGUF and the format it speaks. */
import { RawcallError } from '../../parsers/error.ts';
import { readChatTemplate } from '../chat-template-file.ts';
import { detectFormat, type ModelMetadata } from '../detect-format.ts';
import {
  type LlamaEngine,
  type LlamaInfo,
  type LlamaVocabulary,
  openLlamaEngine,
  openLlamaVocabulary,
} from '../engine/llama.ts';
import { type Format, formatNamed, formats } from '../format.ts';
import { jinjaCalls, type ModelTemplate, openFormat } from '../open-format.ts';
import { stateFolder } from './cache-folder.ts';
import type { Lifetime } from './lifetime.ts';
import { practiceModel } from './package.ts';
import type { Values } from './settings.ts';
import { notice } from './show.ts';

export interface OpenModel {
  readonly engine: LlamaEngine;
  readonly format: Format;
}

/** A model that brings a chat template, here or elsewhere. `path` is where it is. */
export interface TemplateSource {
  readonly info: Pick<LlamaInfo, 'path' | 'chatTemplate' | 'bosToken' | 'eosToken'>;
  /** Absent: they are not known. */
  readonly controlTokens?: ReadonlySet<string>;
}

export async function openModel(values: Values, lifetime: Lifetime): Promise<OpenModel> {
  const named = await namedFormat(values);
  const engine = await openEngine(values, lifetime);
  return { engine, format: named ?? (await modelFormat(values, engine)) };
}

/** Of whatever format its model is. */
export async function openEngine(values: Values, lifetime: Lifetime): Promise<LlamaEngine> {
  const { contextSize, gpu, gpuLayers, threads, cache = true, cacheLimit } = values;
  const engine = await openLlamaEngine({
    model: values.model ?? practiceModel,
    ...(contextSize === undefined ? {} : { contextSize }),
    ...(gpu === undefined ? {} : { gpu }),
    ...(gpuLayers === undefined ? {} : { gpuLayers }),
    ...(threads === undefined ? {} : { threads }),
    ...(cache ? { stateFolder: stateFolder() } : {}),
    ...(cacheLimit === undefined ? {} : { stateLimit: cacheLimit * 1024 ** 2 }),
    onNotice: notice,
  });
  lifetime.closeAtEnd(() => engine.close());
  return engine;
}

/** Only what tokenising needs, which loads at once whatever the model's size. */
export async function openVocabulary(values: Values, lifetime: Lifetime): Promise<LlamaVocabulary> {
  const vocabulary = await openLlamaVocabulary({ model: values.model ?? practiceModel });
  lifetime.closeAtEnd(() => vocabulary.close());
  return vocabulary;
}

/** A format that needs no model. It is opened before one is: a mistyped name must not cost the loading of a model. */
export async function namedFormat({ format }: Values): Promise<Format | undefined> {
  if (format === undefined) return undefined;
  const jinja = jinjaCalls(format);
  if (!jinja) return openFormat(format);
  if (jinja.calls !== undefined) formatNamed(jinja.calls);
  return undefined;
}

/**
 * The format of a model, or of a file with its chat template: the one that was found, or `jinja` where that was asked for.
 *
 * @throws RawcallError `format_not_detected`, and those of `openFormat`
 */
export async function modelFormat(
  { format: name, chatTemplate: file }: Values,
  model: TemplateSource | undefined,
): Promise<Format> {
  const fromFile = file === undefined ? {} : await readChatTemplate(file);
  const { chatTemplate, controlTokens }: ModelTemplate = { ...fromModel(model), ...fromFile };
  if (name !== undefined) {
    // The vocabulary is the model's, whatever a file says.
    const format = await openFormat(name, {
      ...fromFile,
      ...fromModel(model),
      ...(chatTemplate === undefined ? {} : { chatTemplate }),
    });
    for (const note of format.notes ?? []) notice(`${file ?? model?.info.path}: ${note}.`);
    return format;
  }
  return detected(file ?? model?.info.path ?? '', {
    ...(controlTokens ? { tokens: new Set(controlTokens) } : {}),
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
  });
}

function fromModel(model: TemplateSource | undefined): ModelTemplate {
  if (!model) return {};
  const { chatTemplate, bosToken, eosToken } = model.info;
  return {
    ...(model.controlTokens ? { controlTokens: model.controlTokens } : {}),
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
    ...(bosToken === undefined ? {} : { bosToken }),
    ...(eosToken === undefined ? {} : { eosToken }),
  };
}

async function detected(path: string, metadata: ModelMetadata): Promise<Format> {
  const { format, reason } = await detectFormat(metadata);
  if (format) return format;
  const names = formats.map(({ name }) => name).join(', ');
  const jinja =
    metadata.chatTemplate === undefined ? '' : ', or jinja, which renders the chat template itself';
  const message = `${path}: which format it speaks was not recognised: ${reason}. Give --format (${names}${jinja}).`;
  throw new RawcallError('format_not_detected', message, { path, reason });
}
