import type { Dialogue } from '../dialogues.ts';
import { oneType } from '../one-type.ts';
import type { Reference } from '../reference.ts';

const instruction = 'You are a model that can do function calling with the following functions';

const corrections = [
  // A member that may be missing, which @huggingface/jinja refuses.
  ['for tool in tools', 'for tool in (tools or [])'],
  // Ours keeps the order of arguments, and theirs prints Python's `None`.
  ["function['arguments'] | dictsort", "function['arguments'].items()"],
  [
    'for key, value in argument | dictsort',
    'for key, value in (argument | dictsort if escape_keys else argument.items())',
  ],
  ['{%- elif argument is boolean -%}', '{%- elif argument is none -%}null{%- elif argument is boolean -%}'],
  // Theirs maps a filter over a word's letters.
  ["format_argument(item_value | map('upper') | list)", 'format_argument(item_value | upper)'],
  [
    "{%- set role = message['role'] -%}",
    "{%- set role = 'developer' if message['role'] == 'system' else message['role'] -%}",
  ],
] as const;

/** The sentence before the declarations is for the caller to bring. */
function equivalent(dialogue: Dialogue): Dialogue {
  const { messages, tools, ...rest } = oneType(dialogue);
  if (!tools) return { messages, ...rest };
  const [first, ...others] = messages;
  const system = first?.role === 'system' ? first.content : '';
  const content = system.trim() === '' ? instruction : `${system.trim()}\n${instruction}`;
  return {
    ...rest,
    tools,
    messages: [{ role: 'system', content }, ...(first?.role === 'system' ? others : messages)],
  };
}

export const reference: Reference = {
  format: 'functiongemma',
  files: ['google-function-gemma-hf.jinja'],
  elsewhere: 'runtime/components/testdata of github.com/google-ai-edge/LiteRT-LM',
  bos: '<bos>',
  quote: '<escape>',
  covers: () => true,
  corrections,
  equivalent,
  result: ({ name, content }) => ({ name, response: { value: content } }),
};
