/** The fenced blocks of a page, and a test for each of them: what no check is named for fails. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

export const root = path.join(import.meta.dirname, '..', '..');

export interface Block {
  readonly line: number;
  readonly language: string;
  /** Without the indentation of its fence. */
  readonly code: string;
  /** Its first line that has a word in it, by which it is named. */
  readonly name: string;
}

export function pageText(page: string): string {
  return readFileSync(path.join(root, page), 'utf8');
}

export function blocksOf(text: string): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, indent, fence, language] = /^( *)(`{3,})(\w*)$/.exec(lines[at]!) ?? [];
    if (indent === undefined || fence === undefined || language === undefined) continue;
    const end = lines.findIndex((line, index) => index > at && line === indent + fence);
    if (end === -1) throw new Error(`The block that begins at line ${at + 1} has no end.`);
    const code = lines.slice(at + 1, end).map(line => line.slice(indent.length));
    const name = code.find(line => /\w/.test(line))?.trim() ?? '';
    blocks.push({ line: at + 1, language, code: code.map(line => `${line}\n`).join(''), name });
    at = end;
  }
  return blocks;
}

export type Checks = Readonly<Record<string, (block: Block) => void | Promise<void>>>;

/** `checks` has the blocks of the page by name, in their order. */
export function describeBlocks(page: string, checks: Checks): void {
  describe(page, () => {
    const blocks = blocksOf(pageText(page));
    test('each block is checked, and each check has its block', () => {
      expect(blocks.map(({ name }) => name)).toEqual(Object.keys(checks));
    });
    test.each(blocks.map(block => [block.name, block] as const))('%s', async (name, block) => {
      await checks[name]?.(block);
    });
  });
}
