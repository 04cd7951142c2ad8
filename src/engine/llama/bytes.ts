/** What a token spells, in bytes: one token may hold a part of a character. */
import type { LlamaModel, Token } from 'node-llama-cpp';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** @param literal whether the vocabulary spells this token as it is, without an encoding of its own */
export function tokenBytes(model: LlamaModel, literal: (id: number) => boolean): (id: number) => Uint8Array {
  const { tokens = [] } = model.fileInfo.metadata.tokenizer.ggml;
  const spell =
    model.vocabularyType === 'bpe' ? byteLevel : model.vocabularyType === 'spm' ? spaceMarked : undefined;
  const known = new Map<number, Uint8Array>();
  return id => {
    let bytes = known.get(id);
    if (bytes === undefined) {
      const text = tokens[id] ?? '';
      if (spell === undefined) bytes = encoder.encode(model.detokenize([id as Token], true));
      else bytes = literal(id) ? encoder.encode(text) : spell(text);
      known.set(id, bytes);
    }
    return bytes;
  };
}

/** Of those that are `ordinary`. It keeps nothing, for it is asked about most of a vocabulary and seldom. */
export function tokenSpelling(model: LlamaModel, ordinary: (id: number) => boolean): (id: number) => string {
  const { tokens = [] } = model.fileInfo.metadata.tokenizer.ggml;
  const { vocabularyType } = model;
  return id => {
    const text = ordinary(id) ? (tokens[id] ?? '') : '';
    if (vocabularyType === 'bpe') return text;
    return vocabularyType === 'spm' ? Buffer.from(spaceMarked(text)).toString('latin1') : '';
  };
}

/** GPT-2's way: each byte is one printable character. */
function byteLevel(text: string): Uint8Array {
  return Uint8Array.from(
    [...text].flatMap(character => byteOf.get(character) ?? [...encoder.encode(character)]),
  );
}

/** Sentencepiece's way: `▁` is a space, `<0x0A>` a byte. */
function spaceMarked(text: string): Uint8Array {
  const byte = /^<0x([0-9A-F]{2})>$/.exec(text);
  return byte ? Uint8Array.of(Number.parseInt(byte[1]!, 16)) : encoder.encode(text.replaceAll('▁', ' '));
}

const byteOf = new Map<string, number>();
for (let byte = 0, unprintable = 0; byte < 256; byte++) {
  const printable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  byteOf.set(String.fromCodePoint(printable ? byte : 256 + unprintable++), byte);
}

/** The text of whole bytes; what is no UTF-8 becomes U+FFFD. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** How many bytes at the end begin a character that is not complete. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length =
      byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xc2 && byte < 0xe0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? parts[0]! : Uint8Array.from(parts.flatMap(part => [...part]));
}
