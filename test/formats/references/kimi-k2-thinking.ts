import { numbered } from '../call-ids.ts';
import { type Reference, whole } from '../reference.ts';

export const reference: Reference = {
  format: 'kimi-k2-thinking',
  files: ['Kimi-K2-Thinking.jinja'],
  covers: whole,
  // Theirs takes the ids from a queue, which no JavaScript renders; with the results in the order of the calls they are the same.
  equivalent: numbered,
  corrections: [
    ['{%- set _ = tool_response_queue.ids.append(formatted_id) -%}', ''],
    ['if tool_response_queue.ids', 'if message.tool_call_id'],
    ['tool_response_queue.ids.pop(0)', 'message.tool_call_id'],
  ],
};
