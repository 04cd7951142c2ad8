/** One question and what becomes of it: rounds of calls with their results, and the answer. */
import type { JsonObject } from '../../../parsers/parser.ts';
import type { Message } from '../../../templates/template.ts';
import type { Random } from '../../practice/random.ts';
import {
  type Errand,
  ended,
  errandFor,
  fill,
  imperative,
  type MadeTool,
  makeTools,
  question,
  words,
} from './errands.ts';
import * as say from './phrases.ts';
import { outcomeOf } from './results.ts';
import { capital, code, email, fullName, path, type Share, title, type Words } from './values.ts';

export interface MadeCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly result: string;
}

export interface Exchange {
  readonly question: string;
  readonly rounds: readonly (readonly MadeCall[])[];
  /** Absent: the dialogue ends with the calls. */
  readonly answer?: string;
  readonly writesOn?: boolean;
}

const callOf = ({ tool, args }: Errand, result = ''): MadeCall => ({
  name: tool.definition.name,
  args: args as JsonObject,
  result,
});

/** One or two questions that follow each other. */
export function exchanges(random: Random, share: Share, from: Words, tools: readonly MadeTool[]): Exchange[] {
  const first = exchange(random, share, from, tools);
  if (first.answer === undefined || random.chance(0.75)) return [first];
  return [first, exchange(random, share, from, tools)];
}

function exchange(random: Random, share: Share, from: Words, tools: readonly MadeTool[]): Exchange {
  const kind = random.next();
  if (kind < 0.07) return smallTalk(random, from);
  if (kind < 0.1) return factual(random, share);
  if (kind < 0.21) return irrelevant(random, share, from, tools);
  if (kind < 0.23) return askedBack(random, from, tools) ?? one(random, from, tools);
  if (kind < 0.27) return chained(random, from, tools) ?? one(random, from, tools);
  if (kind < 0.4) return alike(random, from, tools) ?? one(random, from, tools);
  if (kind < 0.46) return together(random, from, tools);
  return one(random, from, tools);
}

function finished(random: Random, from: Words, asked: string, errands: readonly Errand[]): Exchange {
  if (random.chance(0.62))
    return {
      question: asked,
      rounds: [errands.map(errand => callOf(errand))],
      writesOn: random.chance(0.35),
    };
  const outcomes = errands.map(errand => outcomeOf(random, from, errand));
  return {
    question: asked,
    rounds: [errands.map((errand, index) => callOf(errand, outcomes[index]?.result))],
    answer: outcomes.map(outcome => outcome.answer).join(' '),
  };
}

function one(random: Random, from: Words, tools: readonly MadeTool[]): Exchange {
  const errand = errandFor(random, from, random.pick(tools));
  return finished(random, from, question(random, from, errand), [errand]);
}

/** The same tool several times: one value differs, or all do. */
function alike(random: Random, from: Words, tools: readonly MadeTool[]): Exchange | undefined {
  const tool = random.pick(tools);
  const [varied] = tool.parameters;
  if (varied === undefined) return undefined;
  const count = random.pick([2, 2, 2, 3, 3, 4]);
  if (random.chance(0.3))
    return joined(
      random,
      from,
      Array.from({ length: Math.min(count, 3) }, () => errandFor(random, from, tool)),
    );
  const { args, said } = errandFor(random, from, tool);
  const made = Array.from({ length: count }, () => varied.kind.make(random, from));
  if (
    new Set(made.map(({ value }) => JSON.stringify(value))).size < count ||
    made.some(one => / and |, /.test(one.said))
  )
    return undefined;
  const last = made.at(-1)?.said;
  const list = `${made
    .slice(0, -1)
    .map(one => one.said)
    .join(', ')}${random.pick([' and ', ' and ', ', and ', ' and '])}${last}`;
  const errands = made.map(({ value }) => ({
    tool,
    args: { [varied.key]: value, ...without(args, varied.key) },
    said: { [varied.key]: list, ...without(said, varied.key) },
  }));
  const [first] = errands;
  return first && finished(random, from, question(random, from, first), errands);
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([other]) => other !== key));
}

function together(random: Random, from: Words, tools: readonly MadeTool[]): Exchange {
  return joined(
    random,
    from,
    Array.from({ length: random.pick([2, 2, 3]) }, () => errandFor(random, from, random.pick(tools))),
  );
}

