/** What a transcript says of the model. */
import { fileIdentity } from '../engine/llama/identity.ts';
import type { LoraAdapter } from '../engine/llama.ts';
import { type Format, formats } from '../format.ts';
import { jinjaCalls, type ModelTemplate } from '../open-format.ts';
import type { TranscriptFile, TranscriptModel } from './transcript.ts';

export interface RecordedModel {
  readonly name: string;
  readonly format: Format;
  /** Of a module with a format: where it is. */
  readonly formatPath?: string;
  readonly contextSize?: number;
  readonly parameters?: number;
  readonly controlTokens?: ReadonlySet<string>;
  /** The GGUF, where there is one. */
  readonly path?: string;
  readonly lora?: readonly LoraAdapter[];
  /** What a format in Jinja was made of. */
  readonly template?: ModelTemplate;
}

export async function modelRecord(model: RecordedModel): Promise<TranscriptModel> {
  const { name, format, formatPath, contextSize, parameters, controlTokens, path, template = {} } = model;
  const adapters = (model.lora ?? []).map(async ({ path: file, scale = 1 }) => ({
    file: await fileRecord(file),
    scale,
  }));
  const { chatTemplate, bosToken, eosToken } = jinjaCalls(format.name) ? template : {};
  return {
    name,
    format: formatPath ?? format.name,
    ...(path === undefined ? {} : { file: await fileRecord(path) }),
    ...(adapters.length === 0 ? {} : { lora: await Promise.all(adapters) }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(contextSize === undefined || contextSize === Number.POSITIVE_INFINITY ? {} : { contextSize }),
    ...(controlTokens ? { controlTokens: meant(controlTokens, format) } : {}),
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
    ...(bosToken === undefined ? {} : { bosToken }),
    ...(eosToken === undefined ? {} : { eosToken }),
  };
}

async function fileRecord(path: string): Promise<TranscriptFile> {
  const { size, sha256 } = await fileIdentity(path);
  return { size, sha256 };
}

/** A vocabulary may have thousands of them, and most are there for nobody. */
function meant(controlTokens: ReadonlySet<string>, format: Format): string[] {
  const known = new Set(
    [...formats, format].flatMap(({ template }) => [...template.controlTokens, ...template.stops]),
  );
  return [...controlTokens].filter(token => known.has(token));
}
