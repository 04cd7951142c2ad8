/** Completions of each format and what they come to, however they are cut. `rawcall check test/formats` does the same. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { formats } from '../../src/format.ts';
import { describeCompletions } from '../../src/testing.ts';

for (const { name } of formats) {
  const file = path.join(import.meta.dirname, '..', 'formats', name, 'completions.jsonl');
  if (existsSync(file)) describeCompletions(name, { file });
}
