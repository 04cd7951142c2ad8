/**
 * Loads TypeScript as it is written, types left out. tsx would do, but names every function as it is made, which no user's
 * bundle does and which costs what makes many of them a third of its time.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';

if (!import.meta.url.includes('?hooks')) register(`${import.meta.url}?hooks`);

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const { default: ts } = await import('typescript');
  const { outputText } = ts.transpileModule(await readFile(fileURLToPath(url), 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, sourceMap: false },
  });
  return { format: 'module', source: outputText, shortCircuit: true };
}
