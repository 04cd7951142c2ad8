/** The GGUF and the format it speaks. */
import { readChatTemplate } from '../chat-template-file.ts';
import {
  type LlamaEngine,
  type LlamaOptions,
  type LlamaVocabulary,
  openLlamaEngine,
  openLlamaVocabulary,
} from '../engine/llama.ts';
import { type Format, formatNamed } from '../format.ts';
import { foundFormat, type TemplateSource, templateOf } from '../format-of.ts';
import { jinjaCalls, type ModelTemplate, openFormat } from '../open-format.ts';
import { openAdapters } from './adapters.ts';
import { stateFolder } from './folders.ts';
import type { Closing } from './lifetime.ts';
import { modelFile } from './named-model.ts';
import type { Values } from './settings.ts';
import { notice } from './show.ts';

export interface OpenModel {
  readonly engine: LlamaEngine;
  readonly format: Format;
}

export async function openModel(
  values: Values,
  lifetime: Closing,
  parallel?: LlamaOptions['parallel'],
): Promise<OpenModel> {
  const named = await namedFormat(values);
  const engine = await openEngine(values, lifetime, parallel);
  return { engine, format: named ?? (await modelFormat(values, engine)) };
}

/** Of whatever format its model is. */
export async function openEngine(
  values: Values,
  lifetime: Closing,
  parallel?: LlamaOptions['parallel'],
): Promise<LlamaEngine> {
  const { contextSize, gpu, gpuLayers, threads, cache = true, cacheLimit } = values;
  const model = await modelFile(values, lifetime);
  const engine = await openLlamaEngine({
    model,
    lora: await openAdapters(values, model),
    ...(contextSize === undefined ? {} : { contextSize }),
    ...(parallel === undefined ? {} : { parallel }),
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
export async function openVocabulary(values: Values, lifetime: Closing): Promise<LlamaVocabulary> {
  const vocabulary = await openLlamaVocabulary({ model: await modelFile(values, lifetime) });
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
  const fromModel = model ? templateOf(model) : {};
  const template: ModelTemplate = { ...fromModel, ...fromFile };
  const path = file ?? model?.info.path ?? '';
  if (name === undefined) return foundFormat(path, template);
  const { chatTemplate } = template;
  // The vocabulary is the model's, whatever a file says.
  const format = await openFormat(name, {
    ...fromFile,
    ...fromModel,
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
  });
  for (const note of format.notes ?? []) notice(`${path}: ${note}.`);
  return format;
}

/** What a format in Jinja is made of: a file's chat template before the model's own, whose vocabulary holds. */
export async function modelTemplate(
  { chatTemplate: file }: Values,
  model: TemplateSource,
): Promise<ModelTemplate> {
  const fromModel = templateOf(model);
  const { chatTemplate = fromModel.chatTemplate, ...fromFile }: ModelTemplate =
    file === undefined ? {} : await readChatTemplate(file);
  return { ...fromFile, ...fromModel, ...(chatTemplate === undefined ? {} : { chatTemplate }) };
}
