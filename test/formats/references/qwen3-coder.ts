import { type Reference, whole } from '../reference.ts';
import { jsonWords } from './qwen3.5.ts';

export const reference: Reference = {
  format: 'qwen3-coder',
  files: ['Qwen3-Coder.jinja'],
  covers: whole,
  corrections: [
    jsonWords,
    // As Python prints a boolean and a list.
    [
      '(json_dict[json_key] | string)',
      '(json_dict[json_key] | string | capitalize if json_dict[json_key] is boolean else json_dict[json_key] | string)',
    ],
    [
      '(param_fields.type | string)',
      `(param_fields.type if param_fields.type is string else param_fields.type | tojson | replace('"', "'"))`,
    ],
  ],
};
