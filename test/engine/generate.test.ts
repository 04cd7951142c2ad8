/** Generation with a real model. Grammars make it write what a test needs, whatever the weights are worth. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import type { Prompt } from '../../templates/template.ts';
import { collect, complete, practiceModel, question } from './practice.ts';

const contextSize = 512;
let engine: LlamaEngine;
beforeAll(async () => {
  engine = await openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize, batchSize: 32 });
});
afterAll(() => engine.close());

const count = (prompt: Prompt) => engine.tokenize(prompt).length;
/** A question of so many words that it takes several batches. */
const long = question('weather '.repeat(150));
const letters = (length: number) => `root ::= [a-z]{${length}}`;

describe('usage', () => {
  test('counts the prompt, what was evaluated of it and what was generated', async () => {
    const prompt = question('What is 31 plus 11?');
    const { usage, ids } = await complete(engine, prompt, { maxTokens: 8 });
    expect(usage).toEqual({
      prompt: count(prompt),
      reused: 0,
      evaluated: count(prompt),
      generated: ids.length,
      passes: ids.length,
    });
  });

  test('the same prompt again evaluates its last token alone', async () => {
    const prompt = question('What is 31 plus 11?');
    const { usage } = await complete(engine, prompt, { maxTokens: 8 });
    expect(usage).toMatchObject({ reused: count(prompt) - 1, evaluated: 1 });
  });

  test('a prompt that goes on from the last completion evaluates what is new', async () => {
    const first = question('What is 31 plus 11?');
    const { pieces, usage } = await complete(engine, first, { grammar: 'root ::= "It is 42."' });
    const written = pieces
      .slice(0, -1)
      .map(({ text, tokens }) => ({ text, tokens: tokens!, origin: 'assistant' as const }));
    const next: Prompt = [...first, ...written, { control: '<|im_end|>' }, ...question('And 12?')];
    const second = await complete(engine, next, { maxTokens: 4 });
    // The stop token was sampled, and is evaluated only now.
    const reused = usage.prompt + usage.generated - 1;
    expect(second.usage).toMatchObject({ prompt: count(next), reused, evaluated: count(next) - reused });
  });
});

describe('the prefix that is reused', () => {
  test('changes nothing: greedy output equals that of a fresh engine', async () => {
    const prompts = [
      question('What is the weather in Paris?'),
      question('What is the weather in Rome?'),
      question('Hi'),
    ];
    for (const prompt of prompts) {
      const fresh = await openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize });
      const expected = await complete(fresh, prompt, { maxTokens: 12 });
      await fresh.close();
      expect((await complete(engine, prompt, { maxTokens: 12 })).ids).toEqual(expected.ids);
    }
  });
});

describe('pieces', () => {
  test('a character over several tokens is one piece', async () => {
    const { pieces, usage } = await complete(engine, question('Hi'), { grammar: 'root ::= "🦜é🦜"' });
    const text = pieces.slice(0, -1);
    expect(text.map(piece => piece.text).join('')).toBe('🦜é🦜');
    for (const piece of text) expect(piece.text).not.toContain('\ufffd');
    expect(pieces.flatMap(piece => piece.tokens!).length).toBe(usage.generated);
  });

  test('a control word in a grammar is the control token', async () => {
    const grammar = 'root ::= "a<tool_call>b" [<>_a-z]{4} "</tool_call>"';
    const { pieces } = await complete(engine, question('Hi'), { grammar });
    const controls = pieces.filter(piece => piece.control).map(piece => piece.text);
    expect(controls.slice(0, 2)).toEqual(['<tool_call>', '</tool_call>']);
    expect(controls).toHaveLength(3);
  });
});

describe('the end', () => {
  test('an end-of-generation token is the last piece, and counted', async () => {
    const { pieces, reason, usage, ids } = await complete(engine, question('Hi'), {
      grammar: 'root ::= "ok"',
    });
    expect(reason).toBe('stop');
    expect(pieces.at(-1)).toMatchObject({ control: true });
    expect(engine.controlTokens).toContain(pieces.at(-1)!.text);
    expect(usage.generated).toBe(ids.length);
  });

  test('a stop that is a token of the vocabulary', async () => {
    const options = { grammar: 'root ::= "ab</tool_call>cd"', stops: ['</tool_call>'] };
    const { text, pieces, reason } = await complete(engine, question('Hi'), options);
    expect(text).toBe('ab</tool_call>');
    expect(pieces.at(-1)).toMatchObject({ text: '</tool_call>', control: true });
    expect(reason).toBe('stop');
  });

  test('a stop that is none', async () => {
    const options = { grammar: 'root ::= "ab[/INST]cd"', stops: ['[/INST]'] };
    const { pieces, reason } = await complete(engine, question('Hi'), options);
    expect(pieces.map(piece => piece.text).join('')).toBe('ab[/INST]');
    expect(pieces.at(-1)).toEqual({ text: '[/INST]', control: true });
    expect(reason).toBe('stop');
  });

  test('maxTokens', async () => {
    const { reason, usage } = await complete(engine, question('Hi'), { grammar: letters(40), maxTokens: 5 });
    expect(reason).toBe('length');
    expect(usage.generated).toBe(5);
    const none = await complete(engine, question('Hi'), { maxTokens: 0 });
    expect(none).toMatchObject({ text: '', reason: 'length', usage: { generated: 0 } });
  });

  test('the end of the context, with nothing dropped', async () => {
    const { reason, usage } = await complete(engine, long, { grammar: 'root ::= [a-z] root' });
    expect(reason).toBe('length');
    // One cell stays free, and the last token was sampled but not evaluated.
    expect(usage.prompt + usage.generated).toBe(engine.contextSize);
    const { usage: next } = await complete(engine, long, { maxTokens: 1 });
    expect(next.evaluated).toBe(1);
  });

  test('a prompt that does not fit is refused with both numbers, and the next one works', async () => {
    const prompt = question('weather '.repeat(600));
    await expect(complete(engine, prompt)).rejects.toMatchObject({
      code: 'prompt_too_long',
      details: { promptTokens: count(prompt), contextSize: engine.contextSize },
    });
    expect((await complete(engine, question('Hi'), { maxTokens: 2 })).reason).toBeDefined();
  });
});

