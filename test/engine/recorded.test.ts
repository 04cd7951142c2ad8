import { expect, test } from 'vitest';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { collect, complete, question } from './practice.ts';

test('completions come back in order, with the prompts that were given', async () => {
  const pieces = [{ text: 'a' }, { text: '<|im_end|>', control: true }];
  const engine = recordedEngine(['flat', pieces, { pieces: [{ text: 'cut' }], reason: 'length' }]);
  const prompts = ['1', '2', '3'].map(question);
  const all = [];
  for (const prompt of prompts) all.push(await complete(engine, prompt));
  expect(all.map(({ text, reason }) => [text, reason])).toEqual([
    ['flat', 'stop'],
    ['a<|im_end|>', 'stop'],
    ['cut', 'length'],
  ]);
  expect(all[1]).toMatchObject({ pieces, usage: { generated: 2 } });
  expect(engine.prompts).toEqual(prompts);
  expect(() => engine.generate(question('4'))).toThrow(/3 completions/);
});

test('the signal and maxTokens end a replay', async () => {
  const pieces = [...'abcdef'].map(text => ({ text }));
  const engine = recordedEngine([pieces, pieces, pieces]);
  expect(await complete(engine, [], { signal: AbortSignal.abort() })).toMatchObject({
    text: '',
    reason: 'aborted',
  });
  expect(await complete(engine, [], { maxTokens: 2 })).toMatchObject({ text: 'ab', reason: 'length' });

  const controller = new AbortController();
  const generation = engine.generate([], { signal: controller.signal });
  for await (const { text } of generation) if (text === 'c') controller.abort();
  expect(generation.reason).toBe('aborted');
  expect((await collect(generation)).reason).toBe('aborted');
});
