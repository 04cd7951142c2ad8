import type { Sampling } from '../engine/engine.ts';
import type { Values } from './settings.ts';

const names = ['temperature', 'topK', 'topP', 'minP', 'repeatPenalty', 'seed'] as const;

export function samplingOf(values: Values): Sampling {
  return Object.fromEntries(
    names.filter(name => values[name] !== undefined).map(name => [name, values[name]]),
  );
}
