/** Questions in the words that the practice model knows, with values that its training never saw. */

import { toolSets } from '../../models/practice/dialogues.ts';
import {
  type Exchange,
  fill,
  makers,
  smallTalk,
  together,
  withoutTool,
} from '../../models/practice/exchanges.ts';
import * as say from '../../models/practice/phrases.ts';
import { type Random, seededRandom } from '../../models/practice/random.ts';
import { type Values, valuesOf } from '../../models/practice/values.ts';
import type { JsonObject } from '../../parsers/parser.ts';
import type { Question } from './question.ts';

type Made = Omit<Question, 'id'>;
type Topic = 'calc' | 'materials' | 'vault';
const topics = ['calc', 'materials', 'vault'] as const;

export function practiceQuestions(count: number, seed: number): Question[] {
  const random = seededRandom(seed);
  const values = valuesOf(random, 'evaluation');
  return Array.from({ length: count }, (_, index) => ({
    id: `practice-${index}`,
    ...question(random, values),
  }));
}

function question(random: Random, values: Values): Made {
  const kind = random.next();
  const topic = random.pick(topics);
  const own = toolSets[topic];
  const tools = random.chance(0.7) ? own : toolSets.all;
  if (kind < 0.1) return made('small talk', smallTalk(random, values, 'evaluation'), tools);
  if (kind < 0.15) {
    const other = random.pick(topics.filter(one => one !== topic));
    return made('no such tool', withoutTool(exchange(random, values, other)), own);
  }
  if (kind < 0.23) {
    const first = exchange(random, values, topic);
    let second = exchange(random, values, topic);
    // The same call twice would have one result.
    while (callText(second) === callText(first)) second = exchange(random, values, topic);
    return made('two calls', together(random, first, second), tools);
  }
  if (kind < 0.31) return listThenRead(random, values);
  const one = exchange(random, values, topic);
  return made(one.rounds[0]?.[0]?.name ?? '', one, tools);
}

function exchange(random: Random, values: Values, topic: Topic): Exchange {
  return makers[random.pick(toolSets[topic]).name]!(random, values);
}

const callText = ({ rounds }: Exchange) =>
  rounds
    .flat()
    .map(({ name, argumentsText }) => name + argumentsText)
    .join(' ');

function made(kind: string, { question, rounds }: Exchange, tools: Made['tools']): Made {
  return {
    kind,
    text: question,
    tools,
    rounds: rounds.map(steps =>
      steps.map(({ name, argumentsText, result }) => ({
        name,
        arguments: JSON.parse(argumentsText) as JsonObject,
        result,
      })),
    ),
    facts: rounds.flat().flatMap(({ result }) => factsOf(result)),
  };
}

/** Two rounds: the second call can't be known before the first one's result. */
function listThenRead(random: Random, values: Values): Made {
  const uris = [values.uri(), values.uri()];
  const note = `${values.capital(values.words(2, 4))}.`;
  const list = random.pick(say.listNotes).replace(/[.?]$/, '');
  return {
    kind: 'two rounds',
    text: `${list}, and then ${fill(random.pick(['read {uri}.', 'open {uri}.', 'show me {uri}.']), { uri: 'the first one' })}`,
    tools: toolSets.vault,
    rounds: [
      [{ name: 'list_notes', arguments: {}, result: uris.join('\n') }],
      [{ name: 'get_note', arguments: { uri: uris[0]! }, result: note }],
    ],
    facts: [note],
  };
}

/** Each line of a result; of a material's record its id and name. */
function factsOf(result: string): string[] {
  const lines = result.replace(/^Error: /, '').split('\n');
  return lines.flatMap(line => {
    const text = line.trim();
    if (!/^[[{]/.test(text)) return text === '' ? [] : [text];
    const records = [JSON.parse(text)].flat() as { id: string; name?: string }[];
    if (records.length === 0) return ['no material'];
    return records.flatMap(({ id, name }) => [id, name ?? '']);
  });
}
