/** Writes LoRA adapters for the practice model: GGUF by hand, a few keys and tensors of float32. */
import { seededRandom } from '../../models/practice/random.ts';

/** Of the practice model: 5 blocks of this width. */
const width = 192;
const alignment = 32;

export interface AdapterParts {
  readonly architecture?: string;
  /** `general.type`; a model has `model`. */
  readonly type?: string;
  readonly adapterType?: string;
  readonly tensors?: readonly AdapterTensor[];
}

export interface AdapterTensor {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
}

const rank = 4;
export const pair = (name: string, columns = width, rows = width): AdapterTensor[] => [
  { name: `${name}.lora_a`, columns, rows: rank },
  { name: `${name}.lora_b`, columns: rank, rows },
];

/** Changes what every block reads and writes, by numbers of chance. */
export const allBlocks: readonly AdapterTensor[] = [0, 1, 2, 3, 4].flatMap(block =>
  ['attn_q', 'attn_output'].flatMap(name => pair(`blk.${block}.${name}.weight`)),
);

export function adapterFile({
  architecture = 'llama',
  type = 'adapter',
  adapterType = 'lora',
  tensors = allBlocks,
}: AdapterParts = {}): Buffer {
  const random = seededRandom(5);
  const keys = [
    key('general.architecture', architecture),
    key('general.type', type),
    key('adapter.type', adapterType),
    Buffer.concat([text('adapter.lora.alpha'), u32(6), f32(rank)]),
  ];
  const infos: Buffer[] = [];
  const data: Buffer[] = [];
  let offset = 0;
  for (const { name, columns, rows } of tensors) {
    infos.push(Buffer.concat([text(name), u32(2), u64(columns), u64(rows), u32(0), u64(offset)]));
    const numbers = Buffer.concat(Array.from({ length: columns * rows }, () => f32(random.next() - 0.5)));
    data.push(padded(numbers));
    offset += padded(numbers).length;
  }
  const header = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(keys.length), ...keys, ...infos];
  return Buffer.concat([padded(Buffer.concat(header)), ...data]);
}

const key = (name: string, value: string) => Buffer.concat([text(name), u32(8), text(value)]);
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const padded = (bytes: Buffer) =>
  Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)]);

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}
