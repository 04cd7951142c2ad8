import { type Reference, whole } from '../reference.ts';

export const reference: Reference = { format: 'qwen', files: ['Qwen-Qwen3-0.6B.jinja'], covers: whole };
