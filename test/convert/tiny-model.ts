/** A Llama of random weights as Hugging Face has models: a folder with safetensors, a tokenizer and a chat template. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { practiceModel } from '../../src/cli/package.ts';
import { readGgufTemplate } from '../../src/engine/llama/gguf.ts';

const hidden = 64;
const inner = 128;
const heads = 4;

/** Pieces of text, all bytes, and the control tokens of ChatML. */
const plain = ['▁', ...Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))];
const bytes = Array.from({ length: 256 }, (_, at) => `<0x${at.toString(16).toUpperCase().padStart(2, '0')}>`);
const words = ['<unk>', '<s>', '</s>', ...bytes, ...plain];
const control = ['<|im_start|>', '<|im_end|>', '<|endoftext|>'];
const vocabulary = words.length + control.length;

const weights: Readonly<Record<string, readonly number[]>> = {
  'model.embed_tokens.weight': [vocabulary, hidden],
  'model.layers.0.input_layernorm.weight': [hidden],
  'model.layers.0.self_attn.q_proj.weight': [hidden, hidden],
  'model.layers.0.self_attn.k_proj.weight': [hidden, hidden],
  'model.layers.0.self_attn.v_proj.weight': [hidden, hidden],
  'model.layers.0.self_attn.o_proj.weight': [hidden, hidden],
  'model.layers.0.post_attention_layernorm.weight': [hidden],
  'model.layers.0.mlp.gate_proj.weight': [inner, hidden],
  'model.layers.0.mlp.up_proj.weight': [inner, hidden],
  'model.layers.0.mlp.down_proj.weight': [hidden, inner],
  'model.norm.weight': [hidden],
  'lm_head.weight': [vocabulary, hidden],
};

const config = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: hidden,
  intermediate_size: inner,
  num_attention_heads: heads,
  num_key_value_heads: heads,
  num_hidden_layers: 1,
  vocab_size: vocabulary,
  max_position_embeddings: 4096,
  rms_norm_eps: 1e-5,
  rope_theta: 10000,
  tie_word_embeddings: false,
  torch_dtype: 'float32',
  bos_token_id: 1,
  eos_token_id: words.length + 1,
};

const tokenizer = {
  version: '1.0',
  added_tokens: [
    ...['<unk>', '<s>', '</s>'].map((content, id) => added(id, content)),
    ...control.map((content, at) => added(words.length + at, content)),
  ],
  normalizer: {
    type: 'Sequence',
    normalizers: [{ type: 'Replace', pattern: { String: ' ' }, content: '▁' }],
  },
  pre_tokenizer: null,
  post_processor: null,
  decoder: {
    type: 'Sequence',
    decoders: [
      { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
      { type: 'ByteFallback' },
      { type: 'Fuse' },
    ],
  },
  model: {
    type: 'BPE',
    unk_token: '<unk>',
    fuse_unk: true,
    byte_fallback: true,
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    merges: [],
  },
};

function added(id: number, content: string) {
  return { id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
}

export async function writeTinyModel(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, data: object | Buffer) =>
    writeFileSync(path.join(folder, name), data instanceof Buffer ? data : JSON.stringify(data));
  const { chatTemplate } = await readGgufTemplate(practiceModel);
  write('config.json', config);
  write('tokenizer.json', tokenizer);
  write('tokenizer_config.json', {
    tokenizer_class: 'LlamaTokenizerFast',
    legacy: false,
    add_bos_token: false,
    bos_token: '<s>',
    eos_token: '<|im_end|>',
    unk_token: '<unk>',
    chat_template: chatTemplate,
  });
  write('model.safetensors', safetensors());
}

/** A length, a header of JSON, and numbers. */
function safetensors(): Buffer {
  const random = randomNumbers(7);
  const header: Record<string, object> = {};
  const data: Buffer[] = [];
  let at = 0;
  for (const [name, shape] of Object.entries(weights)) {
    const count = shape.reduce((product, size) => product * size, 1);
    const norm = shape.length === 1;
    const numbers = Float32Array.from({ length: count }, () => (norm ? 1 : random() * 0.2 - 0.1));
    const piece = Buffer.from(numbers.buffer);
    header[name] = { dtype: 'F32', shape, data_offsets: [at, at + piece.length] };
    at += piece.length;
    data.push(piece);
  }
  const text = Buffer.from(JSON.stringify({ ...header, __metadata__: { format: 'pt' } }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...data]);
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
