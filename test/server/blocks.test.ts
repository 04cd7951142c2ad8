/** What the APIs with items and blocks are told of a turn, whatever a model writes in whatever syntax. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParseEvent, StopReason } from '../../parsers/parser.ts';
import type { TurnEvent } from '../../src/model/model.ts';
import { type Block, type BlockEvent, turnBlocks } from '../../src/server/blocks.ts';
import { completionsOf, cut, eventsOf } from '../parsers/syntax.ts';
import { syntaxes } from '../parsers/syntaxes/index.ts';

const weather = {
  name: 'get_weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

async function told(parsed: readonly ParseEvent[], reason: StopReason): Promise<BlockEvent[]> {
  async function* events(): AsyncGenerator<TurnEvent> {
    yield { type: 'turn-start', purpose: 'decision', prompt: [] };
    yield* parsed;
    yield { type: 'completion-end', pieces: [], reason };
  }
  const all: BlockEvent[] = [];
  const options = { reasoning: true, countTokens: () => undefined };
  for await (const event of turnBlocks(events(), options)) all.push(event);
  return all;
}

/** Each block begins, grows and ends before the next one begins, and comes to what its deltas said. */
function blocksOf(events: readonly BlockEvent[]): Block[] {
  const blocks: Block[] = [];
  let open: { text: string; kind: string } | undefined;
  for (const event of events) {
    if (event.type === 'block-start') {
      expect([open, event.index]).toEqual([undefined, blocks.length]);
      open = { text: '', kind: event.head.kind };
    } else if (event.type === 'block-delta') {
      expect(event.index).toBe(blocks.length);
      expect(event.text).not.toBe('');
      open!.text += event.text;
    } else if (event.type === 'block-end') {
      expect(event).toMatchObject({ index: blocks.length, block: open! });
      blocks.push(event.block);
      open = undefined;
    }
  }
  expect(open).toBeUndefined();
  return blocks;
}

describe.each(syntaxes)('$name', syntax => {
  test('blocks come one after another, and hold the texts and calls that were read', async () => {
    await fc.assert(
      fc.asyncProperty(
        completionsOf(syntax),
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.constantFrom('stop' as const, 'length' as const),
        async (text, places, reason) => {
          const parsed = eventsOf(syntax.parser, cut(text, places), { tools: [weather] }, reason);
          const events = await told(parsed, reason);
          const blocks = blocksOf(events);
          const read = parsed.flatMap(event => (event.type === 'call-end' ? [event.call] : []));
          const whole = blocks.filter(block => block.kind === 'call' && block.whole);
          const ids = whole.map(block => block.kind === 'call' && block.id);
          for (const { id, argumentsText } of read)
            expect(whole[ids.indexOf(id)]).toMatchObject({ text: argumentsText });
          for (const call of whole) expect(Object(JSON.parse(call.text))).toBeInstanceOf(Object);
          for (const { text, kind } of blocks.filter(({ kind }) => kind !== 'call'))
            expect([text.trim(), kind]).toEqual([text || 'a text', kind]);
          const end = events.at(-1)!;
          const finish = reason === 'length' ? 'length' : whole.length > 0 ? 'tool_calls' : 'stop';
          expect(end).toMatchObject({ type: 'turn-end', finish });
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('white space at the edges of a block is left out, and between its deltas it is kept', async () => {
  const parsed = ['\n\nOne', ' ', '\n', 'two. ', '\n'].map(
    (text): ParseEvent => ({ type: 'text-delta', text }),
  );
  const events = await told(parsed, 'stop');
  expect(blocksOf(events)).toEqual([{ kind: 'text', text: 'One \ntwo.', whole: true }]);
});

test('white space alone is no block, and ends none', async () => {
  const parsed: ParseEvent[] = [
    { type: 'text-delta', text: '\n' },
    { type: 'reasoning-delta', text: 'Hm.' },
    { type: 'text-delta', text: '\n' },
    { type: 'reasoning-delta', text: ' Well.' },
    { type: 'text-delta', text: ' \n' },
  ];
  expect(blocksOf(await told(parsed, 'length'))).toEqual([
    { kind: 'reasoning', text: 'Hm. Well.', whole: false },
  ]);
});
