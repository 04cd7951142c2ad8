import { bracket } from '../../../parsers/bracket.ts';
import type { Reference } from '../reference.ts';

export const reference: Reference = {
  format: 'llama3',
  files: ['meta-llama-Llama-3.2-3B-Instruct.jinja'],
  // No official template writes bracket calls or asks for them: the frame is compared, with the calls as text.
  covers: ({ tools }) => !tools,
  bos: '<|begin_of_text|>',
  quotesResults: true,
  callsAsContent: ({ content, toolCalls = [] }) =>
    content +
    bracket
      .write(toolCalls)
      .map(piece => piece.text)
      .join(''),
};
