/** Writes what is read now into a file of cases. Everything else in it stays byte for byte as it is. */
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { applyEdits, type Edit, findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { spacedJson } from '../../parsers/json-text.ts';
import { expectedKeys } from './case.ts';
import type { CaseResult } from './check-case.ts';
import { type ExpectedKey, problemNames, repairNames } from './compare.ts';

/**
 * The line with what was read in the place of what differs. A line that expects nothing gets all of it. Undefined: it stays as it
 * is, because all is as expected or because the splits disagree, so that nobody knows what is right.
 */
export function updatedLine(line: string, result: CaseResult): string | undefined {
  if (result.disagreement) return undefined;
  const tree = parseTree(line);
  if (tree === undefined) return undefined;
  const spaced = /^[^"]*"(?:[^"\\]|\\.)*":\s/.test(line);
  const jsonOf = (key: ExpectedKey) => (spaced ? spacedJson(readJson(key, result)) : readJson(key, result));
  const expected = findNodeAtLocation(tree, ['expected']);
  if (expected === undefined) {
    const [colon, comma] = spaced ? [': ', ', '] : [':', ','];
    const members = expectedKeys.map(key => `"${key}"${colon}${jsonOf(key)}`).join(comma);
    const last = tree.children?.at(-1) as Node;
    const content = `${comma}"expected"${colon}{${members}}`;
    return applyEdits(line, [{ offset: last.offset + last.length, length: 0, content }]);
  }
  const keys = new Set(result.differences.map(({ key }) => key));
  const edits = [...keys].flatMap((key): Edit[] => {
    const node = findNodeAtLocation(expected, [key]);
    return node ? [{ offset: node.offset, length: node.length, content: jsonOf(key) }] : [];
  });
  return edits.length === 0 ? undefined : applyEdits(line, edits);
}

function readJson(key: ExpectedKey, { read }: CaseResult): string {
  switch (key) {
    case 'calls': {
      const calls = read.ended.map(
        ({ call }) => `{"name":${JSON.stringify(call.name)},"arguments":${call.argumentsText}}`,
      );
      return `[${calls.join(',')}]`;
    }
    case 'content':
    case 'reasoning':
      return JSON.stringify(read[key].trim());
    case 'problems':
      return JSON.stringify(problemNames(read));
    case 'repairs':
      return JSON.stringify(repairNames(read));
  }
}

export interface FileUpdate {
  /** The next line, as it is to be. */
  line(text: string): Promise<void>;
  /** Puts the new file in the place of the old one, at once. */
  commit(): Promise<void>;
  /** Leaves the old file as it is. After `commit`, nothing. */
  close(): Promise<void>;
}

/** A new file beside the old one. Its lines are those that are given, joined by line breaks. */
export async function fileUpdate(file: string): Promise<FileUpdate> {
  // A link stays a link.
  const target = await realpath(file);
  const temporary = `${target}.${process.pid}.tmp`;
  const { mode } = await stat(target);
  let handle: FileHandle | undefined = await open(temporary, 'wx', mode);
  let batch: string[] = [];
  let size = 0;
  let first = true;

  async function flush(): Promise<void> {
    await handle?.writeFile(batch.join(''));
    batch = [];
    size = 0;
  }

  return {
    async line(text) {
      batch.push(first ? text : `\n${text}`);
      first = false;
      size += text.length;
      if (size >= 64 * 1024) await flush();
    },
    async commit() {
      await flush();
      await handle?.sync();
      await handle?.close();
      handle = undefined;
      await rename(temporary, target);
    },
    async close() {
      const left = handle;
      if (!left) return;
      handle = undefined;
      await left.close();
      await rm(temporary, { force: true });
    },
  };
}
