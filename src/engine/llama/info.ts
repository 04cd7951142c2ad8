/** What a GGUF file says about its model: what a format is detected from, and what people are shown. */
import path from 'node:path';
import type { LlamaModel } from 'node-llama-cpp';
import type { Vocabulary } from './vocabulary.ts';

export interface LlamaInfo {
  readonly path: string;
  /** The name in the metadata, or else the file's. */
  readonly name: string;
  readonly architecture: string;
  /** The model's own chat template, in Jinja. */
  readonly chatTemplate?: string;
  /** The tokens that begin and end a sequence, as texts. */
  readonly bosToken?: string;
  readonly eosToken?: string;
  readonly trainContextSize: number;
  readonly vocabularySize: number;
  /** How many numbers the weights are. */
  readonly parameters: number;
  /** Of the weights, in bytes. */
  readonly size: number;
  readonly gpuLayers: number;
}

export function modelInfo(file: string, model: LlamaModel, vocabulary: Vocabulary): LlamaInfo {
  const { general, tokenizer } = model.fileInfo.metadata;
  const chatTemplate = tokenizer.chat_template;
  const { bosString, eosString } = model.tokens;
  return {
    path: file,
    name: general.name ?? path.basename(file, '.gguf'),
    architecture: general.architecture,
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
    ...(bosString === null ? {} : { bosToken: bosString }),
    ...(eosString === null ? {} : { eosToken: eosString }),
    trainContextSize: model.fileInsights.trainContextSize ?? 0,
    vocabularySize: vocabulary.size,
    parameters: parametersOf(model),
    size: model.fileInsights.modelSize,
    gpuLayers: model.gpuLayers,
  };
}

function parametersOf({ fileInfo }: LlamaModel): number {
  const tensors = fileInfo.fullTensorInfo ?? [];
  return tensors.reduce(
    (sum, { dimensions }) => sum + dimensions.reduce<number>((product, size) => product * Number(size), 1),
    0,
  );
}
