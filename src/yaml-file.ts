/** A YAML file whose values know their lines. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { RawcallError } from '../parsers/error.ts';

export type Path = readonly (string | number)[];

export interface YamlFile {
  readonly value: unknown;
  /** Of its text. */
  readonly hash: string;
  /** `FILE:LINE: KEY` of what stands there, or of the nearest thing around it. */
  place(path: Path): string;
}

/** Makes the error of whoever reads the file. */
export type Refuse = (message: string, details: Record<string, unknown>, cause?: unknown) => RawcallError;

/** @throws what `refuse` makes, where there is no such file or no YAML in it */
export async function readYaml(file: string, refuse: Refuse): Promise<YamlFile> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'there is no such file' : `it cannot be read: ${cause.message}`;
    throw refuse(`${file}: ${why}.`, { file }, cause);
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error) {
    const { line } = lines.linePos(error.pos[0]);
    const [what = ''] = error.message.split('\n');
    throw refuse(`${file}:${line}: not YAML: ${what.replace(/ at line \d+, column \d+:?$/, '')}.`, {
      file,
      line,
    });
  }
  return {
    value: document.toJS(),
    hash: createHash('sha256').update(text).digest('hex'),
    place(path) {
      const { line } = lines.linePos(offsetOf(document.contents, path));
      const key = path.map((part, at) =>
        typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`,
      );
      return `${file}:${line}${key.length === 0 ? '' : `: ${key.join('')}`}`;
    },
  };
}

/** Of the last key of the path, or of as much of it as is there. */
function offsetOf(root: Node | null, path: Path): number {
  let node: unknown = root;
  let offset = 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) break;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(part)] as Node | undefined;
      if (!item) break;
      offset = item.range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return offset;
}
