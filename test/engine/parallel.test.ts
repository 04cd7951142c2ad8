/** Generations side by side: each is what it would be alone, and none waits for the end of another. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Piece } from '../../parsers/parser.ts';
import type { GeneratedPiece, Steer } from '../../src/engine/engine.ts';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import type { Prompt } from '../../templates/template.ts';
import { type Completion, collect, complete, practiceModel, question } from './practice.ts';

const options = { model: practiceModel, gpu: 'off', contextSize: 1024 } as const;
const endless = { grammar: 'root ::= [a-z] root' };

const opened: LlamaEngine[] = [];
async function open(parallel: number, batchSize?: number): Promise<LlamaEngine> {
  const engine = await openLlamaEngine({ ...options, parallel, ...(batchSize ? { batchSize } : {}) });
  opened.push(engine);
  return engine;
}
afterAll(() => Promise.all(opened.map(engine => engine.close())));

const words = ['rain', 'sun', 'apples', 'trains', 'history', 'music', 'cars', 'rivers'];
const prompts = words.map((word, index) => question(`Tell me of ${`${word} `.repeat(1 + 30 * (index % 3))}`));

let alone: LlamaEngine;
beforeAll(async () => {
  alone = await open(1);
});

/** A piece of a completion as a prompt has it. */
const asPrompt = ({ text, tokens, control }: Piece): Prompt[number] =>
  control ? { control: text } : { text, origin: 'assistant', ...(tokens ? { tokens } : {}) };

/**
 * Kernels for several rows don't compute exactly what those for one do, so that of two tokens that are as good as equal now
 * and then the other one is taken. Nothing else may be: each token is the best, or nearly, for the model alone on the
 * same beginning.
 */
async function expectOwn(prompt: Prompt, { pieces }: Completion): Promise<void> {
  for (const [index, { tokens }] of pieces.entries()) {
    const before = [...prompt, ...pieces.slice(0, index).map(asPrompt)];
    const [first] = (await complete(alone, before, { maxTokens: 1, logprobs: 10 })).pieces;
    const { top } = (first as GeneratedPiece).logprobs![0]!;
    const own = top.find(({ id }) => id === tokens![0]);
    expect(top[0]!.logprob - (own?.logprob ?? Number.NEGATIVE_INFINITY)).toBeLessThan(0.3);
  }
}

test.each([2, 3, 8])('each of eight goes on as it does alone, %i at a time', async parallel => {
  const engine = await open(parallel);
  expect(engine.parallel).toBe(parallel);
  for (let round = 0; round < 2; round++) {
    const all = await Promise.all(prompts.map(prompt => complete(engine, prompt, { maxTokens: 20 })));
    for (const { usage } of all) expect(usage.reused + usage.evaluated).toBe(usage.prompt);
    for (const [index, completion] of all.entries()) await expectOwn(prompts[index]!, completion);
  }
});

test('each is held by its own grammar, and by what is forced on it', async () => {
  const engine = await open(4);
  const rows = ['rain', 'sun', 'car'].map(async word => {
    const grammar = `root ::= "${word}"{12}`;
    expect((await complete(engine, question(word), { grammar })).text).toBe(`${word.repeat(12)}<|im_end|>`);
  });
  const forced = 'Well, the answer is';
  const steer: Steer = news => (news.length === 0 ? { forced: [{ text: forced }] } : undefined);
  const { text } = await complete(engine, question('Hi'), { steer, maxTokens: 20 });
  expect(text.startsWith(forced)).toBe(true);
  await Promise.all(rows);
});

