import { llama4 } from '../../../parsers/llama4.ts';
import type { Reference } from '../reference.ts';

export const reference: Reference = {
  format: 'llama4',
  files: ['meta-llama-Llama-4-Scout-17B-16E-Instruct.jinja'],
  elsewhere:
    'src/transformers/models/llama4/convert_llama4_weights_to_hf.py of github.com/huggingface/transformers',
  bos: '<|begin_of_text|>',
  // The template asks for JSON calls and shows them so: the frame is compared, with our calls as text.
  covers: ({ tools }) => !tools,
  quotesResults: true,
  callsAsContent: ({ content, toolCalls = [] }) =>
    content +
    llama4
      .write(toolCalls)
      .map(piece => piece.text)
      .join(''),
};
