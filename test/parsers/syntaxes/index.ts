/** Every call syntax, one file each. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { SyntaxUnderTest } from '../syntax.ts';

const files = readdirSync(import.meta.dirname).filter(file => file !== 'index.ts');

export const syntaxes: readonly SyntaxUnderTest[] = await Promise.all(
  files.map(
    async file =>
      ((await import(path.join(import.meta.dirname, file))) as { syntax: SyntaxUnderTest }).syntax,
  ),
);
