import { type Reference, whole } from '../reference.ts';
import { withCalls } from './lfm2.ts';

export const reference: Reference = {
  format: 'lfm2.5',
  files: ['LFM2.5-8B-A1B.jinja'],
  bos: '<|startoftext|>',
  covers: whole,
  callsAsContent: withCalls,
  corrections: [
    // The chat API's name for it.
    ['message.thinking', 'message.reasoning_content'],
    // Marks what a trainer learns from; @huggingface/jinja does not know them.
    ['{%- generation -%}', ''],
    ['{%- endgeneration -%}', ''],
  ],
};
