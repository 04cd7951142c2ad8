import type { Reference } from '../reference.ts';

export const reference: Reference = {
  format: 'mistral',
  files: ['mistralai-Ministral-3-14B-Reasoning-2512.jinja', 'unsloth-mistral-Devstral-Small-2507.jinja'],
  // Ministral's raises on roles that do not alternate.
  covers: ({ id }) => id !== 'late-system' && id !== 'no-user',
  bos: '<s>',
  eos: '</s>',
  // Ministral's wants a thought as a part of the content and writes it so; Devstral's knows none.
  equivalent: dialogue => ({
    ...dialogue,
    messages: dialogue.messages.map(message => {
      if (message.role !== 'assistant' || message.reasoning === undefined) return message;
      return { ...message, content: `[THINK]${message.reasoning}[/THINK]${message.content}` };
    }),
  }),
  // Theirs make a system text up.
  mend: (text, { messages: [first] }) =>
    first?.role === 'system' ? text : text.replace(/\[SYSTEM_PROMPT\].*?\[\/SYSTEM_PROMPT\]/s, ''),
};
