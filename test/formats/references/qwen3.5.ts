import type { Reference } from '../reference.ts';

/** Ours writes JSON's words in calls, where Python's Jinja prints its own and @huggingface/jinja refuses `null`. */
export const jsonWords = [
  'else args_value | string',
  'else (args_value if args_value is string else args_value | tojson)',
] as const;

export const reference: Reference = {
  format: 'qwen3.5',
  files: ['Qwen3.5-4B.jinja'],
  // Theirs refuses the others.
  covers: ({ messages }) =>
    messages.some(one => one.role === 'user') &&
    messages.every((one, index) => one.role !== 'system' || index === 0),
  corrections: [jsonWords],
};