describe('sampling', () => {
  const prompt = question('Tell me a story');
  const sample = async (seed?: number) => {
    const sampling = { temperature: 1.5, topP: 1, topK: 200, ...(seed === undefined ? {} : { seed }) };
    return (await complete(engine, prompt, { sampling, grammar: letters(60), maxTokens: 20 })).text;
  };

  test('the same seed gives the same completion, another one another', async () => {
    const first = await sample(7);
    expect(await sample(7)).toBe(first);
    expect(await sample(8)).not.toBe(first);
    expect(await sample()).toBe(await sample());
  });

  test('a repeat penalty changes a greedy completion that repeats itself', async () => {
    const options = { grammar: 'root ::= [a-z]{60}', maxTokens: 30 };
    const plain = await complete(engine, prompt, options);
    const punished = await complete(engine, prompt, { ...options, sampling: { repeatPenalty: 5 } });
    const repeated = ({ ids }: { ids: readonly number[] }) => ids.length - new Set(ids).size;
    expect(repeated(punished)).toBeLessThan(repeated(plain));
  });
});

describe('abort', () => {
  test('before the prompt is evaluated', async () => {
    const { reason, pieces } = await complete(engine, long, { signal: AbortSignal.abort() });
    expect({ reason, pieces }).toEqual({ reason: 'aborted', pieces: [] });
  });

  test('while the prompt is evaluated, between two batches; the next generate goes on from there', async () => {
    await complete(engine, question('Hi'), { maxTokens: 1 });
    const controller = new AbortController();
    const generation = engine.generate(long, { signal: controller.signal });
    const watch = setInterval(() => {
      if (generation.usage.evaluated > 0) controller.abort();
    });
    const { reason, usage } = await collect(generation);
    clearInterval(watch);
    expect(reason).toBe('aborted');
    expect(usage.generated).toBe(0);
    expect(usage.reused + usage.evaluated).toBeLessThan(usage.prompt);

    const next = await complete(engine, long, { maxTokens: 1 });
    expect(next.usage.reused).toBe(usage.reused + usage.evaluated);
  });

  test('while it generates', async () => {
    const controller = new AbortController();
    const generation = engine.generate(question('Hi'), { grammar: letters(300), signal: controller.signal });
    let pieces = 0;
    for await (const _ of generation) if (++pieces === 3) controller.abort();
    expect(generation.reason).toBe('aborted');
    expect(pieces).toBe(3);
    expect((await complete(engine, question('Hi'), { grammar: 'root ::= "ok"' })).text).toMatch(/^ok</);
  });

  test('a consumer that breaks off', async () => {
    const generation = engine.generate(question('Hi'), { grammar: letters(300) });
    for await (const _ of generation) break;
    expect(generation.reason).toBe('aborted');
    expect((await complete(engine, question('Hi'), { grammar: 'root ::= "ok"' })).text).toMatch(/^ok</);
  });
});

describe('several at once', () => {
  test('run one after the other', async () => {
    const texts = ['one', 'two', 'three'];
    const all = await Promise.all(
      texts.map(text => complete(engine, question(text), { grammar: `root ::= "${text}"` })),
    );
    for (const [index, { text }] of all.entries()) expect(text.startsWith(texts[index]!)).toBe(true);
  });

  test('an abort in the queue leaves the running one alone', async () => {
    const controller = new AbortController();
    const running = complete(engine, question('Hi'), { grammar: letters(20) });
    const queued = complete(engine, question('Hello'), { signal: controller.signal });
    const last = complete(engine, question('Hi'), { grammar: 'root ::= "ok"' });
    controller.abort();
    expect(await queued).toMatchObject({ reason: 'aborted', usage: { prompt: 0, generated: 0 } });
    expect((await running).reason).toBe('stop');
    expect((await last).text).toMatch(/^ok</);
  });
});

test('bad_grammar names the rule that is missing, and the next generate works', async () => {
  const error = await complete(engine, question('Hi'), { grammar: 'root ::= "a" missing' }).catch(
    caught => caught,
  );
  expect(error).toMatchObject({ code: 'bad_grammar', details: { missing: 'missing' } });
  expect((await complete(engine, question('Hi'), { grammar: 'root ::= "ok"' })).text).toMatch(/^ok</);
});

test('engine_closed', async () => {
  const closed = await openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize: 256 });
  await closed.close();
  expect(() => closed.generate(question('Hi'))).toThrow(/Open it again/);
});
