import { lfm2 } from '../../../parsers/lfm2.ts';
import type { AssistantMessage } from '../../../templates/template.ts';
import { type Reference, whole } from '../reference.ts';

/** LFM2's template has no form for calls, and LFM2.5's escapes no quote. */
export const withCalls = ({ content, toolCalls = [] }: AssistantMessage) =>
  content +
  lfm2
    .write(toolCalls)
    .map(piece => piece.text)
    .join('');

export const reference: Reference = {
  format: 'lfm2',
  files: ['LFM2-8B-A1B.jinja'],
  bos: '<|startoftext|>',
  covers: whole,
  callsAsContent: withCalls,
};
