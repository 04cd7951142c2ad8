import type { Dialogue } from '../dialogues.ts';
import { oneType } from '../one-type.ts';
import type { Reference } from '../reference.ts';

/** Ours keeps the order of arguments, and theirs prints Python's `None`. */
const corrections = [
  ["function['arguments'] | dictsort", "function['arguments'].items()"],
  [
    'for key, value in argument | dictsort',
    'for key, value in (argument | dictsort if escape_keys else argument.items())',
  ],
  ['{%- elif argument is boolean -%}', '{%- elif argument is none -%}null{%- elif argument is boolean -%}'],
] as const;

/** Theirs puts text that stands beside calls behind their results. */
export function noTextBesideCalls({ messages }: Dialogue): boolean {
  return messages.every(one => one.role !== 'assistant' || !one.toolCalls || one.content === '');
}

export const reference: Reference = {
  format: 'gemma4',
  files: ['google-gemma-4-31B-it.jinja'],
  bos: '<bos>',
  quote: '<|"|>',
  covers: noTextBesideCalls,
  corrections,
  equivalent: oneType,
};