test('logprobs are those of the own sequence', async () => {
  const engine = await open(4);
  const prompt = question('What is 31 plus 11?');
  const logprobs = async (generation: ReturnType<LlamaEngine['generate']>) => {
    const found: number[] = [];
    for await (const piece of generation) found.push(...(piece.logprobs ?? []).map(({ logprob }) => logprob));
    return found;
  };
  const own = await logprobs(engine.generate(prompt, { maxTokens: 12, logprobs: 1 }));
  const others = words
    .slice(0, 3)
    .map(word => complete(engine, question(word), { maxTokens: 40, ...endless }));
  const among = await logprobs(engine.generate(prompt, { maxTokens: 12, logprobs: 1 }));
  await Promise.all(others);
  expect(among).toHaveLength(own.length);
  for (const [index, logprob] of among.entries()) expect(logprob).toBeCloseTo(own[index]!, 3);
});

describe('nobody waits for the end of another', () => {
  test('a short one that comes during a long one ends before it', async () => {
    const engine = await open(2);
    const long = engine.generate(question('Go on'), { ...endless, maxTokens: 300 });
    const ended: string[] = [];
    const first = collect(long).then(() => ended.push('long'));
    while (long.usage.generated < 5) await new Promise(setImmediate);
    await complete(engine, question('Hi'), { maxTokens: 5 }).then(() => ended.push('short'));
    expect(long.usage.generated).toBeLessThan(300);
    await first;
    expect(ended).toEqual(['short', 'long']);
  });

  test('one that generates goes on while a long prompt is evaluated', async () => {
    const engine = await open(2);
    const long = engine.generate(question('Go on'), { ...endless, maxTokens: 400 });
    const first = collect(long);
    while (long.usage.generated < 5) await new Promise(setImmediate);
    const other = engine.generate(question('weather '.repeat(400)), { maxTokens: 1 });
    const before = long.usage.generated;
    await collect(other);
    // A token for each slice of the prompt, and not one for all of it.
    expect(long.usage.generated - before).toBeGreaterThanOrEqual(Math.floor(other.usage.evaluated / 64) - 1);
    await first;
  });

  test('one whose consumer does not take the next piece holds up no other', async () => {
    const engine = await open(2);
    const slow = engine.generate(question('Go on'), endless)[Symbol.asyncIterator]();
    await slow.next();
    const { usage } = await complete(engine, question('Hi'), { ...endless, maxTokens: 50 });
    expect(usage.generated).toBe(50);
    await slow.return?.();
  });

  test('an abort ends one of them at once, and changes nothing for the others', async () => {
    const engine = await open(3);
    const gone = new AbortController();
    const aborted = engine.generate(question('Go on'), { ...endless, signal: gone.signal });
    const ending = collect(aborted);
    const others = prompts.slice(0, 2).map(prompt => complete(engine, prompt, { maxTokens: 30 }));
    while (aborted.usage.generated < 5) await new Promise(setImmediate);
    const generated = aborted.usage.generated;
    gone.abort();
    expect((await ending).reason).toBe('aborted');
    expect(aborted.usage.generated - generated).toBeLessThanOrEqual(1);
    for (const [index, other] of others.entries()) await expectOwn(prompts[index]!, await other);
    // Its lane is free again.
    const again = prompts.slice(0, 3).map(prompt => complete(engine, prompt, { maxTokens: 10 }));
    for (const [index, next] of again.entries()) await expectOwn(prompts[index]!, await next);
  });

  test('more than there is room for wait, in the order of asking', async () => {
    const engine = await open(2);
    const order: number[] = [];
    await Promise.all(
      [60, 20, 20, 20].map(async (maxTokens, index) => {
        await complete(engine, question(`Go ${index}`), { ...endless, maxTokens });
        order.push(index);
      }),
    );
    expect(order.indexOf(1)).toBeLessThan(order.indexOf(2));
    expect(order.indexOf(2)).toBeLessThan(order.indexOf(3));
  });
});

test('closing the engine ends all of them', async () => {
  const engine = await openLlamaEngine({ ...options, parallel: 3 });
  const generations = words.slice(0, 5).map(word => engine.generate(question(word), endless));
  const ending = generations.map(collect);
  while (!generations.slice(0, 3).every(({ usage }) => usage.generated > 3)) await new Promise(setImmediate);
  await engine.close();
  expect((await Promise.all(ending)).map(({ reason }) => reason)).toEqual(Array(5).fill('aborted'));
});

