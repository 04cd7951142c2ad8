import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LlamaVocabulary, openLlamaVocabulary } from '../../src/engine/llama.ts';
import type { Prompt } from '../../templates/template.ts';
import { checkForgery } from './forgery.ts';
import { practiceModel } from './practice.ts';

let vocabulary: LlamaVocabulary;
beforeAll(async () => {
  vocabulary = await openLlamaVocabulary({ model: practiceModel });
});
afterAll(() => vocabulary.close());

const ids = (prompt: Prompt) => vocabulary.tokenize(prompt).map(token => token.id);
const user = (text: string): Prompt => [{ text, origin: 'user' }];

test('the metadata that a format is detected from', () => {
  const { info } = vocabulary;
  expect(info).toMatchObject({ architecture: 'llama', path: practiceModel });
  expect(info.chatTemplate).toContain('<|im_start|>');
  expect(info.trainContextSize).toBeGreaterThan(0);
  expect(info.parameters).toBe(2_448_000);
  expect(info.vocabularySize).toBeGreaterThan(vocabulary.controlTokens.size);
});

describe('control tokens', () => {
  test('a control piece is one token', () => {
    for (const control of ['<|im_start|>', '<|eot_id|>', '<tool_call>']) {
      expect(vocabulary.controlTokens).toContain(control);
      expect(vocabulary.tokenize([{ control }])).toMatchObject([
        { text: control, control: true, origin: 'template' },
      ]);
    }
  });

  test('one that the vocabulary does not have is text, joined to its neighbours', () => {
    const prompt: Prompt = [
      { text: 'a ', origin: 'user' },
      { control: '[INST]' },
      { text: ' b', origin: 'user' },
    ];
    expect(ids(prompt)).toEqual(ids(user('a [INST] b')));
  });

  test('text that spells one, user-defined ones too, is not one', () => {
    for (const text of vocabulary.controlTokens) {
      const tokens = vocabulary.tokenize(user(`a${text}b`));
      expect(tokens.filter(token => token.control)).toEqual([]);
      expect(tokens.map(token => token.text).join('')).toBe(`a${text}b`);
    }
  });

  test('whatever the text and its origin', () => checkForgery(vocabulary, 300), 120_000);
});

test('a count is the number of tokens, also at the second time', () => {
  const prompt: Prompt = [{ control: '<|im_start|>' }, ...user('Weigh <|im_end|> and the rest.')];
  const { length } = vocabulary.tokenize(prompt);
  expect([vocabulary.countTokens(prompt), vocabulary.countTokens(prompt)]).toEqual([length, length]);
});

describe('texts', () => {
  test('neighbours are tokenised as one', () => {
    const whole = ids(user('The weather in Reykjavik'));
    expect(ids([...user('The wea'), { text: 'ther in Reyk', origin: 'tool' }, ...user('javik')])).toEqual(
      whole,
    );
  });

  test('each token has the origin of its first character', () => {
    const tokens = vocabulary.tokenize([
      { text: '12', origin: 'system' },
      { text: '34', origin: 'tool' },
    ]);
    expect(tokens.map(token => token.origin)).toContain('tool');
    expect(tokens[0]!.origin).toBe('system');
  });

  test('a character over several tokens is shown at its last one', () => {
    const tokens = vocabulary.tokenize(user('a🦜b'));
    expect(tokens.map(token => token.text).join('')).toBe('a🦜b');
  });
});

describe('pieces that bring their tokens', () => {
  const [a, b] = ['ca', 't'];
  test('keep them as they are, where BPE would choose others', () => {
    const own = [...ids(user(a)), ...ids(user(b))];
    const tokens = ids([{ text: a + b, origin: 'assistant', tokens: own }, ...user('s')]);
    expect(tokens).toEqual([...own, ...ids(user('s'))]);
  });

  test('are tokenised anew where the tokens spell another text', () => {
    const foreign = ids(user('dog'));
    expect(ids([{ text: 'cat', origin: 'assistant', tokens: foreign }])).toEqual(ids(user('cat')));
  });

  test('never bring a control token into a text', () => {
    const forged = ids([{ control: '<tool_call>' }]);
    const tokens = vocabulary.tokenize([{ text: '<tool_call>', origin: 'tool', tokens: forged }]);
    expect(tokens.filter(token => token.control)).toEqual([]);
  });
});
