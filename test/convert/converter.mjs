#!/usr/bin/env node
/**
 * A converter with the command line of llama.cpp's convert_hf_to_gguf.py, for Llamas with a tokenizer of bytes and pieces: it needs
 * no PyTorch, so the tests have one wherever they run. It writes f32 and q8_0.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { outfile: { type: 'string' }, outtype: { type: 'string', default: 'auto' } },
});
const [folder] = positionals;
const json = name => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
const config = json('config.json');
const tokenizer = json('tokenizer.json');
const { chat_template: template } = json('tokenizer_config.json');
const type = { auto: 'f32', f32: 'f32', q8_0: 'q8_0' }[values.outtype];
if (!type) {
  console.error(`INFO: ${folder}\nERROR: outtype ${values.outtype} is not written here`);
  process.exit(3);
}
if (config.architectures[0] !== 'LlamaForCausalLM') {
  console.error(`ERROR: Model ${config.architectures[0]} is not supported`);
  process.exit(1);
}

const heads = config.num_attention_heads;
const tensorNames = [
  [/^model\.embed_tokens\./, 'token_embd.'],
  [/^model\.norm\./, 'output_norm.'],
  [/^lm_head\./, 'output.'],
  [/^model\.layers\.(\d+)\.input_layernorm\./, 'blk.$1.attn_norm.'],
  [/^model\.layers\.(\d+)\.post_attention_layernorm\./, 'blk.$1.ffn_norm.'],
  [/^model\.layers\.(\d+)\.self_attn\.([qkv])_proj\./, 'blk.$1.attn_$2.'],
  [/^model\.layers\.(\d+)\.self_attn\.o_proj\./, 'blk.$1.attn_output.'],
  [/^model\.layers\.(\d+)\.mlp\.(gate|up|down)_proj\./, 'blk.$1.ffn_$2.'],
];

function readTensors() {
  const file = readFileSync(path.join(folder, 'model.safetensors'));
  const length = Number(file.readBigUInt64LE());
  const header = JSON.parse(file.toString('utf8', 8, 8 + length));
  return Object.entries(header).flatMap(([name, { shape, data_offsets: offsets }]) => {
    if (name === '__metadata__') return [];
    const [from, to] = offsets.map(offset => 8 + length + offset);
    const numbers = new Float32Array(file.buffer.slice(file.byteOffset + from, file.byteOffset + to));
    const [found, replacement] = tensorNames.find(([pattern]) => pattern.test(name));
    const turned = /self_attn\.[qk]_proj/.test(name) ? interleaved(numbers, shape) : numbers;
    return [{ name: name.replace(found, replacement), shape, numbers: turned }];
  });
}

/** llama.cpp rotates neighbours, Hugging Face the two halves of a head. */
function interleaved(numbers, [rows, columns]) {
  const size = rows / heads;
  const result = new Float32Array(numbers.length);
  for (let row = 0; row < rows; row++) {
    const within = row % size;
    const to = row - within + (within < size / 2 ? 2 * within : 2 * (within - size / 2) + 1);
    result.set(numbers.subarray(row * columns, (row + 1) * columns), to * columns);
  }
  return result;
}

const kinds = { u32: 4, f32: 6, bool: 7, string: 8, array: 9, i32: 5 };
const u32 = value => bytesOf(4, view => view.setUint32(0, value, true));
const u64 = value => bytesOf(8, view => view.setBigUint64(0, BigInt(value), true));
const writers = {
  u32,
  i32: value => bytesOf(4, view => view.setInt32(0, value, true)),
  f32: value => bytesOf(4, view => view.setFloat32(0, value, true)),
  bool: value => Buffer.from([value ? 1 : 0]),
  string: value => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]),
};

function bytesOf(size, write) {
  const bytes = Buffer.alloc(size);
  write(new DataView(bytes.buffer, bytes.byteOffset, size));
  return bytes;
}

function entry(key, kind, value) {
  const head = [writers.string(key)];
  if (!Array.isArray(value)) return Buffer.concat([...head, u32(kinds[kind]), writers[kind](value)]);
  return Buffer.concat([
    ...head,
    u32(kinds.array),
    u32(kinds[kind]),
    u64(value.length),
    ...value.map(writers[kind]),
  ]);
}

