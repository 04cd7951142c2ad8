/** The adapter for SmolLM2: the file that ships is the one that was measured, and its training dialogues can be learnt from. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { makeTools } from '../../models/adapters/smollm2/errands.ts';
import { exchanges } from '../../models/adapters/smollm2/exchanges.ts';
import { type Share, wordsOf } from '../../models/adapters/smollm2/values.ts';
import { seededRandom } from '../../models/practice/random.ts';
import { readCatalog } from '../../src/catalog/catalog.ts';

const models = path.join(import.meta.dirname, '../../models');
const file = path.join(models, 'adapters/smollm2/smollm2-tools.gguf');

test('it is small, has the digest that stands beside it, and the catalog names it with its base', async () => {
  expect(statSync(file).size).toBeLessThanOrEqual(10_000_000);
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
  expect(readFileSync(`${file}.sha256`, 'utf8')).toBe(`${digest}  smollm2-tools.gguf\n`);
  const { adapters, models: all } = await readCatalog(path.join(models, 'catalog.yaml'));
  const adapter = adapters.find(one => one.name === 'smollm2-tools');
  expect(adapter?.file).toMatchObject({ sha256: digest, size: { bytes: statSync(file).size, exact: true } });
  const [source] = adapter?.file.sources ?? [];
  expect(source?.kind === 'path' && existsSync(path.join(models, source.path))).toBe(true);
  const base = all.flatMap(({ name, files }) =>
    files
      .filter(({ sha256 }) => sha256 === adapter?.base)
      .map(({ quantisation }) => `${name}:${quantisation}`),
  );
  expect(base).toEqual(['smollm2-135m:Q4_1']);
});

function* dialogues(share: Share, count: number) {
  const random = seededRandom(11);
  const words = wordsOf(random, share);
  for (let made = 0; made < count; made++) {
    const tools = makeTools(random, share, random.int(1, 4));
    for (const exchange of exchanges(random, share, words, tools)) yield { tools, exchange };
  }
}

describe('its training dialogues', () => {
  test('call tools that are on offer, with arguments that their schemas take, none of which is made up', () => {
    const ajv = new Ajv2020({ strict: false });
    let calls = 0;
    for (const { tools, exchange } of dialogues('training', 300)) {
      expect(new Set(tools.map(({ definition }) => definition.name)).size).toBe(tools.length);
      // What a second round needs stands in the first one's result.
      let seen = exchange.question;
      for (const round of exchange.rounds) {
        for (const { name, args } of round) {
          calls += 1;
          const tool = tools.find(({ definition }) => definition.name === name);
          const valid = ajv.compile(tool?.definition.inputSchema ?? false);
          expect(valid(args), JSON.stringify({ name, args, errors: valid.errors })).toBe(true);
          for (const word of copied(args)) expect(seen).toContain(word);
        }
        seen += round.map(({ result }) => result).join('\n');
      }
    }
    expect(calls).toBeGreaterThan(200);
  });

  test('share no name of a tool with those of the evaluation', () => {
    const names = (share: Share) =>
      new Set(
        [...dialogues(share, 200)].flatMap(({ tools }) => tools.map(({ verb, noun }) => `${verb} ${noun}`)),
      );
    const learnt = names('training');
    expect([...names('evaluation')].filter(name => learnt.has(name))).toEqual([]);
  });
});

/** Texts that a question has to the letter: not numbers, dates and times, which it may say in other ways, nor what a schema lists. */
function copied(args: Readonly<Record<string, unknown>>): string[] {
  return Object.values(args)
    .flatMap(value => (Array.isArray(value) ? value : [value]))
    .filter(value => typeof value === 'string')
    .filter(value => !/^\d{4}-\d\d-\d\d$|^\d\d:\d\d$/.test(value) && !/^[a-z]+_[a-z]+$/.test(value));
}
