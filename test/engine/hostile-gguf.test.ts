/** GGUF files that lie: whatever they announce, opening them ends soon, with a word of what is wrong. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RawcallError } from '../../parsers/error.ts';
import { readGgufTemplate } from '../../src/engine/llama/gguf.ts';
import { openLlamaVocabulary } from '../../src/engine/llama.ts';

type Bytes = readonly Buffer[];

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: bigint | number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const header = (tensors: bigint | number, pairs: bigint | number, version = 3) =>
  Buffer.concat([Buffer.from('GGUF'), u32(version), u64(tensors), u64(pairs)]);
const tensor = (dimensions: readonly (bigint | number)[], type: number, offset: bigint | number) =>
  Buffer.concat([text('t'), u32(dimensions.length), ...dimensions.map(u64), u32(type), u64(offset)]);

const enormous = 2n ** 63n - 1n;
const overflowing = 2n ** 64n - 1n;
const after = Buffer.alloc(4096);

function file(bytes: Bytes): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const where = path.join(folder, 'hostile.gguf');
  writeFileSync(where, Buffer.concat([...bytes]));
  return where;
}

async function failure(work: Promise<unknown>): Promise<RawcallError> {
  const error: unknown = await work.then(
    () => undefined,
    caught => caught,
  );
  if (!RawcallError.isInstance(error)) throw error ?? new Error('it was opened');
  return error;
}

const damaged: readonly (readonly [string, Bytes])[] = [
  ['more keys than there are bytes in the world', [header(0, overflowing), after]],
  ['more tensors than that', [header(enormous, 0), after]],
  ['a key of exabytes', [header(0, 1), u64(enormous), after]],
  ['a text of exabytes', [header(0, 1), text('k'), u32(8), u64(overflowing), after]],
  ['an array whose bytes overflow', [header(0, 1), text('k'), u32(9), u32(10), u64(2n ** 61n), after]],
  ['an array of texts without end', [header(0, 1), text('k'), u32(9), u32(8), u64(enormous), after]],
  ['an array of arrays', [header(0, 1), text('k'), u32(9), u32(9), u64(4), after]],
  [
    'millions of numbers that are really there',
    [header(0, 1), text('k'), u32(9), u32(0), u64(2 ** 22 + 1), Buffer.alloc(2 ** 22 + 1)],
  ],
  ['a type that is none', [header(0, 1), text('k'), u32(77), after]],
  ['a version that is none', [header(0, 0, 0xffffffff), after]],
  ['dimensions whose product overflows', [header(1, 0), tensor([2 ** 40, 2 ** 40], 0, 0), after]],
  ['a dimension of 2^63', [header(1, 0), tensor([enormous], 0, 0), after]],
  ['a place of 2^64', [header(1, 0), tensor([4], 0, overflowing), after]],
  ['too many dimensions', [header(1, 0), text('t'), u32(0xffffffff), after]],
  ['no alignment', [header(0, 1), text('general.alignment'), u32(4), u32(0), after]],
  [
    'a chat template of megabytes',
    [header(0, 1), text('tokenizer.chat_template'), u32(8), text('{{ x }}'.repeat(300_000))],
  ],
];

test.each(damaged)('%s', async (_, bytes) => {
  const where = file(bytes);
  const error = await failure(openLlamaVocabulary({ model: where }));
  expect(error).toMatchObject({ code: 'model_damaged', details: { path: where } });
  expect((await failure(readGgufTemplate(where))).code).toBe('model_damaged');
});

const cut: readonly (readonly [string, Bytes])[] = [
  ['in its first words', [Buffer.from('GGUF'), u32(3)]],
  ['in a list of a million texts', [header(0, 1), text('k'), u32(9), u32(8), u64(1_000_000), after]],
  ['in a text', [header(0, 1), text('k'), u32(8), u64(100_000), after]],
  ['in its tensors', [header(1, 0), tensor([1_000_000], 0, 0), after]],
];

test.each(cut)('one that was cut %s', async (_, bytes) => {
  const { code, message } = await failure(readGgufTemplate(file(bytes)));
  expect(code).toBe('model_truncated');
  expect(message).toContain('download it again');
});
