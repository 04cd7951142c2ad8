/** The practice model's training dialogues of several calls can be learnt from. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { dialogue, segments, toolSets } from '../../models/practice/dialogues.ts';
import { corrected, oneAfterAnother, sideBySide } from '../../models/practice/further.ts';
import { seededRandom } from '../../models/practice/random.ts';
import { type Share, valuesOf } from '../../models/practice/values.ts';

const ajv = new Ajv2020({ strict: false });
const schemas = new Map(toolSets.all.map(({ name, inputSchema }) => [name, ajv.compile(inputSchema)]));
const offered = new Set(schemas.keys());

function* exchanges(make: typeof sideBySide, share: Share = 'training') {
  const random = seededRandom(3);
  const values = valuesOf(random, share);
  for (let made = 0; made < 200; made++) yield make(random, values, offered)!;
}

describe.each([
  ['side by side', sideBySide],
  ['one after another', oneAfterAnother],
  ['corrected', corrected],
])('questions of several calls, %s', (_, make) => {
  test('call tools of the servers, with arguments that stand in the question or in an earlier result', () => {
    for (const { question, rounds } of exchanges(make)) {
      let seen = question;
      for (const round of rounds) {
        for (const { name, argumentsText } of round) {
          const args = JSON.parse(argumentsText) as Record<string, unknown>;
          expect(schemas.get(name)?.(args), `${name} ${argumentsText}`).toBe(true);
          for (const value of Object.values(args)) expect(seen).toContain(String(value));
        }
        seen += round.map(({ result }) => `\n${result.replaceAll('\\"', '"')}`).join('');
      }
    }
  });

  test('are made for what is on offer alone', () => {
    const random = seededRandom(4);
    const values = valuesOf(random, 'training');
    const few = new Set(['get_note', 'list_notes']);
    for (let made = 0; made < 50; made++)
      for (const { name } of make(random, values, few)?.rounds.flat() ?? []) expect(few).toContain(name);
    if (make !== sideBySide) expect(make(random, values, new Set(['echo']))).toBeUndefined();
  });
});

test('calls side by side are one round, of two or three', () => {
  for (const { rounds } of exchanges(sideBySide)) {
    expect(rounds).toHaveLength(1);
    expect(rounds[0]!.length).toBeGreaterThan(1);
    expect(rounds[0]!.length).toBeLessThan(4);
  }
});

test('a round follows another unless that failed or found nothing, and then the answer says so', () => {
  for (const { rounds, answer } of [...exchanges(oneAfterAnother), ...exchanges(corrected)]) {
    for (const round of rounds) expect(round).toHaveLength(1);
    const last = rounds.at(-1)![0]!.result;
    if (last.startsWith('Error: ')) expect(answer).toContain(last.slice('Error: '.length));
  }
  const lengths = [...exchanges(oneAfterAnother)].map(({ rounds }) => rounds.length);
  expect(lengths.filter(length => length === 2).length).toBeGreaterThan(120);
  expect(lengths.filter(length => length === 1).length).toBeGreaterThan(5);
});

test('a dialogue is a prompt and a completion in turns, the same for a seed', () => {
  const made = () => {
    const random = seededRandom(9);
    return Array.from({ length: 40 }, () => dialogue(random, 'training'));
  };
  for (const one of made()) {
    const completions = one.exchanges.reduce((sum, { rounds }) => sum + rounds.length + 1, 0);
    expect(segments(one)).toHaveLength(2 * completions);
  }
  expect(made().map(segments)).toEqual(made().map(segments));
});
