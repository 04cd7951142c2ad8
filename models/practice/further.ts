/** Questions of several calls: side by side, one after another, and once more where an error says what would be right. */
import {
  call,
  compute,
  describe,
  type Exchange,
  error,
  fill,
  json,
  makers,
  material,
  materials,
  missingMaterial,
  type Step,
} from './exchanges.ts';
import * as sayFurther from './further-phrases.ts';
import * as say from './phrases.ts';
import type { Random } from './random.ts';
import type { Values } from './values.ts';

/** Nothing where what is on offer doesn't do for it. */
export type FurtherMaker = (
  random: Random,
  values: Values,
  offered: ReadonlySet<string>,
) => Exchange | undefined;

interface Kind {
  readonly needs: readonly string[];
  readonly weight: number;
  readonly make: (random: Random, values: Values, offered: ReadonlySet<string>) => Exchange;
}

const oneOf =
  (kinds: readonly Kind[]): FurtherMaker =>
  (random, values, offered) => {
    const possible = kinds.filter(({ needs }) => needs.every(name => offered.has(name)));
    const weighted = possible.flatMap(kind => Array<Kind>(kind.weight).fill(kind));
    return weighted.length === 0 ? undefined : random.pick(weighted).make(random, values, offered);
  };

type Operation = keyof typeof sayFurther.sums;
const operations = ['add', 'subtract', 'multiply', 'divide'] as const;
const anyOperation = operations.map(name => [name]);

const step = (name: string, args: Record<string, string>, result: string): Step => ({
  ...call(name, args),
  result,
});
const failed = ({ result }: Step) => result.startsWith('Error: ');
const sentence = (made: Step, otherwise: string) => (failed(made) ? say.failed(made.result) : otherwise);
const withoutEnd = (question: string) => question.replace(/[.?!]$/, '');

interface Sum {
  readonly name: Operation;
  readonly a: string;
  readonly b: string;
  readonly made: Step;
  readonly says: string;
}

/** A result that can be copied: a long one is too hard for so small a model. */
function sum(random: Random, values: Values, offered: ReadonlySet<string>, from?: string): Sum {
  const names = operations.filter(name => offered.has(name));
  for (;;) {
    const name = random.pick(names);
    let [a, b] = [from ?? values.number(), values.number()];
    if (name === 'divide' && from === undefined && random.chance(0.6))
      a = String(Number(b) * random.int(1, 30));
    if (name === 'divide' && random.chance(0.04)) b = '0';
    const value = compute[name]!(Number(a), Number(b));
    const result = Number.isFinite(value)
      ? String(Number(value.toPrecision(15)))
      : `Error: ${random.pick(say.divisionByZero)}`;
    if (result.length > 8 && Number.isFinite(value)) continue;
    const made = step(name, { a, b }, random.chance(0.03) ? error(random, values) : result);
    const says = sentence(made, fill(say.arithmetic[name].answer, { a, b, result: made.result }));
    return { name, a, b, made, says };
  }
}

/** "What is 12 plus 30, and 5 times 8?" */
function sums(random: Random, values: Values, offered: ReadonlySet<string>): Exchange {
  const all = Array.from({ length: random.chance(0.12) ? 3 : 2 }, () => sum(random, values, offered));
  const said = all.map(({ name, a, b }) => fill(random.pick(sayFurther.sums[name]), { a, b }));
  const last = said.pop()!;
  return {
    question: fill(random.pick(sayFurther.askSums), {
      sums: `${said.join(', ')}${random.pick(sayFurther.betweenSums)}${last}`,
    }),
    rounds: [all.map(({ made }) => made)],
    answer: all.map(({ says }) => says).join(' '),
  };
}

/** "Show me M-1001 and M-1002.": one tool twice, with what stands in the place of its one argument. */
const twice = (name: string, key: string, phrases: readonly string[]) => (random: Random, values: Values) => {
  const both = [makers[name]!(random, values), makers[name]!(random, values)];
  const asked = both.map(({ rounds }) => JSON.parse(rounds[0]![0]!.argumentsText)[key] as string);
  const phrase = random.pick(phrases);
  const between = random.pick([' and ', ' and ', ', and ']);
  return {
    question: fill(phrase, { [key]: asked.join(phrase.includes('"') ? `"${between}"` : between) }),
    rounds: [both.flatMap(({ rounds }) => rounds[0]!)],
    answer: both.map(({ answer }) => answer).join(' '),
  };
};

/** Two questions, each with its own end mark. */
function twoSentences(random: Random, values: Values, offered: ReadonlySet<string>): Exchange {
  const names = [...offered];
  const both = [random.pick(names), random.pick(names)].map(name => makers[name]!(random, values));
  const [first, second] = both.map(({ question }) => (/[.?!]$/.test(question) ? question : `${question}.`));
  return {
    question: `${first} ${random.pick(sayFurther.also)}${second}`,
    rounds: [both.flatMap(({ rounds }) => rounds.flat())],
    answer: both.map(({ answer }) => answer).join(' '),
  };
}

