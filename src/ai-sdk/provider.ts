/** A provider for the AI SDK: GGUF files as language models, without a server. The package's `rawcall/ai-sdk`. */
import type { LanguageModelV3, ProviderV3 } from '@ai-sdk/provider';
import { RawcallError } from '../../parsers/error.ts';
import { type LlamaEngine, type LlamaOptions, openLlamaEngine } from '../engine/llama.ts';
import type { Format } from '../format.ts';
import { formatOf } from '../format-of.ts';
import { rawModel } from '../model/raw.ts';
import { openService, type Service } from '../server/service.ts';
import { serviceModel } from './language-model.ts';

export { type LanguageModelOptions, languageModel } from './language-model.ts';

export interface RawcallOptions extends Omit<LlamaOptions, 'model' | 'signal'> {
  /** A format's name, as `openFormat` takes it, or a format of your own. Default: it is found in the model's chat template. */
  readonly format?: string | Format;
}

export interface RawcallProvider extends ProviderV3 {
  /** The model of a GGUF file; it is loaded at its first call and kept. */
  (path: string): LanguageModelV3;
  /** Frees the models. One that is called again is loaded again. */
  close(): Promise<void>;
}

interface Opened {
  readonly engine: LlamaEngine;
  readonly service: Service;
}

/** Models of one path share what is loaded. */
export function createRawcall({ format, ...options }: RawcallOptions = {}): RawcallProvider {
  const models = new Map<string, Promise<Opened>>();

  async function load(model: string): Promise<Opened> {
    const engine = await openLlamaEngine({ ...options, model });
    try {
      const own = typeof format === 'object' ? format : await formatOf(engine, format);
      const constrains = own.parser.grammar !== undefined;
      return { engine, service: openService({ model: rawModel(engine, own), id: model, constrains }) };
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  async function open(model: string): Promise<Service> {
    const opening = models.get(model) ?? load(model);
    models.set(model, opening);
    try {
      return (await opening).service;
    } catch (error) {
      // The next call may find what was missing.
      if (models.get(model) === opening) models.delete(model);
      throw error;
    }
  }

  const provider = (path: string) => serviceModel(path, () => open(path));
  return Object.assign(provider, {
    specificationVersion: 'v3' as const,
    languageModel: provider,
    embeddingModel: (id: string) => noSuchModel('embedding model', id),
    imageModel: (id: string) => noSuchModel('image model', id),
    async close() {
      const all = [...models.values()];
      models.clear();
      for (const one of await Promise.allSettled(all))
        if (one.status === 'fulfilled') await one.value.engine.close();
    },
  });
}

function noSuchModel(kind: string, id: string): never {
  throw new RawcallError(
    'unsupported_model_kind',
    `"${id}" as an ${kind}: rawcall has language models only.`,
    {
      kind,
      id,
    },
  );
}
