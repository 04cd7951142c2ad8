/** One question and what becomes of it: the calls, what the tools give, and the answer. further.ts has those of several calls. */

import * as say from './phrases.ts';
import type { Random } from './random.ts';
import type { Values } from './values.ts';

export interface Call {
  readonly name: string;
  readonly argumentsText: string;
}

/** A call and what its tool gives. */
export interface Step extends Call {
  readonly result: string;
}

export interface Exchange {
  readonly question: string;
  /** The steps of a round stand side by side; the next round is called when their results are there. */
  readonly rounds: readonly (readonly Step[])[];
  readonly answer: string;
}

/** Makes one exchange of a kind; the keys are the tool it calls. */
export type Maker = (random: Random, values: Values) => Exchange;

export const call = (name: string, args: Record<string, string>): Call => ({
  name,
  // Numbers come as their own text, so that they are written as they were asked.
  argumentsText: `{${Object.entries(args)
    .map(
      ([key, value]) =>
        `${JSON.stringify(key)}:${key === 'a' || key === 'b' ? value : JSON.stringify(value)}`,
    )
    .join(',')}}`,
});

export const fill = (phrase: string, parts: Record<string, string>) =>
  phrase.replace(/\{(\w+)\}/g, (_, key: string) => parts[key] ?? '');

const one = (question: string, made: Call, result: string, answer: string): Exchange => ({
  question,
  rounds: [[{ ...made, result }]],
  answer: result.startsWith('Error: ') ? say.failed(result) : answer,
});

export const compute: Record<string, (a: number, b: number) => number> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
};

function arithmetic(name: keyof typeof say.arithmetic): Maker {
  return (random, values) => {
    const phrase = random.pick(say.arithmetic[name].ask);
    let [a, b] = [values.number(), values.number()];
    // Most divisions that people ask for come out even.
    if (name === 'divide' && random.chance(0.6))
      a = String(Number((Number(b) * random.int(1, 99)).toPrecision(15)));
    if (name === 'divide' && random.chance(0.06)) b = '0';
    if (random.chance(0.03)) b = a;
    const value = compute[name]!(Number(a), Number(b));
    const result = !Number.isFinite(value)
      ? `Error: ${random.pick(say.divisionByZero)}`
      : random.chance(0.02)
        ? error(random, values)
        : String(Number(value.toPrecision(15)));
    return one(
      fill(phrase, { a, b }),
      call(name, { a, b }),
      result,
      fill(say.arithmetic[name].answer, { a, b, result }),
    );
  };
}

export const missingMaterial = (random: Random, values: Values, id: string) => {
  const ids = values.materialIds(random.int(1, 6)).filter(one => one !== id);
  if (ids.length === 0) ids.push(values.materialId());
  return `Error: ${fill(random.pick(say.noMaterial), { id, ids: ids.join(', ') })}`;
};
export const error = (random: Random, values: Values) =>
  `Error: ${fill(random.pick(say.errors), { word: values.word(), words: values.words(1, 3) })}`;
const orError = (random: Random, values: Values, result: string) =>
  random.chance(0.08) ? error(random, values) : result;

interface Material {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly weight_kg: number | null;
  readonly hazard_class: string | null;
}

export function material(
  random: Random,
  values: Values,
  category = values.category(),
  id = values.materialId(),
): Material {
  const weight = Number(values.number());
  return {
    id,
    name: random.chance(0.05) ? '' : values.material(),
    category,
    weight_kg: random.chance(0.05) ? null : weight,
    hazard_class: random.chance(0.15)
      ? null
      : random.chance(0.5)
        ? random.pick(say.hazards)
        : random.pick([
            String(random.int(1, 9)),
            `${random.int(1, 9)}.${random.int(1, 6)}`,
            'none',
            values.word(),
          ]),
  };
}

/** At most so many, each with an id of its own. */
export const materials = (random: Random, values: Values, count: number, category?: string) =>
  values.materialIds(count).map(id => material(random, values, category, id));

export const json = (random: Random, value: unknown) => {
  const text = JSON.stringify(value);
  return random.chance(0.7)
    ? text
    : text.replaceAll('":', '": ').replaceAll(',"', ', "').replaceAll('},{', '}, {');
};

export const describe = (m: Material) =>
  `${m.id} is ${m.name}, category ${m.category}, ${m.weight_kg} kg, hazard class ${m.hazard_class}.`;

/** Where a server has no record, an empty list or a sentence may come; the answer gives it as it is. */
const plural = (items: readonly string[]) => items.join(', ');

