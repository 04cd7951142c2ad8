/** Where a grammar refuses the best token, the few that it allows are found; nothing else comes of it than by looking at all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GenerateOptions, Sampling } from '../../src/engine/engine.ts';
import { type Few, fewOf, openFew } from '../../src/engine/llama/few.ts';
import { generate, type Machine } from '../../src/engine/llama/generate.ts';
import { grammarAllows, moveGrammar } from '../../src/engine/llama/internals.ts';
import { formatNamed } from '../../src/format.ts';
import { openMachine } from './machine.ts';
import { collect, question } from './practice.ts';

let machine: Machine;
let few: Few;
let dispose: () => Promise<void>;
beforeAll(async () => {
  ({ machine, dispose } = await openMachine({ few: () => undefined, lanes: 1, batchSize: 512 }));
  // As in a vocabulary so large that it pays.
  few = fewOf(machine.vocabulary, machine.vocabulary.size);
});
afterAll(() => dispose());

const tools = [
  {
    name: 'get_weather',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  {
    name: 'set_light',
    inputSchema: {
      type: 'object',
      properties: { colour: { enum: ['rot', 'grün', '青い'] }, level: { type: 'integer', maximum: 250 } },
      required: ['colour', 'level'],
    },
  },
];
const grammars: readonly [string, string][] = [
  ['calls', formatNamed('qwen2.5').parser.grammar!(tools).gbnf],
  ['words', 'root ::= ("the " | "then " | "é" | "🦜🦜" | "懒") [a-f]{3} ("<|im_start|>" | "z") "."'],
  ['digits', 'root ::= [0-9]{1,6} ("," [0-9]{1,6}){3,9}'],
];

async function completions(way: Few | undefined, options: (round: number) => GenerateOptions) {
  const all: (readonly number[])[] = [];
  for (let round = 0; round < 12; round++) {
    const prompt = question(`What is ${7 * round} plus 11, and is it warm in town ${round}?`);
    const { ids } = await collect(
      generate({ ...machine, few: way }, prompt, { maxTokens: 40, ...options(round) }),
    );
    all.push(ids);
  }
  return all;
}

describe.each(grammars)('%s', (_, grammar) => {
  test('greedy is what it is where the whole vocabulary is looked at', async () => {
    let found = 0;
    const counted: Few = (...asked) => {
      const ids = few(...asked);
      if (ids) found++;
      return ids;
    };
    const whole = await completions(undefined, () => ({ grammar }));
    expect(await completions(counted, () => ({ grammar }))).toEqual(whole);
    expect(found).toBeGreaterThan(20);
  });

  test('a penalty for what is there already counts too', async () => {
    const options = () => ({ grammar, sampling: { repeatPenalty: 1.4 } });
    expect(await completions(few, options)).toEqual(await completions(undefined, options));
  });

  test('those found are those allowed, at every token', async () => {
    const { vocabulary } = machine;
    const all = Array.from({ length: vocabulary.size }, (_, id) => id);
    for (const ids of await completions(undefined, () => ({ grammar }))) {
      const { state, byId, tokenBias: _bias } = await machine.compile(grammar);
      const allows = (id: number) => grammarAllows(state, id);
      // Other markers are banned, whatever the letters of a grammar say.
      const mayCome = (id: number) =>
        !vocabulary.isMarker(id) || vocabulary.endsGeneration(id) || byId.ids.has(id);
      for (const id of ids) {
        const found = few(allows, byId);
        if (found) expect(found.toSorted((a, b) => a - b)).toEqual(all.filter(mayCome).filter(allows));
        moveGrammar(state, id);
      }
    }
  });

  test('at a temperature all that comes is of the grammar, and a seed says what', async () => {
    const options = (seed: number) => ({ grammar, sampling: { temperature: 1.8, topP: 1, seed } });
    const drawn = await completions(few, options);
    expect(await completions(few, options)).toEqual(drawn);
    for (const ids of drawn) {
      const { state } = await machine.compile(grammar);
      for (const id of ids) {
        expect(grammarAllows(state, id)).toBe(true);
        moveGrammar(state, id);
      }
    }
  });
});

test('a choice of two comes out as often as the model means it, whichever way is taken', async () => {
  // Far from what the model would write, so that nearly every first draw is refused.
  const options = (sampling: Sampling): GenerateOptions => ({
    grammar: 'root ::= "Q" | "X"',
    maxTokens: 1,
    sampling: { temperature: 3, topK: 0, topP: 1, ...sampling },
  });
  async function shareOf(way: Few | undefined): Promise<number> {
    let first = 0;
    for (let seed = 0; seed < 300; seed++) {
      const { text } = await collect(generate({ ...machine, few: way }, question('Hi'), options({ seed })));
      if (text === 'Q') first++;
    }
    return first / 300;
  }
  const [whole, found] = [await shareOf(undefined), await shareOf(few)];
  // Three standard deviations of the difference of two shares of 300.
  expect(Math.abs(whole - found)).toBeLessThan(3 * Math.sqrt((2 * 0.25) / 300));
});

test('a grammar that names tokens by what they are not is looked at as a whole', async () => {
  const { state, byId } = await machine.compile('root ::= !<[66]> "a"');
  expect(few(id => grammarAllows(state, id), byId)).toBeUndefined();
});

test('a token that a grammar names by its id is found', async () => {
  const { vocabulary } = machine;
  const [word] = vocabulary.encode(' weather');
  const { state, byId } = await machine.compile(`root ::= <[${word}]> | "z"`);
  expect(few(id => grammarAllows(state, id), byId)).toContain(word);
});

test('a small vocabulary is as well looked at as a whole', () => {
  expect(openFew(machine.vocabulary)).toBeUndefined();
  expect(openFew({ ...machine.vocabulary, size: 49_152 })).toBeDefined();
});
