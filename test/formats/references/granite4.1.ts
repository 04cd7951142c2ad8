import { type Reference, whole } from '../reference.ts';

export const reference: Reference = {
  format: 'granite4.1',
  files: ['ibm-granite-granite-4.1.jinja'],
  covers: whole,
};
