import { mistralCallId } from '../../../parsers/mistral-id.ts';
import { withCallIds } from '../call-ids.ts';
import { printed, type Reference } from '../reference.ts';

export const reference: Reference = {
  format: 'mistral-v3',
  files: ['mistralai-Mistral-Nemo-Instruct-2407.jinja'],
  // Theirs raises on roles that do not alternate.
  covers: ({ id }) => id !== 'late-system' && id !== 'no-user' && id !== 'tools-in-system',
  bos: '<s>',
  eos: '</s>',
  equivalent: dialogue => withCallIds(dialogue, id => mistralCallId({ id })),
  corrections: [
    // Theirs drops the system text where results follow the last user turn, and takes a description for JSON.
    ['{%- if loop.last and system_message', '{%- if message == user_messages[-1] and system_message'],
    [`{{- '"' + key + '": "' + val + '"' }}`, `{{- '"' + key + '": ' + val|tojson }}`],
  ],
  // Theirs drops the content.
  callsAsContent({ content, toolCalls = [] }) {
    const calls = toolCalls.map(
      call => `{"name": "${call.name}", "arguments": ${printed(call)}, "id": "${mistralCallId(call)}"}`,
    );
    return content === '' ? undefined : `${content}[TOOL_CALLS][${calls.join(', ')}]`;
  },
};
