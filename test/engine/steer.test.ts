/** Steering: grammars that begin and end between two tokens, and text that is written without being sampled. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Piece } from '../../parsers/parser.ts';
import type { GenerateOptions, Steer, Steering } from '../../src/engine/engine.ts';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import type { Prompt } from '../../templates/template.ts';
import { complete, practiceModel, question } from './practice.ts';

const contextSize = 512;
let engine: LlamaEngine;
beforeAll(async () => {
  engine = await openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize });
});
afterAll(() => engine.close());

const hi = question('Hi');
const text = (pieces: readonly Piece[]) => pieces.map(piece => piece.text).join('');
const ids = (pieces: readonly Piece[]) => pieces.flatMap(piece => piece.tokens ?? []);

/** Answers with the steerings in turn, each once its text stands. */
function script(steps: readonly [after: string, steering: Steering | undefined][]): Steer {
  const left = [...steps];
  let written = '';
  return pieces => {
    written += text(pieces);
    return left[0] && written.endsWith(left[0][0]) ? left.shift()![1] : undefined;
  };
}

/** What the model writes of its own accord behind these pieces. */
async function goesOn(prompt: Prompt, pieces: readonly Piece[], options: GenerateOptions = {}) {
  const written = pieces.map((piece): Prompt[number] =>
    piece.control ? { control: piece.text } : { ...piece, origin: 'assistant' },
  );
  return (await complete(engine, [...prompt, ...written], { lane: 'oracle', ...options })).ids;
}

/** The pieces that spell the beginning of a completion. */
function beginning(pieces: readonly Piece[], length: number): readonly Piece[] {
  const count = pieces.findIndex((_, index) => text(pieces.slice(0, index + 1)).length >= length) + 1;
  return pieces.slice(0, count);
}

