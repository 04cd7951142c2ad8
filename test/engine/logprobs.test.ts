/** How probable the tokens of a completion were, as the model itself had it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GeneratedPiece, GenerateOptions } from '../../src/engine/engine.ts';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { practiceModel, question } from './practice.ts';

let engine: LlamaEngine;
beforeAll(async () => {
  engine = await openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize: 512 });
});
afterAll(() => engine.close());

const prompt = question('What is 31 plus 11?');

async function pieces(options: GenerateOptions): Promise<GeneratedPiece[]> {
  const all: GeneratedPiece[] = [];
  for await (const piece of engine.generate(prompt, { maxTokens: 12, ...options })) all.push(piece);
  return all;
}
const tokens = async (options: GenerateOptions) =>
  (await pieces(options)).flatMap(({ logprobs = [] }) => logprobs);
const spelt = (given: readonly { readonly bytes: Uint8Array }[]) =>
  Buffer.concat(given.map(({ bytes }) => bytes)).toString();

test('each token has its own, and a greedy one is the likeliest', async () => {
  const found = await pieces({ logprobs: 3 });
  for (const { logprobs, tokens: ids, text } of found) {
    expect(logprobs?.map(({ id }) => id)).toEqual(ids);
    expect(spelt(logprobs!)).toBe(text);
    for (const { id, logprob, top } of logprobs!) {
      expect(top).toHaveLength(3);
      expect(top[0]).toMatchObject({ id, logprob });
      expect(top[0]!.logprob).toBeGreaterThanOrEqual(top[1]!.logprob);
      expect(top[1]!.logprob).toBeGreaterThanOrEqual(top[2]!.logprob);
      expect(logprob).toBeLessThanOrEqual(0);
    }
  }
});

test('they are of the whole vocabulary, and add up', async () => {
  const [first] = await tokens({ logprobs: 1_000_000, maxTokens: 1 });
  const sum = first!.top.reduce((total, { logprob }) => total + Math.exp(logprob), 0);
  expect(sum).toBeCloseTo(1, 3);
  expect(new Set(first!.top.map(({ id }) => id)).size).toBe(first!.top.length);
});

test('nothing is said where nobody asked, and asking changes no text', async () => {
  const sampling = { temperature: 1.8, topK: 0, topP: 1, seed: 11 };
  const [asked, plain] = [await pieces({ sampling, logprobs: 0 }), await pieces({ sampling })];
  expect(plain.some(piece => 'logprobs' in piece)).toBe(false);
  expect(asked.map(({ text }) => text)).toEqual(plain.map(({ text }) => text));
  expect(asked[0]!.logprobs![0]!.top).toEqual([]);
});

test('neither a temperature nor a grammar changes what the model itself had', async () => {
  const [free] = await tokens({ logprobs: 5, maxTokens: 1 });
  const [hot] = await tokens({
    logprobs: 5,
    maxTokens: 1,
    sampling: { temperature: 2, topK: 2, seed: 5, repeatPenalty: 1.5 },
  });
  const held = await tokens({ logprobs: 5, grammar: 'root ::= "zebra" [0-9]', steer: () => undefined });
  for (const { top } of [hot!, held[0]!]) {
    expect(top.map(({ id }) => id)).toEqual(free!.top.map(({ id }) => id));
    for (const [rank, { logprob }] of top.entries()) expect(logprob).toBeCloseTo(free!.top[rank]!.logprob, 3);
  }
  expect(spelt(held)).toMatch(/^zebra\d/);
  expect(held[0]!.logprob).toBeLessThan(held[0]!.top[0]!.logprob);
});

test('under a grammar what is forced is sampled, so that each token has one', async () => {
  const options: GenerateOptions = {
    maxTokens: 40,
    grammar: 'root ::= "It is forty-two." [0-9]',
    steer: news => (news.length === 0 ? { forced: [{ text: 'It is forty-two.' }] } : undefined),
  };
  const found = await pieces({ ...options, logprobs: 1 });
  expect(found.map(({ text }) => text).join('')).toMatch(/^It is forty-two\.\d/);
  expect(found.every(({ logprobs, tokens: ids }) => logprobs?.length === ids?.length)).toBe(true);
});
