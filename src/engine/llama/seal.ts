/**
 * A seal behind a state that llama.cpp wrote: what it is of, and its SHA-256. llama.cpp trusts the file that it loads and ends the
 * process over one that was cut, so no state is loaded whose seal is not whole. It reads to the end of its own part and no
 * further, which lets the seal stand in the same file:
 *
 *   state | JSON of the seal | its length, 4 bytes | magic, 8 bytes
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, type FileHandle, open, stat } from 'node:fs/promises';

export interface Seal {
  /** Of the seal itself. */
  readonly version: 1;
  /** What the state is of; only what has the very same may load it. */
  readonly key: string;
  /** In bytes, without the seal. */
  readonly size: number;
  readonly sha256: string;
  /** For people. */
  readonly model: string;
  readonly tokens: number;
}

const magic = Buffer.from('rawcallS', 'latin1');
const footerSize = 4 + magic.length;
const largestSeal = 4096;

export async function writeSeal(file: string, what: Pick<Seal, 'key' | 'model' | 'tokens'>): Promise<void> {
  const { size } = await stat(file);
  const seal: Seal = { version: 1, ...what, size, sha256: await sha256(file, size) };
  const json = Buffer.from(JSON.stringify(seal));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  await appendFile(file, Buffer.concat([json, length, magic]));
}

/** The seal as it is written there, or `undefined` where there is none. It does not say that the state is whole. */
export async function readSeal(file: string): Promise<Seal | undefined> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const footer = await bytes(handle, size - footerSize, footerSize);
    if (!footer?.subarray(4).equals(magic)) return undefined;
    const length = footer.readUInt32LE();
    if (length > largestSeal) return undefined;
    const json = await bytes(handle, size - footerSize - length, length);
    const seal = json && parse(json.toString());
    return seal?.version === 1 && seal.size === size - footerSize - length ? seal : undefined;
  } finally {
    await handle.close();
  }
}

export async function isWhole(file: string, seal: Seal): Promise<boolean> {
  return (await sha256(file, seal.size)) === seal.sha256;
}

async function bytes(handle: FileHandle, start: number, length: number): Promise<Buffer | undefined> {
  if (start < 0) return undefined;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
  return bytesRead === length ? buffer : undefined;
}

function parse(json: string): Seal | undefined {
  try {
    return JSON.parse(json) as Seal;
  } catch {
    return undefined;
  }
}

async function sha256(file: string, size: number): Promise<string> {
  const hash = createHash('sha256');
  if (size > 0) {
    for await (const chunk of createReadStream(file, { end: size - 1, highWaterMark: 1024 * 1024 })) {
      hash.update(chunk as Buffer);
    }
  }
  return hash.digest('hex');
}
