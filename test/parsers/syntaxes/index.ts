/** Every call syntax, one file each. */
import { readdirSync } from 'node:fs';
import type { SyntaxUnderTest } from '../syntax.ts';

const files = readdirSync(import.meta.dirname).filter(file => file !== 'index.ts');

export const syntaxes: readonly SyntaxUnderTest[] = await Promise.all(
  files.map(async file => ((await import(`./${file}`)) as { syntax: SyntaxUnderTest }).syntax),
);
