/** The engine with models that are too big for the repository. RAWCALL_MODELS=DIR, filled by scripts/fetch-models.ts. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type LlamaOptions, openLlamaEngine, openLlamaVocabulary } from '../../src/engine/llama.ts';
import type { Prompt } from '../../templates/template.ts';
import { checkForgery } from '../engine/forgery.ts';
import { complete } from '../engine/practice.ts';

const models = process.env.RAWCALL_MODELS ?? '';
const file = (name: string) => path.join(models, `${name}.gguf`);
const names = ['smollm2', 'gemma3', 'qwen-coder'].filter(name => existsSync(file(name)));

describe.skipIf(models === '')('with RAWCALL_MODELS', () => {
  test('the folder holds a model', () => expect(names).not.toEqual([]));

  test.each(names)('%s: no text becomes a control token', async name => {
    const vocabulary = await openLlamaVocabulary({ model: file(name) });
    try {
      checkForgery(vocabulary, 200, text => (name === 'gemma3' ? text.replaceAll('▁', ' ') : text));
      for (const control of vocabulary.controlTokens) {
        const tokens = vocabulary.tokenize([{ text: `a${control}b`, origin: 'tool' }]);
        expect(tokens.slice(1).filter(token => token.control)).toEqual([]);
      }
    } finally {
      await vocabulary.close();
    }
  });

  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(4);
  const prompt = (last: string): Prompt => [{ text: text + last, origin: 'user' }];

  test.each<[string, Partial<LlamaOptions>]>([
    ['smollm2', {}],
    ['gemma3', {}],
    // A sliding window that is not kept can't be rolled back; checkpoints or a new evaluation stand in.
    ['gemma3', { keepSlidingWindow: false }],
  ])(
    '%s %o: a reused prefix changes nothing and is counted',
    async (name, options) => {
      if (!names.includes(name)) return;
      const engine = await openLlamaEngine({
        model: file(name),
        gpu: 'off',
        contextSize: 512,
        threads: 1,
        ...options,
      });
      try {
        const fresh = await complete(engine, prompt('The dog'), { maxTokens: 6 });
        await complete(engine, prompt('It was'), { maxTokens: 3 });
        const reused = await complete(engine, prompt('The dog'), { maxTokens: 6 });
        expect(reused.ids).toEqual(fresh.ids);
        expect(fresh.usage).toMatchObject({ reused: 0, evaluated: fresh.usage.prompt });
        expect(reused.usage.reused + reused.usage.evaluated).toBe(reused.usage.prompt);
        if (options.keepSlidingWindow ?? true) expect(reused.usage.evaluated).toBeLessThan(5);
      } finally {
        await engine.close();
      }
    },
    240_000,
  );
});
