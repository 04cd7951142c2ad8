/** Tools of a small library, for completions to call. */
import { readFileSync } from 'node:fs';
import type { ToolDefinition } from '../../parsers/parser.ts';
import { parseTools } from '../../templates/messages.ts';

const file = new URL('../formats/tools.json', import.meta.url);

export const tools: readonly ToolDefinition[] = parseTools(JSON.parse(readFileSync(file, 'utf8')));