export const sideBySide = oneOf([
  ...anyOperation.map(needs => ({ needs, weight: 2, make: sums })),
  { needs: ['get_material'], weight: 3, make: twice('get_material', 'id', say.getMaterial) },
  { needs: ['get_note'], weight: 3, make: twice('get_note', 'uri', say.getNote) },
  { needs: [], weight: 2, make: twoSentences },
]);

/** "Add 3 and 4, then multiply by 5." What comes behind a call that failed is not called. */
function calculation(random: Random, values: Values, offered: ReadonlySet<string>): Exchange {
  let last = sum(random, values, offered);
  const all = [last];
  let question = withoutEnd(fill(random.pick(say.arithmetic[last.name].ask), { a: last.a, b: last.b }));
  for (let left = random.chance(0.12) ? 2 : 1; left > 0; left--) {
    const stopped = failed(last.made);
    const next = sum(random, values, offered, stopped ? values.number() : last.made.result);
    question += random.pick(sayFurther.next) + fill(random.pick(sayFurther.thenDo[next.name]), { b: next.b });
    if (stopped) continue;
    all.push(next);
    last = next;
  }
  const rounds = all.map(({ made }) => [made]);
  let answer = all.map(({ says }) => says).join(' ');
  if (offered.has('echo') && random.chance(0.15)) {
    question += random.pick(sayFurther.next) + random.pick(sayFurther.thenEcho);
    if (!failed(last.made)) {
      const { result } = last.made;
      rounds.push([step('echo', { text: result }, result)]);
      answer += ` The echo says: ${result}`;
    }
  }
  return { question: question + random.pick(['.', '.', '?', '']), rounds, answer };
}

/** A search or a list, and what is done with one of the things found; nothing more where it failed or found none. */
function foundThen(
  random: Random,
  question: string,
  deed: string,
  found: Step,
  then: Pick<Exchange, 'rounds' | 'answer'> | undefined,
): Exchange {
  return {
    question: `${withoutEnd(question)}${random.pick(sayFurther.next)}${deed}${random.pick(['.', '.', '?', ''])}`,
    rounds: [[found], ...(then?.rounds ?? [])],
    answer: then?.answer ?? sentence(found, found.result),
  };
}

const noteAt = (random: Random, values: Values, uri: string) =>
  makers.get_note!(random, { ...values, uri: () => uri });

function listThenRead(random: Random, values: Values): Exchange {
  const uris = Array.from({ length: random.int(1, 4) }, values.uri);
  const last = random.chance(0.25);
  const deed = random.pick(last ? sayFurther.readLast : sayFurther.readFirst);
  const list = (result: string, then?: Exchange) =>
    foundThen(random, random.pick(say.listNotes), deed, step('list_notes', {}, result), then);
  if (random.chance(0.04)) return list('There are no notes.');
  if (random.chance(0.04)) return list(error(random, values));
  return list(uris.join('\n'), noteAt(random, values, uris.at(last ? -1 : 0)!));
}

function searchThenRead(random: Random, values: Values): Exchange {
  const query = values.words(1, 2);
  const asked = fill(random.pick(say.searchNotes), { query });
  const deed = random.pick(sayFurther.readFound);
  const search = (result: string, then?: Exchange) =>
    foundThen(random, asked, deed, step('search_notes', { query }, result), then);
  if (random.chance(0.08)) return search(fill(random.pick(say.nothing), { value: query }));
  const uris = Array.from({ length: random.pick([1, 1, 2]) }, values.uri);
  const hits = uris.map(uri => `${uri}: ${`${values.words(0, 2)} ${query} ${values.words(0, 2)}`.trim()}`);
  return search(hits.join('\n'), noteAt(random, values, uris[0]!));
}

function findMaterials(random: Random, values: Values) {
  const category = values.category();
  const found = materials(random, values, random.pick([1, 2, 2, 3]), category);
  const none = random.chance(0.06)
    ? fill(say.noMaterialFound, { categories: `${values.category()}, ${values.category()}` })
    : undefined;
  return {
    asked: fill(random.pick(say.byCategory), { value: category }),
    made: step('search_materials', { category }, none ?? found.map(one => json(random, one)).join('\n')),
    first: none === undefined ? found[0] : undefined,
  };
}

function findThenShow(random: Random, values: Values): Exchange {
  const { asked, made, first } = findMaterials(random, values);
  return foundThen(random, asked, random.pick(sayFurther.showFound), made, first && shown(random, first));
}

const shown = (random: Random, one: ReturnType<typeof material>) => ({
  rounds: [[step('get_material', { id: one.id }, json(random, one))]],
  answer: describe(one),
});