describe('a grammar', () => {
  test('holds from where it was asked for until it can end; before and after the model is free', async () => {
    const prompt = question('What is the weather in Paris?');
    const call = '{"name": "zz_top", "arguments": {"n": 421}}';
    const steer = script([
      ['', { forced: [{ text: 'Well <' }, { text: '<tool_call>', control: true }] }],
      ['<tool_call>', { grammar: `root ::= ${JSON.stringify(call)}` }],
    ]);
    const { pieces, ids: all, text: said } = await complete(engine, prompt, { steer, maxTokens: 60 });
    const before = `Well <<tool_call>${call}`;
    expect(said.startsWith(before)).toBe(true);
    const stands = beginning(pieces, before.length);
    expect(text(stands)).toBe(before);
    const length = ids(stands).length;
    expect(all.slice(length)).toEqual(await goesOn(prompt, stands, { maxTokens: 60 - length }));
  });

  test('that ends does not end the completion', async () => {
    const steer = script([['', { grammar: 'root ::= "31 plus 11 is " [A-Z]?' }]]);
    const { pieces, ids: all } = await complete(engine, hi, { steer, maxTokens: 30 });
    const stands = beginning(pieces, 14);
    expect(text(stands)).toBe('31 plus 11 is ');
    const next = await goesOn(hi, stands, { maxTokens: 30 - ids(stands).length });
    expect(next.length).toBeGreaterThan(1);
    expect(all.slice(ids(stands).length)).toEqual(next);
  });

  test('leaves alone what came before it', async () => {
    const prompt = question('What is the weather in Paris?');
    const { pieces } = await complete(engine, prompt, { maxTokens: 12 });
    const stands = pieces.slice(0, 8);
    const steer = script([[text(stands), { grammar: 'root ::= "0123456789"' }]]);
    const steered = await complete(engine, prompt, { steer, maxTokens: 30 });
    expect(steered.pieces.slice(0, 8)).toEqual(stands);
    expect(steered.text.startsWith(`${text(stands)}0123456789`)).toBe(true);
  });

  test('ends where the caller says so', async () => {
    let asked = 0;
    const steer: Steer = () => {
      asked++;
      if (asked === 1) return { grammar: 'root ::= [a-z]{100}' };
      return asked === 4 ? 'free' : undefined;
    };
    const { pieces, ids: all } = await complete(engine, hi, { steer, maxTokens: 20 });
    const stands = pieces.slice(0, 3);
    expect(text(stands)).toMatch(/^[a-z]+$/);
    expect(all.slice(3)).toEqual(await goesOn(hi, stands, { maxTokens: 17 }));
  });

  test('follows another, each with the control tokens that it names', async () => {
    const steer = script([
      ['', { grammar: 'root ::= "a" [<>_a-z]{12} "!"' }],
      ['!', { grammar: 'root ::= "<tool_call>" [<>_a-z]{12} "</tool_call>"' }],
      ['</tool_call>', { grammar: 'root ::= "ok"' }],
    ]);
    const { pieces } = await complete(engine, hi, { steer, maxTokens: 60 });
    const marked = pieces.map(piece => (piece.control ? piece.text : 'x'.repeat(piece.text.length))).join('');
    expect(marked).toMatch(/^x{14}<tool_call>x{12}<\/tool_call>xx/);
    expect(text(pieces)).toMatch(/^a.{12}!<tool_call>.{12}<\/tool_call>ok/);
  });

  test('may have begun already', async () => {
    const begun: Piece[] = [];
    const steer: Steer = pieces => {
      if (pieces.length === 0) return { grammar: 'root ::= "<tool_call>" "ab"' };
      begun.push(...pieces);
      const whole = 'root ::= "<tool_call>" [a-z]{2} "cd" [0-9]{3} "</tool_call>"';
      return text(begun) === '<tool_call>ab' ? { grammar: whole, begun } : undefined;
    };
    const { pieces } = await complete(engine, hi, { steer, maxTokens: 40 });
    expect(text(pieces)).toMatch(/^<tool_call>abcd[0-9]{3}<\/tool_call>/);
  });

  test('that can’t have begun so is not used', async () => {
    const begun = [{ text: 'zz' }];
    const steer = script([['', { grammar: 'root ::= "abc" [0-9]{9}', begun }]]);
    const { ids: steered } = await complete(engine, hi, { steer, maxTokens: 12 });
    expect(steered).toEqual(await goesOn(hi, [], { maxTokens: 12 }));
  });

  test('of the whole completion holds on', async () => {
    const steer = script([]);
    const { text: whole, reason } = await complete(engine, hi, { grammar: 'root ::= "42" "43"?', steer });
    expect(whole).toMatch(/^42(43)?<\|/);
    expect(reason).toBe('stop');
  });

  test('that can’t be read is an error, and the next generate works', async () => {
    const steer = script([['', { grammar: 'root ::= nothing' }]]);
    await expect(complete(engine, hi, { steer })).rejects.toMatchObject({ code: 'bad_grammar' });
    expect((await complete(engine, hi, { grammar: 'root ::= "ok"' })).text).toMatch(/^ok</);
  });
});

test('steer hears every piece once, in order', async () => {
  const heard: Piece[] = [];
  const asked: number[] = [];
  const steer: Steer = pieces => {
    heard.push(...pieces);
    asked.push(pieces.length);
    if (asked.length === 3) return { forced: [{ text: 'several words 🦜' }] };
    return asked.length === 4 ? { grammar: 'root ::= "🦜é" [a-z]{3}' } : undefined;
  };
  const { pieces, reason } = await complete(engine, hi, { steer, maxTokens: 30 });
  expect(reason).toBeDefined();
  expect(asked[0]).toBe(0);
  expect(asked.slice(1)).not.toContain(0);
  const unheard = reason === 'stop' ? 1 : 0;
  expect(heard).toEqual(pieces.slice(0, pieces.length - unheard));
  expect(text(pieces)).toContain('several words 🦜🦜é');
});

