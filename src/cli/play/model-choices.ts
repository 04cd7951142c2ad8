/** The models that the playground offers besides a path that is typed in. */
import { statSync } from 'node:fs';
import type { ModelChoice } from '../../playground/protocol.ts';
import { openStore } from '../../store/store.ts';
import { practiceModel } from '../package.ts';
import type { Values } from '../settings.ts';
import { modelOf } from './knobs.ts';
import type { Models } from './models.ts';

/** The model of the start, the practice model, and those that were pulled. */
export async function modelChoices(values: Values, { fixed }: Models): Promise<readonly ModelChoice[]> {
  const started = choice(modelOf(values), 'started');
  if (fixed) return [started];
  const stored = await openStore().list();
  const all: ModelChoice[] = [
    started,
    choice(practiceModel, 'practice'),
    ...stored.map(({ name, quantisation, files }) => ({
      model: files[0].path,
      name: `${name}:${quantisation}`,
      source: 'folder' as const,
      size: files.reduce((sum, { size }) => sum + size, 0),
    })),
  ];
  return all.filter(({ model }, at) => all.findIndex(other => other.model === model) === at);
}

function choice(model: string, source: ModelChoice['source']): ModelChoice {
  const size = /^https?:/.test(model) ? undefined : statSync(model, { throwIfNoEntry: false })?.size;
  const name = /([^/\\]+?)(\.gguf)?$/i.exec(model)?.[1] ?? model;
  return { model, name, source, ...(size === undefined ? {} : { size }) };
}
