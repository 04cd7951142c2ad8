/** What tools give back, and the answers that a reader of it writes. */
import { spacedJson } from '../../../parsers/json-text.ts';
import type { Random } from '../../practice/random.ts';
import { type Errand, fill, words } from './errands.ts';
import type { Words } from './values.ts';
import * as of from './values.ts';

export interface Outcome {
  readonly result: string;
  readonly answer: string;
}

type Field = readonly [key: string, make: of.Maker];

const fields: readonly Field[] = [
  ['result', of.decimal(0, 9000)],
  ['value', of.decimal(0, 900)],
  ['total', of.integer(0, 5000)],
  ['count', of.integer(0, 99)],
  ['id', of.code],
  ['name', of.fullName],
  ['title', of.title],
  ['price', of.decimal(1, 2000)],
  ['date', of.date],
  ['time', of.time],
  ['city', of.city],
  ['email', of.email],
  ['path', of.path],
  ['summary', of.twoWords],
  ['owner', of.firstName],
  ['temperature', of.integer(-20, 40)],
  ['score', of.decimal(0, 100, 1)],
  ['url', of.url],
  ['duration', of.integer(1, 300)],
];
const states = ['ok', 'done', 'sent', 'created', 'confirmed', 'queued', 'success', 'updated'];
const errors = [
  'not found',
  'Permission denied',
  'timeout after 30 s',
  'no such {noun}',
  'invalid {key}',
  'The {noun} is already there.',
  'service unavailable',
  'quota exceeded',
  'unknown {key}: {value}',
];

export function outcomeOf(random: Random, from: Words, errand: Errand): Outcome {
  const { noun } = errand.tool;
  const kind = random.next();
  if (kind < 0.14) return failure(random, errand);
  if (kind < 0.26 || !errand.tool.reads) {
    if (random.chance(0.5)) {
      const state = random.pick(states);
      return {
        result: JSON.stringify({ status: state }).replace(':', random.pick([':', ': '])),
        answer: `Done: the ${noun} is ${state}.`
          .replace('is ok', 'is taken care of')
          .replace('is done', 'is taken care of')
          .replace('is success', 'is taken care of'),
      };
    }
    const id = String(of.code(random, from).value);
    return { result: json(random, { status: random.pick(states), id }), answer: `Done. The id is ${id}.` };
  }
  if (kind < 0.45) {
    const { value } = random.pick([of.decimal(0, 5000), of.integer(0, 999), of.twoWords, of.title, of.code])(
      random,
      from,
    );
    return { result: String(value), answer: `The ${noun} is ${value}.` };
  }
  if (kind < 0.58) {
    const items = Array.from({ length: random.int(2, 4) }, () =>
      String(random.pick([of.title, of.fullName, of.code, of.path])(random, from).value),
    );
    const result = random.chance(0.5) ? json(random, items) : items.join('\n');
    return { result, answer: `I found ${items.length}: ${items.join(', ')}.` };
  }
  const chosen = random
    .sample(fields, random.pick([1, 1, 2, 2, 3]))
    .map(([key, make]) => [key, make(random, from).value] as const);
  const told = chosen.map(([key, value]) => `${words(key)} ${value}`);
  const answer =
    chosen.length === 1 ? `The ${noun} is ${chosen[0]?.[1]}.` : `The ${noun}: ${told.join(', ')}.`;
  return { result: json(random, Object.fromEntries(chosen)), answer };
}

export function failure(random: Random, { tool, args }: Errand): Outcome {
  const [key = 'request', value = ''] = Object.entries(args)[0] ?? [];
  const message = fill(random.pick(errors), {
    noun: tool.noun,
    key: words(key),
    value: typeof value === 'object' ? key : String(value),
  });
  const result = random.chance(0.7) ? `Error: ${message}` : json(random, { error: message });
  return { result, answer: `That did not work: ${message.replace(/\.$/, '')}.` };
}

function json(random: Random, value: unknown): string {
  const text = JSON.stringify(value);
  return random.chance(0.5) ? text : spacedJson(text);
}
