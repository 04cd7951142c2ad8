/** `rawcall formats`: what there is. `rawcall formats detect`: which of them a model speaks. */
import { open } from 'node:fs/promises';
import { readChatTemplate } from '../chat-template-file.ts';
import { detectFormat } from '../detect-format.ts';
import { readGgufTemplate } from '../engine/llama/gguf.ts';
import { type Format, formats } from '../format.ts';
import { type FormatFeatures, featuresOf } from '../format-features.ts';
import { jsonLine } from '../json.ts';
import type { ModelTemplate } from '../open-format.ts';
import { exitCodes } from './exit.ts';
import { visible, writeOut } from './output.ts';
import type { Context } from './program.ts';
import { textTable } from './text-table.ts';

export async function listFormats({ values }: Context): Promise<number> {
  const listed = formats.map(format => ({
    name: format.name,
    aliases: format.aliases ?? [],
    stops: format.template.stops,
    ...featuresOf(format),
  }));
  if (values.json) for (const format of listed) await writeOut(`${jsonLine(format)}\n`);
  else await writeOut(table(listed));
  return exitCodes.answered;
}

const columns = ['format', 'also', 'stops', 'features'] as const;

function table(
  listed: readonly (FormatFeatures &
    Pick<Format, 'name'> & { aliases: readonly string[]; stops: readonly string[] })[],
): string {
  const rows = listed.map(({ name, aliases, stops, ...features }) => [
    name,
    aliases.join(', '),
    stops.join(' '),
    words(features).join(', '),
  ]);
  return textTable(columns, rows);
}

function words({ reasoning, thinkingSwitch, parallelCalls, grammar }: FormatFeatures): string[] {
  return [
    ...(reasoning ? [thinkingSwitch ? 'reasoning (--thinking)' : 'reasoning'] : []),
    ...(parallelCalls ? ['parallel calls'] : []),
    ...(grammar ? ['grammar'] : []),
  ];
}

/** Exit code 1 where no format was found. */
export async function detectFile(file: string, { values }: Context): Promise<number> {
  const { chatTemplate, controlTokens } = await readMetadata(file);
  const { format, reason } = await detectFormat({
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
    ...(controlTokens === undefined ? {} : { tokens: new Set(controlTokens) }),
  });
  if (values.json) await writeOut(`${jsonLine({ file, format: format?.name ?? null, reason })}\n`);
  else await writeOut(`${format?.name ?? 'none'}: ${visible(reason)}\n`);
  if (format) return exitCodes.answered;
  if (chatTemplate !== undefined)
    process.stderr.write('rawcall: --format jinja may do: it renders the chat template itself.\n');
  return exitCodes.error;
}

async function readMetadata(file: string): Promise<ModelTemplate> {
  return file.endsWith('.gguf') || (await isGguf(file)) ? readGgufTemplate(file) : readChatTemplate(file);
}

async function isGguf(file: string): Promise<boolean> {
  // A file that is not there is told by whoever reads it.
  const handle = await open(file).catch(() => undefined);
  if (!handle) return false;
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === 'GGUF';
  } finally {
    await handle.close();
  }
}
