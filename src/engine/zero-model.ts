/**
 * A model whose weights are all zero, to measure a machine with: it says nothing, but it computes as much as any model of its size. The
 * file is a header and a hole, so that it is written at once.
 */
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

export interface ZeroModel {
  readonly parameters: number;
  /** Of the weights, in bytes. */
  readonly size: number;
}

const width = 2048;
const inner = 5632;
const heads = 16;
const kvHeads = 4;
const layers = 8;

/** By GGUF's and ggml's numbers. */
const kinds = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;
const q4k = { type: 12, block: 256, bytes: 144 } as const;
const f32 = { type: 0, block: 1, bytes: 4 } as const;

const byteToken = (_: unknown, byte: number) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
const tokens = ['<unk>', '<s>', '</s>', ...Array.from({ length: 256 }, byteToken)];
const tokenTypes = [2, 3, 3, ...Array.from({ length: 256 }, () => 6)];

export function writeZeroModel(file: string): ZeroModel {
  const tensors = [
    { name: 'token_embd.weight', shape: [width, tokens.length], ...q4k },
    { name: 'output_norm.weight', shape: [width], ...f32 },
    ...Array.from({ length: layers }, (_, layer) => layerTensors(`blk.${layer}`)).flat(),
  ].map(tensor => ({ ...tensor, elements: tensor.shape.reduce((product, length) => product * length, 1) }));
  const bytes: Buffer[] = [];
  const add = (...parts: readonly Buffer[]) => bytes.push(...parts);
  add(Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(metadata.length));
  for (const [key, kind, ...values] of metadata) add(text(key), u32(kind), ...values);
  let end = 0;
  for (const { name, shape, type, block, bytes: each, elements } of tensors) {
    add(text(name), u32(shape.length), ...shape.map(u64), u32(type), u64(end));
    end += align((elements / block) * each);
  }
  const header = Buffer.concat(bytes);
  const descriptor = openSync(file, 'w', 0o600);
  try {
    writeSync(descriptor, header);
    ftruncateSync(descriptor, align(header.length) + end);
  } finally {
    closeSync(descriptor);
  }
  return { parameters: tensors.reduce((sum, { elements }) => sum + elements, 0), size: end };
}

function layerTensors(name: string) {
  const cache = (width / heads) * kvHeads;
  const matrices: Readonly<Record<string, readonly number[]>> = {
    attn_q: [width, width],
    attn_k: [width, cache],
    attn_v: [width, cache],
    attn_output: [width, width],
    ffn_gate: [width, inner],
    ffn_up: [width, inner],
    ffn_down: [inner, width],
  };
  return [
    ...['attn_norm', 'ffn_norm'].map(part => ({ name: `${name}.${part}.weight`, shape: [width], ...f32 })),
    ...Object.entries(matrices).map(([part, shape]) => ({ name: `${name}.${part}.weight`, shape, ...q4k })),
  ];
}

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const float = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};
const text = (value: string) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
};
const list = (kind: number, values: readonly Buffer[]) => [u32(kind), u64(values.length), ...values];
const align = (bytes: number) => Math.ceil(bytes / 32) * 32;

const metadata: readonly (readonly [key: string, kind: number, ...value: readonly Buffer[]])[] = [
  ['general.architecture', kinds.string, text('llama')],
  ['general.name', kinds.string, text('zeros')],
  ['llama.context_length', kinds.u32, u32(4096)],
  ['llama.embedding_length', kinds.u32, u32(width)],
  ['llama.block_count', kinds.u32, u32(layers)],
  ['llama.feed_forward_length', kinds.u32, u32(inner)],
  ['llama.attention.head_count', kinds.u32, u32(heads)],
  ['llama.attention.head_count_kv', kinds.u32, u32(kvHeads)],
  ['llama.attention.layer_norm_rms_epsilon', kinds.f32, float(1e-5)],
  ['llama.rope.dimension_count', kinds.u32, u32(width / heads)],
  ['tokenizer.ggml.model', kinds.string, text('llama')],
  ['tokenizer.ggml.tokens', kinds.array, ...list(kinds.string, tokens.map(text))],
  [
    'tokenizer.ggml.scores',
    kinds.array,
    ...list(
      kinds.f32,
      tokens.map(() => float(0)),
    ),
  ],
  ['tokenizer.ggml.token_type', kinds.array, ...list(kinds.i32, tokenTypes.map(u32))],
  ['tokenizer.ggml.bos_token_id', kinds.u32, u32(1)],
  ['tokenizer.ggml.eos_token_id', kinds.u32, u32(2)],
  ['tokenizer.ggml.add_space_prefix', kinds.bool, Buffer.from([0])],
];
