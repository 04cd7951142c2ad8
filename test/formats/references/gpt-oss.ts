import type { Dialogue } from '../dialogues.ts';
import type { Reference } from '../reference.ts';

const corrections = [
  // The chat API's name for it.
  ['message.thinking', 'message.reasoning_content'],
  ['"thinking" in message', '"reasoning_content" in message'],
  ['strftime_now("%Y-%m-%d")', 'date_string'],
  // Theirs has a description of every tool.
  [
    '{{- "// " + tool.description + "\\n" }}',
    '{%- if tool.description %}{{- "// " + tool.description + "\\n" }}{%- endif %}',
  ],
] as const;

/** Theirs has one call a message, no text or else no thought beside it, and one system message. */
function covers({ messages }: Dialogue): boolean {
  return messages.every((message, index) => {
    if (message.role === 'system') return index === 0;
    if (message.role !== 'assistant' || !message.toolCalls) return true;
    return message.toolCalls.length === 1 && message.content === '';
  });
}

export const reference: Reference = {
  format: 'gpt-oss',
  files: ['openai-gpt-oss-120b.jinja'],
  covers,
  corrections,
  mend: (text, { options }) =>
    text
      .replace('Current date: 26 Jul 2024\n', '')
      .replace('Current date: 01 Feb 2026', 'Current date: 2026-02-01')
      .replace('Reasoning: medium', options?.thinking === false ? 'Reasoning: low' : 'Reasoning: medium')
      .replace(/<\|return\|>$/, '<|end|>'),
};
