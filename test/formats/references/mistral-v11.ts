import { mistralCallId } from '../../../parsers/mistral-id.ts';
import { withCallIds } from '../call-ids.ts';
import { printed, type Reference } from '../reference.ts';

export const reference: Reference = {
  format: 'mistral-v11',
  files: ['Mistral-Small-3.2-24B-Instruct-2506.jinja'],
  // Theirs raises on roles that do not alternate.
  covers: ({ id }) => id !== 'late-system' && id !== 'no-user' && id !== 'tools-in-system',
  bos: '<s>',
  eos: '</s>',
  equivalent: dialogue => withCallIds(dialogue, id => mistralCallId({ id })),
  // Theirs drops the content.
  callsAsContent({ content, toolCalls = [] }) {
    const calls = toolCalls.map(
      call => `[TOOL_CALLS]${call.name}[CALL_ID]${mistralCallId(call)}[ARGS]${printed(call)}`,
    );
    return content === '' ? undefined : content + calls.join('');
  },
  // Theirs makes a system text up.
  mend: (text, { messages: [first] }) =>
    first?.role === 'system' ? text : text.replace(/\[SYSTEM_PROMPT\].*?\[\/SYSTEM_PROMPT\]/s, ''),
};