function findThenFlag(random: Random, values: Values): Exchange {
  const { asked, made, first } = findMaterials(random, values);
  const reason = random.chance(0.6) ? random.pick(say.reasons) : values.words(1, 2);
  const deed = fill(random.pick(sayFurther.flagFound), { reason });
  return foundThen(random, asked, deed, made, first && flagged(random, first.id, reason));
}

function flagged(random: Random, id: string, reason: string) {
  const done = fill(random.pick(say.flagged), { id, reason });
  return { rounds: [[step('flag_material', { id, reason }, done)]], answer: `Done: ${done}` };
}

export const oneAfterAnother = oneOf([
  ...anyOperation.map(needs => ({ needs, weight: 2, make: calculation })),
  { needs: ['list_notes', 'get_note'], weight: 3, make: listThenRead },
  { needs: ['search_notes', 'get_note'], weight: 3, make: searchThenRead },
  { needs: ['search_materials', 'get_material'], weight: 3, make: findThenShow },
  { needs: ['search_materials', 'flag_material'], weight: 2, make: findThenFlag },
]);

/** The call as it was asked for, the error, and, where that says what would be right, the call that is. */
function again(question: string, wrong: Step, right?: Pick<Exchange, 'rounds' | 'answer'>): Exchange {
  return {
    question,
    rounds: [[wrong], ...(right?.rounds ?? [])],
    answer: right?.answer ?? say.failed(wrong.result),
  };
}

/** "Show me material 1001.", where the error lists M-1001, or doesn't. */
const unfinishedId = (name: 'get_material' | 'flag_material') => (random: Random, values: Values) => {
  const record = material(random, values);
  const digits = record.id.slice(2);
  const id = random.pick(['', '', 'M', 'M ', '#', 'm', 'M_']) + digits;
  const reason = random.chance(0.6) ? random.pick(say.reasons) : values.words(1, 2);
  const phrases = name === 'flag_material' ? say.flag : say.getMaterial;
  const listed = random.chance(0.75);
  const ids = values.materialIds(random.int(1, 5)).filter(one => one !== record.id);
  if (listed) ids.splice(random.int(0, ids.length), 0, record.id);
  const result = `Error: ${fill(say.noMaterial[0]!, { id, ids: ids.join(', ') })}`;
  const args: Record<string, string> = name === 'flag_material' ? { id, reason } : { id };
  const right = name === 'flag_material' ? flagged(random, record.id, reason) : shown(random, record);
  return again(
    // A number alone is a material only where the question says so.
    fill(random.pick(/^\d/.test(id) ? phrases.filter(phrase => /material|Flag/.test(phrase)) : phrases), {
      id,
      reason,
    }),
    step(name, args, result),
    listed ? right : undefined,
  );
};

/** An id that is whole, and that the error doesn't list: nothing is left to call. */
function unknownId(random: Random, values: Values): Exchange {
  const id = values.materialId();
  const question = fill(random.pick(say.getMaterial), { id });
  return again(question, step('get_material', { id }, missingMaterial(random, values, id)));
}

function misspelt(random: Random, text: string): string {
  const at = random.int(1, text.length - 2);
  const kind = random.next();
  if (kind < 0.4) return text.slice(0, at) + text.slice(at + 1);
  if (kind < 0.7) return text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
  return text.slice(0, at) + text[at] + text.slice(at);
}

const didYouMean = (random: Random, thing: string, wrong: string, right: string) =>
  `Error: ${fill(random.pick(sayFurther.didYouMean), { thing, wrong, right })}`;

function misspeltNote(random: Random, values: Values): Exchange {
  const uri = values.uri();
  const wrong = random.chance(0.4) ? uri.replace(/^[^/]*\/|\.md$/, '') : misspelt(random, uri);
  const question = fill(random.pick(say.getNote), { uri: wrong });
  const made = step('get_note', { uri: wrong }, didYouMean(random, 'note', wrong, uri));
  return again(question, made, noteAt(random, values, uri));
}

function misspeltMaterial(random: Random, values: Values): Exchange {
  const record = material(random, values);
  const wrong = misspelt(random, record.id);
  const question = fill(random.pick(say.getMaterial), { id: wrong });
  const made = step('get_material', { id: wrong }, didYouMean(random, 'material', wrong, record.id));
  return again(question, made, shown(random, record));
}

export const corrected = oneOf([
  { needs: ['get_material'], weight: 3, make: unfinishedId('get_material') },
  { needs: ['flag_material'], weight: 2, make: unfinishedId('flag_material') },
  { needs: ['get_material'], weight: 3, make: unknownId },
  { needs: ['get_note'], weight: 2, make: misspeltNote },
  { needs: ['get_material'], weight: 2, make: misspeltMaterial },
]);
