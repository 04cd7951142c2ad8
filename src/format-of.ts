/** The format of a model that is open: the one that its chat template gives away, or the one that was named for it. */
import { RawcallError } from '../parsers/error.ts';
import { detectFormat } from './detect-format.ts';
import type { LlamaInfo } from './engine/llama.ts';
import { type Format, formats } from './format.ts';
import { type ModelTemplate, type OpenedFormat, openFormat } from './open-format.ts';

/** A model that brings a chat template, here or elsewhere. `path` is where it is. */
export interface TemplateSource {
  readonly info: Pick<LlamaInfo, 'path' | 'chatTemplate' | 'bosToken' | 'eosToken'>;
  /** Absent: they are not known. */
  readonly controlTokens?: ReadonlySet<string>;
}

/**
 * @param name as `openFormat` takes it. Default: the format is found.
 * @throws RawcallError `format_not_detected`, and those of `openFormat`
 */
export async function formatOf(model: TemplateSource, name?: string): Promise<OpenedFormat> {
  const template = templateOf(model);
  return name === undefined ? foundFormat(model.info.path, template) : openFormat(name, template);
}

export function templateOf({ info, controlTokens }: TemplateSource): ModelTemplate {
  const { chatTemplate, bosToken, eosToken } = info;
  return {
    ...(controlTokens ? { controlTokens } : {}),
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
    ...(bosToken === undefined ? {} : { bosToken }),
    ...(eosToken === undefined ? {} : { eosToken }),
  };
}

/**
 * @param path where the chat template is, for the error
 * @throws RawcallError `format_not_detected`
 */
export async function foundFormat(
  path: string,
  { chatTemplate, controlTokens }: ModelTemplate,
): Promise<Format> {
  const { format, reason } = await detectFormat({
    ...(controlTokens ? { tokens: new Set(controlTokens) } : {}),
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
  });
  if (format) return format;
  const names = formats.map(({ name }) => name).join(', ');
  const jinja = chatTemplate === undefined ? '' : ', or jinja, which renders the chat template itself';
  const message = `${path}: which format it speaks was not recognised: ${reason}. Name its format (--format): ${names}${jinja}.`;
  throw new RawcallError('format_not_detected', message, { path, reason });
}
