/** LoRA adapters: they change what is written, by their scale, in every lane; saved states are theirs alone; what is none is said. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RawcallError } from '../../parsers/error.ts';
import { type LlamaOptions, openLlamaEngine } from '../../src/engine/llama.ts';
import { type AdapterParts, adapterFile, pair } from './adapter.ts';
import { complete, practiceModel, question } from './practice.ts';

let folder: string;
let adapter: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rawcall-lora-'));
  adapter = await file('adapter.gguf', adapterFile());
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, bytes: Uint8Array | string): Promise<string> {
  const where = path.join(folder, name);
  await writeFile(where, bytes);
  return where;
}

const open = (lora: LlamaOptions['lora'] = [], options: Partial<LlamaOptions> = {}) =>
  openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize: 512, lora, ...options });

const prompt = question('What is 31 plus 11?');

/** What two lanes write, the second in a context that is opened for it. */
async function written(lora: LlamaOptions['lora'], options?: Partial<LlamaOptions>): Promise<string[]> {
  const engine = await open(lora, options);
  try {
    const texts: string[] = [];
    for (const lane of ['one', 'other'])
      texts.push((await complete(engine, prompt, { lane, maxTokens: 24 })).text);
    return texts;
  } finally {
    await engine.close();
  }
}

test('an adapter changes what is written, in every lane; by a scale of 0 it changes nothing', async () => {
  const [plain, nothing, whole, half] = [
    await written([]),
    await written([{ path: adapter, scale: 0 }]),
    await written([{ path: adapter }]),
    await written([{ path: adapter, scale: 0.5 }]),
  ];
  expect(nothing).toEqual(plain);
  expect(plain[0]).toBe(plain[1]);
  expect(whole[0]).toBe(whole[1]);
  expect(whole[0]).not.toBe(plain[0]);
  expect(half[0]).not.toBe(whole[0]);
  expect(await written([{ path: adapter, scale: 1 }], { parallel: 2 })).toEqual(whole);
});

test('several adapters are added up: one and its opposite are none', async () => {
  const copy = await file('copy.gguf', adapterFile());
  const both = [{ path: adapter }, { path: copy, scale: -1 }];
  expect((await written(both))[0]).toBe((await written([]))[0]);
});

test('a saved state is that of the adapters and scales that it was evaluated with', async () => {
  const stateFolder = path.join(folder, 'states');
  const begins = question('Be kind. '.repeat(40));
  const reused = async (lora: LlamaOptions['lora']) => {
    const engine = await open(lora, { stateFolder });
    const { usage } = await complete(engine, [...begins, ...prompt], { prefix: () => begins, maxTokens: 2 });
    await engine.close();
    return usage.reused;
  };
  expect(await reused([])).toBe(0);
  expect(await reused([{ path: adapter }])).toBe(0);
  expect(await reused([{ path: adapter, scale: 0.5 }])).toBe(0);
  expect(await reused([{ path: adapter }])).toBeGreaterThan(0);
  expect(await reused([])).toBeGreaterThan(0);
});

async function failure(lora: LlamaOptions['lora']): Promise<RawcallError> {
  const error: unknown = await open(lora).then(
    engine => engine.close(),
    caught => caught,
  );
  if (!RawcallError.isInstance(error)) throw error;
  return error;
}

test('lora_not_found', async () => {
  const missing = path.join(folder, 'missing.gguf');
  expect(await failure([{ path: missing }])).toMatchObject({
    code: 'lora_not_found',
    details: { path: missing },
  });
  expect((await failure([{ path: folder }])).message).toContain('is a folder');
});

test('lora_not_adapter: a model, another kind, no GGUF, half a pair, nothing', async () => {
  const saying = async (parts: AdapterParts) => {
    const error = await failure([{ path: await file('other.gguf', adapterFile(parts)) }]);
    expect(error.code).toBe('lora_not_adapter');
    return error.message;
  };
  expect((await failure([{ path: practiceModel }])).message).toContain('a whole model');
  expect(await saying({ type: 'model' })).toContain('--model');
  expect(await saying({ adapterType: 'ia3' })).toContain('"ia3"');
  expect(await saying({ tensors: pair('blk.0.attn_q.weight').slice(0, 1) })).toContain('pair of matrices');
  expect(await saying({ tensors: [] })).toContain('without tensors');
  const text = await file('text.gguf', 'not at all');
  expect(await failure([{ path: text }])).toMatchObject({ code: 'lora_not_adapter' });
});

test('lora_other_base: another architecture, other shapes, a tensor that the model does not have', async () => {
  const saying = async (parts: AdapterParts) => {
    const error = await failure([{ path: await file('other.gguf', adapterFile(parts)) }]);
    expect(error.code).toBe('lora_other_base');
    return error.message;
  };
  expect(await saying({ architecture: 'qwen2' })).toContain('"qwen2", and the model is "llama"');
  expect(await saying({ tensors: pair('blk.0.attn_q.weight', 576, 576) })).toContain(
    "576 × 576, and the model's 192 × 192",
  );
  expect(await saying({ tensors: pair('blk.29.attn_q.weight') })).toContain('blk.29.attn_q.weight');
});

test('bad_lora_scale', async () => {
  expect(await failure([{ path: adapter, scale: Number.NaN }])).toMatchObject({ code: 'bad_lora_scale' });
});
