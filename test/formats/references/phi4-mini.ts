import { phi4 } from '../../../parsers/phi4.ts';
import type { Reference } from '../reference.ts';

export const reference: Reference = {
  format: 'phi4-mini',
  files: ['microsoft-Phi-4-mini-instruct.jinja'],
  elsewhere:
    'the `chat_template` of tokenizer_config.json in the repository of microsoft/Phi-4-mini-instruct',
  // Theirs puts tools into a system text that is there.
  covers: ({ messages, tools }) => !tools || messages[0]?.role === 'system',
  corrections: [
    // The tools as everybody gives them, in the place of a text in the message.
    ["'tools' in message and message['tools'] is not none", 'loop.first and tools'],
    ["message['tools']", '(tools | map(attribute="function") | list | tojson)'],
    ["message['role'] + '|>'", "(message['role'] | replace('tool', 'tool_response')) + '|>'"],
  ],
  // Theirs writes the content alone.
  callsAsContent: ({ content, toolCalls = [] }) =>
    content +
    phi4
      .write(toolCalls)
      .map(piece => piece.text)
      .join(''),
};
