import type { ToolCall } from '../../../parsers/parser.ts';
import { printed, type Reference, whole } from '../reference.ts';

const llamaCall = (call: ToolCall) => `{"name": "${call.name}", "parameters": ${printed(call)}}`;

export const reference: Reference = {
  format: 'llama3-json',
  files: [
    'meta-llama-Llama-3.1-8B-Instruct.jinja',
    'meta-llama-Llama-3.2-3B-Instruct.jinja',
    'meta-llama-Llama-3.3-70B-Instruct.jinja',
  ],
  covers: whole,
  bos: '<|begin_of_text|>',
  quotesResults: true,
  // Theirs raises on several calls and drops the content.
  callsAsContent: ({ content, toolCalls = [] }) =>
    content === '' && toolCalls.length === 1 ? undefined : content + toolCalls.map(llamaCall).join('; '),
};
