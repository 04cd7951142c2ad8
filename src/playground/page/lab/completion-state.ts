/** The completion in the lab, and how it is to be read. Other views put theirs here to have it looked into. */
import { batch } from '@preact/signals';
import type { Piece, StopReason } from '../../../../parsers/parser.ts';
import type { Prompt } from '../../../../templates/template.ts';
import type { LabParse } from '../../lab/lab-protocol.ts';
import { go } from '../shell/route.ts';
import { formatNames } from './format-list.tsx';
import { jsonOf } from './json-field.tsx';
import { kept } from './kept.ts';

export type CutWay = 'whole' | 'pieces' | 'characters' | 'own';

export const completion = kept('completion', '');
/** The pieces that a model wrote it in, and what is known of them, as long as nobody changes it. */
export const given = kept<
  (Pick<LabParse, 'controlTokens' | 'promptEnd'> & { readonly pieces: readonly Piece[] }) | null
>('pieces', null);
/** Nothing: all. */
export const readFormats = kept<readonly string[] | null>('read-formats', null);
export const cutWay = kept<CutWay>('cut-way', 'whole');
/** Offsets into the completion. */
export const ownCuts = kept<readonly number[]>('cuts', []);
export const marked = kept('marked', false);
export const stop = kept<StopReason>('stop', 'stop');
export const prefill = kept('prefill', '');
export const readTools = kept('read-tools', '');

export interface Opened extends Pick<LabParse, 'controlTokens'> {
  readonly pieces: readonly Piece[];
  readonly prompt: Prompt;
  readonly format: string;
  readonly reason: StopReason;
  readonly tools?: unknown;
}

/** No format's prefill is longer. */
const longestPrefill = 200;

/** Shows what a model wrote, in the pieces in which it wrote it. */
export function openInLab(opened: Opened): void {
  const { pieces, prompt, format, reason, controlTokens, tools } = opened;
  const promptEnd = prompt
    .map(piece => ('control' in piece ? piece.control : piece.text))
    .join('')
    .slice(-longestPrefill);
  batch(() => {
    completion.value = pieces.map(({ text }) => text).join('');
    given.value = { pieces, promptEnd, ...(controlTokens ? { controlTokens } : {}) };
    cutWay.value = 'pieces';
    ownCuts.value = [];
    readFormats.value = formatNames().includes(format) ? [format] : null;
    stop.value = reason;
    prefill.value = '';
    readTools.value = tools === undefined ? '' : JSON.stringify(tools, null, 2);
  });
  go('lab', 'read');
}

/** What the user typed is in no pieces any more. */
export function typeCompletion(text: string): void {
  batch(() => {
    completion.value = text;
    given.value = null;
    ownCuts.value = ownCuts.value.filter(place => place < text.length);
    if (cutWay.value === 'pieces') cutWay.value = 'whole';
  });
}

/** Undefined: there is nothing to read. */
export function parseRequest(): LabParse | undefined {
  const formats = formatNames().filter(name => readFormats.value?.includes(name) ?? true);
  if (completion.value === '' || formats.length === 0) return undefined;
  const tools = jsonOf(readTools.value);
  const controlTokens = given.value
    ? given.value.controlTokens
    : marked.value
      ? ('formats' as const)
      : undefined;
  return {
    completion: given.value?.pieces ?? completion.value,
    formats,
    cuts: cutWay.value === 'own' ? ownCuts.value : cutWay.value,
    stop: stop.value,
    ...('value' in tools && tools.value !== undefined ? { tools: tools.value } : {}),
    ...(prefill.value === '' ? {} : { prefill: prefill.value }),
    ...(given.value?.promptEnd === undefined ? {} : { promptEnd: given.value.promptEnd }),
    ...(controlTokens ? { controlTokens } : {}),
  };
}
