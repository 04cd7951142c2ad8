/** How fast a machine is with models: one short prompt and a short answer of a model of zeros, of some 200 MB. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Gpu, openLlamaEngine } from './llama.ts';
import { writeZeroModel } from './zero-model.ts';

export interface MachineSpeed {
  /** Parameters times tokens, a second, where a prompt is read: what is computed limits it. */
  readonly reading: number;
  /** Bytes of weights, a second, where an answer is written: what is fetched from memory limits it. */
  readonly writing: number;
}

/** About, of the file that is written for it. */
export const measuredBytes = 200e6;

const promptTokens = 192;
const answerTokens = 16;
/** On a machine that has much else to do, fewer tokens will do. In milliseconds. */
const patience = 8000;

export interface MeasureOptions {
  readonly gpu?: Gpu;
  readonly threads?: number;
  readonly signal?: AbortSignal;
}

/** @throws as `openLlamaEngine` */
export async function measureMachine({ signal, ...options }: MeasureOptions = {}): Promise<MachineSpeed> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-measure-'));
  const model = path.join(folder, 'zeros.gguf');
  try {
    const { parameters, size } = writeZeroModel(model);
    const engine = await openLlamaEngine({
      model,
      contextSize: 1024,
      ...options,
      ...(signal ? { signal } : {}),
    });
    try {
      const ask = async (length: number, maxTokens: number) => {
        const prompt = [{ text: 'a'.repeat(length), origin: 'user' as const }];
        const started = performance.now();
        let first: number | undefined;
        let last = started;
        let written = 0;
        const how = { maxTokens, lane: String(length), ...(signal ? { signal } : {}) };
        const generation = engine.generate(prompt, how);
        for await (const _piece of generation) {
          last = performance.now();
          first ??= last;
          written++;
          if (written > 2 && last - first > patience) break;
        }
        const read = generation.usage.evaluated / ((first ?? last) - started);
        return { read: 1000 * read, written: (1000 * (written - 1)) / (last - (first ?? last)) };
      };
      // The first pass brings the weights into memory.
      await ask(8, 2);
      const { read, written } = await ask(promptTokens, answerTokens);
      return { reading: parameters * read, writing: size * written };
    } finally {
      await engine.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
