import { type Reference, whole } from '../reference.ts';

export const reference: Reference = {
  format: 'qwen2.5',
  files: ['Qwen-Qwen2.5-7B-Instruct.jinja'],
  covers: whole,
};