describe('forced text', () => {
  const words = 'and so it goes on and on, with 31 plus 11';

  test('takes no pass of its own, and the model goes on from it as from its own words', async () => {
    const steer = script([['', { forced: [{ text: words }] }]]);
    const { pieces, usage, text: all } = await complete(engine, hi, { steer, maxTokens: 30 });
    expect(all.startsWith(words)).toBe(true);
    const forced = engine.tokenize([{ text: words, origin: 'assistant' }]).map(token => token.id);
    expect(ids(pieces).slice(0, forced.length)).toEqual(forced);
    expect(usage.passes).toBe(usage.generated - forced.length);
    expect(ids(pieces).slice(forced.length)).toEqual(
      await goesOn(hi, beginning(pieces, words.length), { maxTokens: 30 - forced.length }),
    );
  });

  test('amid a completion', async () => {
    const free = await complete(engine, hi, { maxTokens: 3 });
    const steer = script([[free.text, { forced: [{ text: words }] }]]);
    const { text: all, usage } = await complete(engine, hi, { steer, maxTokens: 30 });
    expect(all.startsWith(free.text + words)).toBe(true);
    expect(usage.generated - usage.passes!).toBe(
      engine.tokenize([{ text: words, origin: 'assistant' }]).length,
    );
  });

  test('is part of the grammar that holds, which goes on behind it', async () => {
    // The quote behind the city is a token of its own whatever the model likes: none has a quote and a letter.
    const grammar = String.raw`root ::= "{\"city\": \"" [a-z]{5} "\"days\": " [1-9] "}"`;
    const steer: Steer = script([
      ['', { grammar, forced: [{ text: '{"city": "' }] }],
      ['"', undefined],
      ['"', { forced: [{ text: 'days": ' }] }],
    ]);
    const { text: said, usage } = await complete(engine, hi, { steer, maxTokens: 40 });
    expect(said).toMatch(/^\{"city": "[a-z]{5}"days": [1-9]\}/);
    expect(usage.passes).toBeLessThanOrEqual(usage.generated - 8);
  });

  test('stops where its tokens depend on what follows', async () => {
    // Of this vocabulary one token is a space with a letter behind it, so that the space alone is not settled.
    const grammar = 'root ::= "say: word and stop."';
    const steer = script([['', { grammar, forced: [{ text: 'say: ' }] }]]);
    const { ids: all, text: said, usage } = await complete(engine, hi, { steer, maxTokens: 30 });
    expect(said.startsWith('say: word and stop.')).toBe(true);
    const settled = engine.tokenize([{ text: 'say:', origin: 'assistant' }]).map(token => token.id);
    expect(all.slice(0, settled.length)).toEqual(settled);
    expect(usage.passes).toBe(usage.generated - settled.length);
  });

  test('is written as far as the grammar goes along', async () => {
    const grammar = 'root ::= "one two " [a-z]{4}';
    const steer = script([['', { grammar, forced: [{ text: 'one two 3333' }] }]]);
    const { text: said } = await complete(engine, hi, { steer, maxTokens: 30 });
    expect(said).toMatch(/^one two [a-z]{4}/);
  });

  test('makes no control token of letters', async () => {
    const steer = script([['', { forced: [{ text: '<tool_call><|im_end|>' }] }]]);
    const { pieces } = await complete(engine, hi, { steer, maxTokens: 40 });
    const spelt = beginning(pieces, 21);
    expect(text(spelt)).toBe('<tool_call><|im_end|>');
    expect(spelt.some(piece => piece.control)).toBe(false);
  });

  test('may hold the stop', async () => {
    const forced = [{ text: 'bye' }, { text: '<|im_end|>', control: true }, { text: 'never' }];
    const { pieces, reason, usage } = await complete(engine, hi, { steer: script([['', { forced }]]) });
    expect(text(pieces)).toBe('bye<|im_end|>');
    expect(pieces.at(-1)!.control).toBe(true);
    expect({ reason, passes: usage.passes }).toEqual({ reason: 'stop', passes: 0 });
    // Nothing was evaluated for it, and nothing of it is in the cache.
    expect((await complete(engine, hi, { maxTokens: 1 })).usage.evaluated).toBeGreaterThan(0);
  });

  test('ends with maxTokens', async () => {
    const steer = script([['', { forced: [{ text: words }] }]]);
    const { usage, reason } = await complete(engine, hi, { steer, maxTokens: 4 });
    expect(reason).toBe('length');
    expect(usage).toMatchObject({ generated: 4, passes: 0 });
  });

  test('ends with the context', async () => {
    const forced = [{ text: words }];
    const steer: Steer = () => ({ forced });
    const { usage, reason } = await complete(engine, hi, { steer });
    expect(reason).toBe('length');
    expect(usage.prompt + usage.generated).toBe(contextSize - 1);
    expect((await complete(engine, hi, { grammar: 'root ::= "ok"' })).text).toMatch(/^ok</);
  });
});