/** To the nearest number of 16 bits; what is too small becomes zero. */
function half(value) {
  const [bits] = new Uint32Array(new Float32Array([value]).buffer);
  const exponent = ((bits >>> 23) & 255) - 112;
  if (exponent <= 0) return (bits >>> 16) & 0x8000;
  return ((bits >>> 16) & 0x8000) | ((exponent << 10) + (((bits & 0x7fffff) + 0x1000) >>> 13));
}

function q8(numbers) {
  const blocks = Buffer.alloc((numbers.length / 32) * 34);
  for (let block = 0; block * 32 < numbers.length; block++) {
    const part = numbers.subarray(block * 32, block * 32 + 32);
    const scale = Math.max(...part.map(Math.abs)) / 127;
    blocks.writeUInt16LE(half(scale), block * 34);
    for (const [at, value] of part.entries())
      blocks.writeInt8(scale === 0 ? 0 : Math.round(value / scale), block * 34 + 2 + at);
  }
  return blocks;
}

const special = new Set(tokenizer.added_tokens.map(({ id }) => id));
const ids = {
  ...tokenizer.model.vocab,
  ...Object.fromEntries(tokenizer.added_tokens.map(({ content, id }) => [content, id])),
};
const tokens = Object.entries(ids).sort(([, left], [, right]) => left - right);
const tokenType = ([text, id]) =>
  text === '<unk>' ? 2 : special.has(id) ? 3 : /^<0x..>$/.test(text) ? 6 : 1;

const metadata = [
  entry('general.architecture', 'string', 'llama'),
  entry('general.name', 'string', path.basename(path.resolve(folder))),
  entry('llama.context_length', 'u32', config.max_position_embeddings),
  entry('llama.embedding_length', 'u32', config.hidden_size),
  entry('llama.block_count', 'u32', config.num_hidden_layers),
  entry('llama.feed_forward_length', 'u32', config.intermediate_size),
  entry('llama.attention.head_count', 'u32', heads),
  entry('llama.attention.head_count_kv', 'u32', config.num_key_value_heads),
  entry('llama.attention.layer_norm_rms_epsilon', 'f32', config.rms_norm_eps),
  entry('llama.rope.dimension_count', 'u32', config.hidden_size / heads),
  entry('llama.rope.freq_base', 'f32', config.rope_theta),
  entry('llama.vocab_size', 'u32', config.vocab_size),
  entry('tokenizer.ggml.model', 'string', 'llama'),
  entry('tokenizer.ggml.pre', 'string', 'default'),
  entry(
    'tokenizer.ggml.tokens',
    'string',
    tokens.map(([text]) => text),
  ),
  entry(
    'tokenizer.ggml.scores',
    'f32',
    tokens.map(([, id]) => -id),
  ),
  entry('tokenizer.ggml.token_type', 'i32', tokens.map(tokenType)),
  entry('tokenizer.ggml.bos_token_id', 'u32', config.bos_token_id),
  entry('tokenizer.ggml.eos_token_id', 'u32', config.eos_token_id),
  entry('tokenizer.ggml.unknown_token_id', 'u32', 0),
  entry('tokenizer.ggml.add_bos_token', 'bool', false),
  entry('tokenizer.ggml.add_space_prefix', 'bool', false),
  entry('tokenizer.chat_template', 'string', template),
];

const alignment = 32;
const padded = bytes =>
  Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)]);
const infos = [];
const data = [];
let offset = 0;
for (const { name, shape, numbers } of readTensors()) {
  const quantised = type === 'q8_0' && shape.length > 1;
  const bytes = padded(quantised ? q8(numbers) : Buffer.from(numbers.buffer));
  const sizes = [...shape].reverse().map(u64);
  infos.push(
    Buffer.concat([writers.string(name), u32(shape.length), ...sizes, u32(quantised ? 8 : 0), u64(offset)]),
  );
  data.push(bytes);
  offset += bytes.length;
}
const head = [Buffer.from('GGUF'), u32(3), u64(infos.length), u64(metadata.length), ...metadata, ...infos];
writeFileSync(values.outfile, Buffer.concat([padded(Buffer.concat(head)), ...data]));
console.error(`INFO: Model successfully exported to ${values.outfile}`);
