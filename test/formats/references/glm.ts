import { type Reference, whole } from '../reference.ts';

export const reference: Reference = { format: 'glm', files: ['GLM-4.6.jinja'], covers: whole };
