/** What a transcript says of the model. */
import { fileIdentity } from '../engine/llama/identity.ts';
import { type Format, formats } from '../format.ts';
import { jinjaCalls, type ModelTemplate } from '../open-format.ts';
import type { TranscriptModel } from './transcript.ts';

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
  /** What a format in Jinja was made of. */
  readonly template?: ModelTemplate;
}

export async function modelRecord(model: RecordedModel): Promise<TranscriptModel> {
  const { name, format, formatPath, contextSize, parameters, controlTokens, path, template = {} } = model;
  const file = path === undefined ? undefined : await fileIdentity(path);
  const { chatTemplate, bosToken, eosToken } = jinjaCalls(format.name) ? template : {};
  return {
    name,
    format: formatPath ?? format.name,
    ...(file ? { file: { size: file.size, sha256: file.sha256 } } : {}),
    ...(parameters === undefined ? {} : { parameters }),
    ...(contextSize === undefined || contextSize === Number.POSITIVE_INFINITY ? {} : { contextSize }),
    ...(controlTokens ? { controlTokens: meant(controlTokens, format) } : {}),
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
    ...(bosToken === undefined ? {} : { bosToken }),
    ...(eosToken === undefined ? {} : { eosToken }),
  };
}

/** A vocabulary may have thousands of them, and most are there for nobody. */
function meant(controlTokens: ReadonlySet<string>, format: Format): string[] {
  const known = new Set(
    [...formats, format].flatMap(({ template }) => [...template.controlTokens, ...template.stops]),
  );
  return [...controlTokens].filter(token => known.has(token));
}
