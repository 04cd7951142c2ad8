/** The format that a transcript is read with: the recording's own, or another one to see what it changes. */
import { RawcallError } from '../../parsers/error.ts';
import { type ModelTemplate, openFormat } from '../open-format.ts';
import type { TranscriptHeader } from '../transcript/transcript.ts';
import type { ReplayFormat } from './recorded-model.ts';

export interface OtherFormat {
  /** As `openFormat` takes it. */
  readonly format?: string;
  /** A chat template in place of the recorded one. */
  readonly template?: ModelTemplate;
}

/** @throws RawcallError `usage` where there is nothing to try another format on; those of `openFormat` */
export async function recordedFormat(
  { model }: Pick<TranscriptHeader, 'model'>,
  { format, template }: OtherFormat = {},
): Promise<ReplayFormat> {
  if (model.format === 'chat') {
    if (format === undefined && template === undefined) return 'chat';
    throw new RawcallError(
      'usage',
      'The recording is of an endpoint that wrote its own prompts (--api chat), so there is no --format to try.',
    );
  }
  const { bosToken, eosToken, controlTokens, chatTemplate } = model;
  const name = format ?? (template && !chatTemplate ? 'jinja' : model.format);
  return openFormat(name, {
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
    ...(bosToken === undefined ? {} : { bosToken }),
    ...(eosToken === undefined ? {} : { eosToken }),
    ...(controlTokens === undefined ? {} : { controlTokens }),
    ...template,
  });
}
