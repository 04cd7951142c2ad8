/** What a GGUF file holds, read without llama.cpp and without the weights. */
import { stat } from 'node:fs/promises';
import { checkFile, loadError } from './model.ts';
import { tokenType } from './vocabulary.ts';

export interface GgufContents {
  /** In bytes, as much as there is of it on the disk. */
  readonly size: number;
  readonly version: number;
  /** Under their full names, in the file's order. */
  readonly metadata: readonly (readonly [key: string, value: unknown])[];
  readonly tensors: readonly GgufTensor[];
  /** Tokens that are no plain text, in the order of their ids. */
  readonly controlTokens: readonly GgufControlToken[];
}

export interface GgufTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** `Q4_K` and the like. */
  readonly type: string;
}

export interface GgufControlToken {
  readonly id: number;
  readonly text: string;
  readonly kind: 'control' | 'user-defined' | 'unknown';
}

/** @throws RawcallError those of `checkFile`, `model_not_loaded` */
export async function readGgufContents(file: string): Promise<GgufContents> {
  // What reads it below takes counts and lengths as they are written.
  await checkFile(file);
  const { readGgufFileInfo, GgmlType } = await import('node-llama-cpp');
  const info = await readGgufFileInfo(file, {
    sourceType: 'filesystem',
    logWarnings: false,
    spliceSplitFiles: false,
  }).catch((cause: unknown) => {
    throw loadError(file, [], cause);
  });
  const metadata = flat(info.metadata);
  const values = new Map(metadata);
  return {
    size: (await stat(file)).size,
    version: info.version,
    metadata,
    tensors: (info.tensorInfo ?? []).map(({ name, dimensions, ggmlType }) => ({
      name,
      shape: dimensions.map(Number),
      type: GgmlType[ggmlType] ?? `type ${ggmlType}`,
    })),
    controlTokens: controlTokens(
      values.get('tokenizer.ggml.tokens'),
      values.get('tokenizer.ggml.token_type'),
    ),
  };
}

/** The library makes objects within objects of the dots in the keys. */
function flat(value: object, prefix = ''): (readonly [string, unknown])[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? flat(inner, `${prefix}${key}.`)
      : [[`${prefix}${key}`, inner] as const],
  );
}

const kinds: Readonly<Record<number, GgufControlToken['kind']>> = {
  [tokenType.unknown]: 'unknown',
  [tokenType.control]: 'control',
  [tokenType.userDefined]: 'user-defined',
};

function controlTokens(tokens: unknown, types: unknown): GgufControlToken[] {
  if (!Array.isArray(tokens) || !Array.isArray(types)) return [];
  return tokens.flatMap((text: unknown, id) => {
    const kind = kinds[Number(types[id])];
    return kind === undefined ? [] : [{ id, text: String(text), kind }];
  });
}
