import type { Reference } from '../reference.ts';

export const reference: Reference = {
  format: 'deepseek-v3.1',
  files: ['deepseek-ai-DeepSeek-V3.1.jinja'],
  // Theirs shows no tools, and no token before a reply that no user's turn stands before.
  covers: ({ id, tools }) => !tools && id !== 'no-user',
  bos: '<｜begin▁of▁sentence｜>',
  // llama.cpp's copy opens the thought that DeepSeek's own only closes.
  mend: text => text.replaceAll('<think></think>', '</think>'),
};
