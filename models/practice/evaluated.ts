/** What both evaluations of the practice model are told, and the model that they ask. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openLlamaEngine } from '../../src/engine/llama.ts';

export interface EvaluationDefaults {
  readonly questions: string;
  readonly seed: string;
}

/** Reads the command line. `today` is the date as Llama 3 states it. */
export async function openEvaluated({ questions, seed }: EvaluationDefaults) {
  const { values } = parseArgs({
    options: {
      questions: { type: 'string', default: questions },
      seed: { type: 'string', default: seed },
      model: { type: 'string', default: fileURLToPath(new URL('practice.gguf', import.meta.url)) },
      show: { type: 'boolean', default: false },
    },
  });
  return {
    questions: Number(values.questions),
    seed: Number(values.seed),
    show: values.show,
    engine: await openLlamaEngine({ model: values.model, gpu: 'off', threads: 1, contextSize: 4096 }),
    today: new Date().toUTCString().slice(5, 16),
  };
}