test('as many as memory allows, where nobody says how many', async () => {
  const engine = await openLlamaEngine({ ...options, contextSize: 256, parallel: 'auto' });
  opened.push(engine);
  expect(engine.parallel).toBe(4);
});

/** The prompt of the next turn. */
function continued(prompt: Prompt, { pieces, reason }: Completion, next: string): Prompt {
  const said = (reason === 'stop' ? pieces.slice(0, -1) : pieces).map(asPrompt);
  return [
    ...prompt,
    ...said,
    { control: '<|im_end|>' },
    { text: '\n', origin: 'template' },
    ...question(next),
  ];
}

describe('the lane of a prompt', () => {
  const ask = (engine: LlamaEngine, prompt: Prompt, maxTokens = 8) => complete(engine, prompt, { maxTokens });
  const talk = (subject: string) => question(`Tell me of ${`${subject} and `.repeat(20)}so on.`);

  test('is the one that it continues, whoever asked between', async () => {
    const engine = await open(4);
    const talks = [talk('rain'), talk('cars'), talk('music')];
    /** What the cache of each held at the end of its last turn. */
    const held = [0, 0, 0];
    for (let turn = 0; turn < 4; turn++) {
      for (const [index, prompt] of talks.entries()) {
        const answer = await ask(engine, prompt);
        expect(answer.usage.reused).toBeGreaterThanOrEqual(held[index]!);
        held[index] = answer.usage.prompt + answer.usage.generated - 1;
        talks[index] = continued(prompt, answer, `And ${turn}?`);
      }
    }
  });

  test('is not that of a long one for a short one, while another is empty', async () => {
    const engine = await open(3);
    const long = talk('rain');
    const answer = await ask(engine, long);
    for (const text of ['Hi', 'Good morning']) await ask(engine, question(text), 2);
    const { usage } = await ask(engine, continued(long, answer, 'And?'));
    expect(usage.reused).toBe(answer.usage.prompt + answer.usage.generated - 1);
  });

  test('is the one used least recently, where all hold something else', async () => {
    const engine = await open(2);
    const [first, second] = [talk('rain'), talk('cars')];
    const one = await ask(engine, first);
    const two = await ask(engine, second);
    await ask(engine, question('Hi'), 2);
    // Asked first, so that it is not evicted by the other's return.
    const kept = await ask(engine, continued(second, two, 'And?'));
    expect(kept.usage.reused).toBe(two.usage.prompt + two.usage.generated - 1);
    const lost = await ask(engine, continued(first, one, 'And?'));
    expect(lost.usage.reused).toBeLessThan(30);
  });

  test('has a copy of what another one begins with, and that one keeps its own', async () => {
    const engine = await open(3);
    const shared = `You know ${'rain and cars, '.repeat(30)}.`;
    const [left, right] = [question(`${shared} What is rain?`), question(`${shared} And what are cars?`)];
    const first = await ask(engine, left);
    const second = await ask(engine, right);
    expect(second.usage.reused).toBeGreaterThan(100);
    expect(second.usage.evaluated).toBeLessThan(30);
    const again = await ask(engine, continued(left, first, 'And?'));
    expect(again.usage.reused).toBe(first.usage.prompt + first.usage.generated - 1);
  });

  test('has a copy of one that is generating', async () => {
    const engine = await open(2);
    const shared = `You know ${'rain and cars, '.repeat(30)}.`;
    const long = engine.generate(question(`${shared} What is rain?`), { ...endless, maxTokens: 200 });
    const first = collect(long);
    while (long.usage.generated < 5) await new Promise(setImmediate);
    const prompt = question(`${shared} And what are cars?`);
    const copied = await ask(engine, prompt, 12);
    expect(copied.usage.reused).toBeGreaterThan(100);
    await expectOwn(prompt, copied);
    expect((await first).usage.generated).toBe(200);
  });
});
