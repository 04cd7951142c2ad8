import { type Reference, whole } from '../reference.ts';

export const reference: Reference = { format: 'glm4.7', files: ['GLM-4.7-Flash.jinja'], covers: whole };
