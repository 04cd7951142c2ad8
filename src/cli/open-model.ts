/** The GGUF and the format it speaks. */
import { RawcallError } from '../../parsers/error.ts';
import { detectFormat } from '../detect-format.ts';
import {
  type LlamaEngine,
  type LlamaVocabulary,
  openLlamaEngine,
  openLlamaVocabulary,
} from '../engine/llama.ts';
import { type Format, formatNamed, formats } from '../format.ts';
import type { Lifetime } from './lifetime.ts';
import { practiceModel } from './package.ts';
import type { Values } from './settings.ts';

export interface OpenModel {
  readonly engine: LlamaEngine;
  readonly format: Format;
}

export async function openModel(values: Values, lifetime: Lifetime): Promise<OpenModel> {
  const { contextSize, gpu, gpuLayers, threads } = values;
  // A mistyped name must not cost the loading of a model.
  const named = namedFormat(values);
  const engine = await openLlamaEngine({
    model: values.model ?? practiceModel,
    ...(contextSize === undefined ? {} : { contextSize }),
    ...(gpu === undefined ? {} : { gpu }),
    ...(gpuLayers === undefined ? {} : { gpuLayers }),
    ...(threads === undefined ? {} : { threads }),
  });
  lifetime.closeAtEnd(() => engine.close());
  return { engine, format: named ?? (await detected(engine)) };
}

/** Only what tokenising needs, which loads at once whatever the model's size. */
export async function openVocabulary(values: Values, lifetime: Lifetime): Promise<LlamaVocabulary> {
  const vocabulary = await openLlamaVocabulary({ model: values.model ?? practiceModel });
  lifetime.closeAtEnd(() => vocabulary.close());
  return vocabulary;
}

export function namedFormat({ format }: Values): Format | undefined {
  return format === undefined ? undefined : formatNamed(format);
}

/** @throws RawcallError `format_not_detected` */
export async function detected({
  info,
  controlTokens,
}: Pick<LlamaVocabulary, 'info' | 'controlTokens'>): Promise<Format> {
  const { path, chatTemplate } = info;
  const { format, reason } = await detectFormat({
    tokens: controlTokens,
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
  });
  if (format) return format;
  const names = formats.map(({ name }) => name).join(', ');
  const message = `${path}: which format it speaks was not recognised: ${reason}. Give --format (${names}).`;
  throw new RawcallError('format_not_detected', message, { path, reason });
}