export const makers: Record<string, Maker> = {
  add: arithmetic('add'),
  subtract: arithmetic('subtract'),
  multiply: arithmetic('multiply'),
  divide: arithmetic('divide'),
  echo(random, values) {
    const text = values.text();
    const result = random.chance(0.03) ? error(random, values) : text;
    return one(
      fill(random.pick(say.echo), { text }),
      call('echo', { text }),
      result,
      `The echo says: ${result}`,
    );
  },
  search_materials(random, values) {
    const byCategory = random.chance(0.65);
    const value = byCategory ? values.category() : values.words(1, 2);
    const question = fill(random.pick(byCategory ? say.byCategory : say.byWords), { value });
    const made = call('search_materials', byCategory ? { category: value } : { query: value });
    if (random.chance(0.12)) {
      const result = random.chance(0.6)
        ? fill(say.noMaterialFound, {
            categories: Array.from({ length: random.int(1, 4) }, () => values.category()).join(', '),
          })
        : random.pick(['[]', fill(random.pick(say.nothing), { value })]);
      return one(question, made, result, result === '[]' ? 'No materials found.' : result);
    }
    const found = materials(random, values, random.pick([1, 1, 2, 2, 3]), byCategory ? value : undefined);
    const lines = random.chance(0.7) ? found.map(m => json(random, m)).join('\n') : json(random, found);
    const answer = `Found ${plural(found.map(m => `${m.id} ${m.name}`))}.`;
    return one(question, made, orError(random, values, lines), answer);
  },
  get_material(random, values) {
    const made = material(random, values);
    const question = fill(random.pick(say.getMaterial), { id: made.id });
    const result = random.chance(0.12) ? missingMaterial(random, values, made.id) : json(random, made);
    return one(question, call('get_material', { id: made.id }), result, describe(made));
  },
  flag_material(random, values) {
    const id = values.materialId();
    const reason = random.chance(0.6) ? random.pick(say.reasons) : values.words(1, 2);
    const question = fill(random.pick(say.flag), { id, reason });
    const done = fill(random.pick(say.flagged), { id, reason });
    const result = random.chance(0.1)
      ? random.chance(0.7)
        ? missingMaterial(random, values, id)
        : `Error: ${random.pick(say.refused)}`
      : done;
    return one(question, call('flag_material', { id, reason }), result, `Done: ${done}`);
  },
  list_notes(random, values) {
    const uris = Array.from({ length: random.int(1, 4) }, () => values.uri());
    return one(
      random.pick(say.listNotes),
      call('list_notes', {}),
      orError(random, values, uris.join('\n')),
      `The notes are ${plural(uris)}.`,
    );
  },
  get_note(random, values) {
    const uri = values.uri();
    const lines = [
      ...(random.chance(0.7) ? [`# ${values.capital(values.words(1, 2))}`, ''] : []),
      ...Array.from({ length: random.pick([1, 1, 2]) }, () => noteLine(random, values)),
    ];
    const note = lines.join('\n');
    const result = random.chance(0.12)
      ? `Error: ${fill(random.pick(say.noNote), { uri })}`
      : note + random.pick(['', '\n']);
    return one(
      fill(random.pick(say.getNote), { uri }),
      call('get_note', { uri }),
      result,
      `The note says: ${note}`,
    );
  },
  search_notes(random, values) {
    const query = values.words(1, 2);
    const question = fill(random.pick(say.searchNotes), { query });
    const made = call('search_notes', { query });
    if (random.chance(0.15)) {
      const result = fill(random.pick(say.nothing), { value: query });
      return one(question, made, result, result);
    }
    const hits = Array.from({ length: random.pick([1, 1, 2]) }, () => {
      const line = random.chance(0.5)
        ? `${values.words(0, 2)} ${query} ${values.words(0, 2)}`
        : noteLine(random, values);
      return `${values.uri()}: ${line.trim()}`;
    });
    return one(question, made, orError(random, values, hits.join('\n')), `Found ${hits.join('; ')}`);
  },
};

function noteLine(random: Random, values: Values): string {
  const text = values.words(1, 4);
  const shape = random.next();
  if (shape < 0.35) return `- ${text}`;
  if (shape < 0.5) return `${values.capital(values.word())}: ${values.number()} ${values.word()}`;
  return `${values.capital(text)}.`;
}

export function smallTalk(random: Random, values: Values, share: 'training' | 'evaluation'): Exchange {
  // Some openings are kept for evaluation, beside new names and words in all of them.
  const pool = say.smallTalk.filter((_, index) => share === 'evaluation' || index % 7 !== 6);
  const [ask, answer] = random.pick(pool);
  const parts = { name: values.name(), word: values.word() };
  return { question: fill(random.pick(ask), parts), rounds: [], answer: fill(answer, parts) };
}

/** A question whose tool is not on offer. */
export const withoutTool = (exchange: Exchange): Exchange => ({
  question: exchange.question,
  rounds: [],
  answer: say.noTool,
});

/** Two questions in one message, answered by two calls side by side. */
export function together(random: Random, first: Exchange, second: Exchange): Exchange {
  const head = first.question.replace(/[.?!]$/, '');
  const tail = second.question.replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase());
  // An end mark that belongs to a value must not be lost.
  const asked = first.rounds
    .flat()
    .flatMap(({ argumentsText }) => Object.values(JSON.parse(argumentsText)).map(String));
  if (!asked.every(value => head.includes(value))) return first;
  return {
    question: `${head}${random.pick([', and ', ' and ', ' and also '])}${tail}`,
    rounds: [[...first.rounds.flat(), ...second.rounds.flat()]],
    answer: `${first.answer} ${second.answer}`,
  };
}
