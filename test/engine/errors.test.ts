/** Each way in which a model can't be opened says what, where and what to do. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RawcallError } from '../../parsers/error.ts';
import { nativeError } from '../../src/engine/llama/native.ts';
import { openLlamaEngine } from '../../src/engine/llama.ts';
import { practiceModel } from './practice.ts';

let folder: string;
let whole: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rawcall-'));
  whole = await readFile(practiceModel);
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, bytes: Uint8Array | string): Promise<string> {
  const where = path.join(folder, name);
  await writeFile(where, bytes);
  return where;
}

async function failure(model: string, options = {}): Promise<RawcallError> {
  const error: unknown = await openLlamaEngine({ model, gpu: 'off', ...options }).then(
    engine => engine.close(),
    caught => caught,
  );
  if (!RawcallError.isInstance(error)) throw error;
  return error;
}

test('model_not_found', async () => {
  const missing = path.join(folder, 'missing.gguf');
  expect(await failure(missing)).toMatchObject({ code: 'model_not_found', details: { path: missing } });
  expect((await failure(folder)).message).toContain('is a folder');
});

test('model_not_gguf', async () => {
  expect(await failure(await file('empty.gguf', ''))).toMatchObject({ code: 'model_not_gguf' });
  const pointer = await file('pointer.gguf', 'version https://git-lfs.github.com/spec/v1\n');
  expect((await failure(pointer)).message).toContain('git lfs pull');
  const page = await file('page.gguf', '<!doctype html><title>Not found</title>');
  expect((await failure(page)).message).toContain('download it again');
});

test.each([
  ['in its weights', 0.6],
  ['in its metadata', 0.001],
])('model_truncated: cut %s', async (_, part) => {
  const model = await file('cut.gguf', whole.subarray(0, Math.round(whole.length * part)));
  expect(await failure(model)).toMatchObject({ code: 'model_truncated', details: { path: model } });
});

test('model_architecture_unknown', async () => {
  const edited = Buffer.from(whole);
  const key = edited.indexOf('general.architecture');
  edited.write('lhama', edited.indexOf('llama', key), 'latin1');
  const error = await failure(await file('architecture.gguf', edited));
  expect(error).toMatchObject({ code: 'model_architecture_unknown', details: { architecture: 'lhama' } });
});

test('context_too_large says how much would fit', async () => {
  const contextSize = 2_000_000_000;
  const { code, details, message } = await failure(practiceModel, { contextSize });
  expect(code).toBe('context_too_large');
  expect(details.largest).toBeGreaterThan(0);
  expect(details.largest).toBeLessThan(contextSize);
  expect(message).toContain(String(details.largest));
});

test('an aborted loading throws the reason of the signal', async () => {
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  await expect(openLlamaEngine({ model: practiceModel, gpu: 'off', signal })).rejects.toBe(reason);
});

test('gpu_unavailable', async () => {
  const gpu = process.platform === 'darwin' ? 'cuda' : 'metal';
  expect(await failure(practiceModel, { gpu })).toMatchObject({ code: 'gpu_unavailable', details: { gpu } });
});

test('no_native_binary names the package to install', () => {
  const error = nativeError('auto', new Error('NoBinaryFoundError'));
  expect(error.code).toBe('no_native_binary');
  expect(error.message).toContain(process.platform);
});
