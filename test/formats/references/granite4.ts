import { type Reference, whole } from '../reference.ts';

export const reference: Reference = {
  format: 'granite4',
  files: ['ibm-granite-granite-4.0.jinja'],
  covers: whole,
};
