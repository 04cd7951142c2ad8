/**
 * Goes through the header of a GGUF file before anything else reads it. What reads it later takes counts and lengths as they are written,
 * and reserves or loops for as many; here each is compared with what the file can hold.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { RawcallError } from '../../../parsers/error.ts';
import { tensorBytes } from './tensor-bytes.ts';

/** No file has so many bytes; a number above it is damage or a trap, and not a file that was cut. */
const absurd = 2 ** 45;
/** Many times the longest chat template that is known. */
const longestTemplate = 1024 ** 2;
const longestKey = 65_535;
const mostDimensions = 4;
/** Ten times those of the largest models: a file of gigabytes has room for so many that reading them would take all memory. */
const most = { keys: 2 ** 16, tensors: 2 ** 20, values: 2 ** 22 } as const;

const types = { string: 8, array: 9 } as const;
/** In bytes, by the number of the type; strings and arrays have none. */
const widths: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};

/** @throws RawcallError `model_truncated`, `model_damaged` */
export function checkBounds(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    checkHeader(cursorOf(descriptor, file));
  } finally {
    closeSync(descriptor);
  }
}

function checkHeader(cursor: Cursor): void {
  cursor.skip(4);
  const version = cursor.u32();
  if (version < 1 || version > 3)
    throw cursor.damaged(`version ${version} of the format is none that is known`);
  // The first version had shorter numbers; no model of today is written so.
  if (version === 1) throw cursor.damaged('version 1 of the format is no longer read');
  const tensors = cursor.count('the list of tensors', 8 + 4 + 4 + 8, most.tensors);
  const pairs = cursor.count('the list of keys', 8 + 4 + 1, most.keys);
  let alignment = 32;
  for (let index = 0; index < pairs; index++) {
    const key = cursor.text('a key', longestKey);
    const type = cursor.u32();
    if (key === 'general.alignment' && type === 4) alignment = cursor.u32();
    else skipValue(cursor, key, type);
  }
  if (alignment < 1 || (alignment & (alignment - 1)) !== 0)
    throw cursor.damaged(`an alignment of ${alignment} is none`);
  let end = 0;
  for (let index = 0; index < tensors; index++) end = Math.max(end, tensorEnd(cursor));
  const start = Math.ceil(cursor.at / alignment) * alignment;
  if (tensors > 0 && start + end > cursor.size)
    throw cursor.truncated(`its tensors end at byte ${start + end}`);
}

function skipValue(cursor: Cursor, key: string, type: number): void {
  if (type === types.array) skipArray(cursor, key);
  else if (type !== types.string) cursor.skip(widthOf(cursor, key, type));
  else {
    const length = cursor.count(key, 1);
    if (key.startsWith('tokenizer.chat_template') && length > longestTemplate)
      throw cursor.damaged(
        `a chat template of ${length} bytes is longer than any model's (${longestTemplate} at most)`,
      );
    cursor.skip(length);
  }
}

function skipArray(cursor: Cursor, key: string): void {
  const type = cursor.u32();
  if (type === types.string) {
    const count = cursor.count(key, 8, most.values);
    // There are hundreds of thousands of them.
    for (let index = 0; index < count; index++) cursor.skip(cursor.count(key, 1));
  } else {
    const width = widthOf(cursor, key, type);
    cursor.skip(cursor.count(key, width, most.values) * width);
  }
}

function widthOf(cursor: Cursor, key: string, type: number): number {
  const width = widths[type];
  if (width === undefined)
    throw cursor.damaged(`${key} has type ${type}, which is none that can stand there`);
  return width;
}

/** From where the tensors begin. */
function tensorEnd(cursor: Cursor): number {
  const name = cursor.text('the name of a tensor', longestKey);
  const dimensions = cursor.u32();
  if (dimensions > mostDimensions) throw cursor.damaged(`${name} has ${dimensions} dimensions`);
  const shape = Array.from({ length: dimensions }, () => cursor.u64(`a dimension of ${name}`));
  const type = cursor.u32();
  const offset = cursor.u64(`the place of ${name}`);
  const elements = shape.reduce((product, length) => product * length, 1);
  if (elements > absurd) throw cursor.damaged(`${name} has ${shape.join(' × ')} elements`);
  return offset + tensorBytes(type, elements);
}

type Cursor = ReturnType<typeof cursorOf>;

const chunk = 1024 * 1024;

function cursorOf(descriptor: number, file: string) {
  const { size } = fstatSync(descriptor);
  const buffer = Buffer.alloc(chunk);
  /** Where in the file the buffer begins, and how much of it holds. */
  let base = 0;
  let held = 0;
  let at = 0;

  function damaged(what: string): RawcallError {
    return new RawcallError(
      'model_damaged',
      `${file} is damaged, or made to mislead who reads it: ${what} (near byte ${at} of ${size}). Download it again from a maker that you trust, and compare its SHA-256.`,
      { path: file, at, size, what },
    );
  }

  function truncated(what: string): RawcallError {
    return new RawcallError(
      'model_truncated',
      `${file} ends too early: ${what}, and it has ${size}. The download was cut short: download it again and compare its size and SHA-256.`,
      { path: file, at, size, what },
    );
  }

  /** Where in the buffer the next bytes stand. */
  function need(bytes: number): number {
    if (at + bytes > size) throw truncated(`its header goes on at byte ${at + bytes}`);
    if (at < base || at + bytes > base + held) {
      base = at;
      held = readSync(descriptor, buffer, 0, chunk, at);
    }
    return at - base;
  }

  const cursor = {
    size,
    get at() {
      return at;
    },
    damaged,
    truncated,
    skip(bytes: number): void {
      if (at + bytes > size) throw truncated(`its header goes on at byte ${at + bytes}`);
      at += bytes;
    },
    u32(): number {
      const value = buffer.readUInt32LE(need(4));
      at += 4;
      return value;
    },
    u64(what: string): number {
      const place = need(8);
      const value = buffer.readUInt32LE(place + 4) * 2 ** 32 + buffer.readUInt32LE(place);
      if (value > absurd) throw damaged(`${value} is announced for ${what}`);
      at += 8;
      return value;
    },
    /** How many there are of something that takes so many bytes at least. */
    count(what: string, least: number, most = Number.POSITIVE_INFINITY): number {
      const value = cursor.u64(what);
      if (value > most) throw damaged(`${value} are announced for ${what}`);
      if (value * least > size - at)
        throw truncated(`${what} would end at byte ${at + value * least} or later`);
      return value;
    },
    text(what: string, longest: number): string {
      const length = cursor.count(what, 1);
      if (length > longest) throw damaged(`${what} has ${length} bytes`);
      const place = need(length);
      const text = buffer.toString('utf8', place, place + length);
      at += length;
      return text;
    },
  };
  return cursor;
}
