/** `rawcall models inspect`: what a GGUF file says of itself, without loading the model. */
import { detectFormat } from '../../detect-format.ts';
import { type GgufContents, readGgufContents } from '../../engine/llama/contents.ts';
import { jsonLine } from '../../json.ts';
import { bytesText } from '../../store/bytes-text.ts';
import { counted } from '../doctor/section.ts';
import { exitCodes, usageError } from '../exit.ts';
import { forOut, visible, writeOut } from '../output.ts';
import type { Context } from '../program.ts';
import { textTable } from '../text-table.ts';
import { numberText } from './words.ts';

export interface InspectFlags {
  readonly template?: true;
  readonly tokens?: true;
  readonly tensors?: true;
}

export async function inspectModel(file: string, { values }: Context, flags: InspectFlags): Promise<number> {
  const contents = await readGgufContents(file);
  const chatTemplate = textOf(contents, 'tokenizer.chat_template');
  if (flags.template) {
    if (chatTemplate === undefined) throw usageError(`${file} brings no chat template.`);
    await writeOut(forOut(chatTemplate));
    return exitCodes.answered;
  }
  const controlTokens = contents.controlTokens.map(({ text }) => text);
  const { format, reason } = await detectFormat({
    ...(chatTemplate === undefined ? {} : { chatTemplate }),
    ...(controlTokens.length === 0 ? {} : { tokens: new Set(controlTokens) }),
  });
  const found = { format: format?.name ?? null, reason };
  if (values.json)
    await writeOut(`${jsonLine({ file, ...found, ...contents, metadata: asJson(contents.metadata) })}\n`);
  else await writeOut(page(file, contents, found, flags));
  return exitCodes.answered;
}

function page(
  file: string,
  contents: GgufContents,
  { format, reason }: { readonly format: string | null; readonly reason: string },
  flags: InspectFlags,
): string {
  const { size, version, metadata, tensors, controlTokens } = contents;
  const template = textOf(contents, 'tokenizer.chat_template');
  const about = [
    ['file', `${file}, ${bytesText(size)}, GGUF version ${version}`],
    ['format', `${format ?? 'none'}: ${reason}`],
    ['template', template === undefined ? 'none' : `${template.length} characters (--template prints them)`],
    ['tensors', tensorsText(tensors)],
  ] as const;
  const parts = [
    about.map(([what, text]) => `${what.padEnd(10)}${visible(text)}\n`).join(''),
    textTable(
      ['metadata', 'value'],
      metadata.map(([key, value]) => [visible(key), visible(valueText(value))]),
    ),
    tokensText(controlTokens, flags.tokens === true),
    ...(flags.tensors
      ? [
          textTable(
            ['tensor', 'shape', 'type'],
            tensors.map(({ name, shape, type }) => [visible(name), shape.join(' × '), type]),
          ),
        ]
      : []),
  ];
  return parts.filter(part => part !== '').join('\n');
}

function tensorsText(tensors: GgufContents['tensors']): string {
  if (tensors.length === 0) return 'none';
  const elements = (shape: readonly number[]) => shape.reduce((product, length) => product * length, 1);
  const numbers = tensors.reduce((sum, { shape }) => sum + elements(shape), 0);
  const counts = new Map<string, number>();
  for (const { type } of tensors) counts.set(type, (counts.get(type) ?? 0) + 1);
  const each = [...counts]
    .sort(([, left], [, right]) => right - left)
    .map(([type, count]) => `${count} ${type}`);
  return `${counted(tensors.length, 'tensor')} of ${numberText(numbers)} numbers (${each.join(', ')}; --tensors lists them)`;
}

/** So many stand on a page whatever was asked for; Gemma has thousands. */
const fewTokens = 24;

function tokensText(tokens: GgufContents['controlTokens'], all: boolean): string {
  if (tokens.length === 0) return '';
  const shown = all ? tokens : tokens.slice(0, fewTokens);
  const rows = shown.map(({ id, text, kind }) => [String(id), visible(text.replaceAll('\n', '\\n')), kind]);
  const more =
    shown.length < tokens.length ? `and ${tokens.length - shown.length} more (--tokens lists them)\n` : '';
  return `${textTable(['token', 'text', 'kind'], rows, [0])}${more}`;
}

const longestText = 80;

/** On one line. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) {
    const beginning = value.slice(0, 4).map(one => valueText(one));
    return `${counted(value.length, 'value')}: ${beginning.join(', ')}${value.length > 4 ? ', …' : ''}`;
  }
  const text = String(value).replaceAll(/\s+/g, ' ').trim();
  return text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text;
}

/** Numbers that JSON has no digits for are texts, and long lists are told by their length: the tokens stand for themselves. */
function asJson(metadata: GgufContents['metadata']): object {
  const plain = (value: unknown): unknown => {
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (!Array.isArray(value)) return value;
    return value.length > 1000 ? { values: value.length } : value.map(plain);
  };
  return Object.fromEntries(metadata.map(([key, value]) => [key, plain(value)]));
}

function textOf({ metadata }: GgufContents, key: string): string | undefined {
  const value = metadata.find(([name]) => name === key)?.[1];
  return typeof value === 'string' ? value : undefined;
}
