/** What ends a turn is no text of it, also where it is another format's. */
import { expect, test } from 'vitest';
import type { Piece } from '../../parsers/parser.ts';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';

const control = (text: string): Piece => ({ text, control: true });

async function read(pieces: readonly Piece[], reason: 'stop' | 'length' = 'stop') {
  const model = rawModel(recordedEngine([{ pieces, reason }]), formatNamed('hermes'));
  const run = model.turn(model.render({ messages: [{ role: 'user', content: 'Hello' }], tools: [] }), {
    purpose: 'decision',
  });
  const recorded: (readonly Piece[])[] = [];
  for (;;) {
    const { done, value } = await run.next();
    if (done) return { ...value.message, recorded };
    if (value.type === 'completion-end') recorded.push(value.pieces);
  }
}

test.each(['<|im_end|>', '<|eot_id|>', '<|endoftext|>'])('%s at the end is not in the text', async end => {
  const pieces = [{ text: 'Hello!' }, control(end)];
  const { content, completion, recorded } = await read(pieces);
  expect(content).toBe('Hello!');
  // The next prompt has the format's own, and the recording has what was written.
  expect(completion).toEqual([{ text: 'Hello!' }]);
  expect(recorded).toEqual([pieces]);
});

test('a token that ends another format’s turns is text where something follows it, or the turn was cut', async () => {
  const within = await read([{ text: 'a' }, control('<|eot_id|>'), { text: 'b' }, control('<|im_end|>')]);
  expect(within.content).toBe('a<|eot_id|>b');
  const cut = await read([{ text: 'a' }, control('<|eot_id|>')], 'length');
  expect(cut.content).toBe('a<|eot_id|>');
});

test('letters that spell such a token are text', async () => {
  expect((await read([{ text: 'a' }, { text: '<|eot_id|>' }])).content).toBe('a<|eot_id|>');
});