function joined(random: Random, from: Words, errands: readonly Errand[]): Exchange {
  const order = errands
    .map(errand => imperative(random, errand))
    .reduce((before, next) => {
      const link = random.pick(say.and);
      return `${before.replace(/[.]$/, '')}${link}${link.endsWith('. ') && !/\w. $/.test(link) ? capital(next) : next}`;
    });
  const asked = ended(fill(random.pick(say.asks), { do: order, Do: capital(order) }));
  return finished(random, from, asked, errands);
}

/** The first call's result has what the second one needs. */
function chained(random: Random, from: Words, tools: readonly MadeTool[]): Exchange | undefined {
  const [first, second] = random.sample(tools, 2);
  if (first === undefined || second === undefined) return undefined;
  const needed = second.parameters.find(
    ({ kind, required }) => required && kind.schema.type === 'string' && kind.schema.enum === undefined,
  );
  if (needed === undefined) return undefined;
  const errand = errandFor(random, from, first);
  const { value } = random.pick([code, email, fullName, path, title])(random, from);
  const result = random.chance(0.5) ? String(value) : JSON.stringify({ [needed.key]: value });
  const { frame: _, ...plain } = second;
  const rest = errandFor(random, from, {
    ...plain,
    parameters: second.parameters.filter(other => other !== needed),
  });
  const then = { ...rest, tool: second, args: { [needed.key]: value, ...rest.args } };
  const what = random.pick([words(needed.key), 'result']);
  const order = `${imperative(random, errand)}${random.pick([', then ', ' and then ', '. Then '])}use the ${what} to ${imperative(random, rest)}`;
  const outcome = outcomeOf(random, from, then);
  return {
    question: ended(fill(random.pick(say.asks), { do: order, Do: capital(order) })),
    rounds: [[callOf(errand, result)], [callOf(then, outcome.result)]],
    answer: outcome.answer,
  };
}

/** A question for a tool that is not on offer. */
function irrelevant(random: Random, share: Share, from: Words, tools: readonly MadeTool[]): Exchange {
  const offered = tools.map(tool => tool.noun);
  const other = makeTools(random, share, 3).find(
    ({ noun }) => !offered.some(one => one.includes(noun) || noun.includes(one)),
  );
  if (other === undefined) return smallTalk(random, from);
  const asked = question(random, from, errandFor(random, from, other));
  const answer =
    other.frame !== undefined || random.chance(0.3)
      ? random.pick(say.noTool)
      : fill(random.pick(say.noToolFor), { do: `${other.verb} the ${other.noun}` });
  return { question: asked, rounds: [], answer };
}

/** A question without what the tool needs. */
function askedBack(random: Random, from: Words, tools: readonly MadeTool[]): Exchange | undefined {
  const tool = tools.find(({ parameters }) => parameters[0]?.required);
  const missing = tool?.parameters[0];
  if (tool === undefined || missing === undefined) return undefined;
  const asked = question(random, from, {
    tool: { ...tool, parameters: tool.parameters.slice(0, 0) },
    args: {},
    said: {},
  });
  return { question: asked, rounds: [], answer: fill(say.askBack, { key: words(missing.key) }) };
}

function smallTalk(random: Random, from: Words): Exchange {
  const [asks, reply] = random.pick(say.talk);
  const parts = { name: capital(from.invented(random)), thing: from.invented(random) };
  return { question: fill(random.pick(asks), parts), rounds: [], answer: fill(reply, parts) };
}

function factual(random: Random, share: Share): Exchange {
  const pool = say.facts.filter((_, index) => (index % 8 === 7) === (share === 'evaluation'));
  const [asks, reply] = random.pick(pool);
  return { question: random.pick(asks), rounds: [], answer: reply };
}

/** Answer turns without schemas: what the policy `question-and-data` renders. */
export function fromData(
  random: Random,
  share: Share,
  from: Words,
  count: number,
): { opening: Message[]; exchange: Exchange }[] {
  const opening: Message[] = [
    {
      role: 'system',
      content: 'Answer the question in one or two short sentences, using only the data given.',
    },
  ];
  return Array.from({ length: count }, () => {
    const tools = makeTools(random, share, 2);
    const errands = Array.from({ length: random.pick([1, 1, 1, 2]) }, () =>
      errandFor(random, from, random.pick(tools)),
    );
    const outcomes = errands.map(errand => outcomeOf(random, from, errand));
    const [first] = errands;
    const asked =
      errands.length === 1 && first ? question(random, from, first) : joined(random, from, errands).question;
    const data = outcomes.map(outcome => outcome.result).join('\n');
    const answer = outcomes.map(outcome => outcome.answer).join(' ');
    return { opening, exchange: { question: `Question: ${asked}\nData: ${data}`, rounds: [], answer } };
  });
}
