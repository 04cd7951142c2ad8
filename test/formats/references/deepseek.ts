import { deepseek } from '../../../parsers/deepseek.ts';
import type { Reference } from '../reference.ts';

export const reference: Reference = {
  format: 'deepseek',
  files: ['llama-cpp-deepseek-r1.jinja'],
  // Theirs has the last system text alone, and no way not to think.
  covers: ({ id, options }) => id !== 'late-system' && options?.thinking === undefined,
  bos: '<｜begin▁of▁sentence｜>',
  corrections: [
    // DeepSeek's own templates do not end a user's turn, and open each turn's results.
    [
      "message['content'] + '<｜end▁of▁sentence｜>' -}}\n    {%- endif -%}\n    {%- if message['role'] == 'assistant' and not",
      "message['content'] -}}\n    {%- endif -%}\n    {%- if message['role'] == 'assistant' and not",
    ],
    [
      '{%- set ns.is_tool_outputs = false -%}',
      '{%- set ns.is_tool_outputs = false -%}{%- set ns.is_output_first = true -%}',
    ],
  ],
  // Theirs drops the content.
  callsAsContent: ({ content, toolCalls = [] }) =>
    content === ''
      ? undefined
      : content +
        deepseek
          .write(toolCalls)
          .map(piece => piece.text)
          .join(''),
  mend: text =>
    text
      .replaceAll('<｜tool▁outputs▁begin｜>\n', '<｜tool▁outputs▁begin｜>')
      // In DeepSeek's own a reply after results goes on in the same turn.
      .replaceAll(
        /<｜tool▁outputs▁end｜><｜end▁of▁sentence｜>(?:<｜Assistant｜>(?:<think>\n$)?)?/g,
        '<｜tool▁outputs▁end｜>',
      ),
};
