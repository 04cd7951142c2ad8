/** What the samples of an evaluation come to. docs/eval.md has the definitions in full. */
import { type Interval, wilson } from './interval.ts';
import type { Sample } from './results.ts';

/** So many of so many, and how sure that is. */
export interface Rate {
  readonly right: number;
  readonly of: number;
  /** Absent where nothing was counted. */
  readonly rate?: number;
  readonly interval: Interval;
}

interface Counted {
  readonly right: number;
  readonly of: number;
}

interface RateDefinition {
  readonly title: string;
  /** Of what it is a share, for people. */
  readonly of: string;
  readonly better: 'higher' | 'lower';
  /** What one sample that did not break off adds. */
  readonly count: (sample: Sample) => Counted;
}

/** Samples of tasks with this tag are small talk. */
export const smallTalk = 'small-talk';

const none: Counted = { right: 0, of: 0 };
const one = (right: boolean): Counted => ({ right: right ? 1 : 0, of: 1 });
const where = (counted: boolean, right: boolean) => (counted ? one(right) : none);
const whereKnown = (right: boolean | undefined) => (right === undefined ? none : one(right));

/** In the order in which tables have them. */
export const rateDefinitions = {
  right: {
    title: 'right',
    of: 'samples: all that the task says of calls holds',
    better: 'higher',
    count: ({ scores }) => one(scores.right),
  },
  schemaValid: {
    title: 'schema-valid',
    of: 'turns that called: every call was read and its arguments fit the schema',
    better: 'higher',
    count: ({ calls }) => {
      const turns = new Map<number, boolean>();
      for (const { turn, valid } of calls) turns.set(turn, (turns.get(turn) ?? true) && valid);
      return { right: [...turns.values()].filter(Boolean).length, of: turns.size };
    },
  },
  decision: {
    title: 'call decision',
    of: 'samples: a call where one is due, none where none is',
    better: 'higher',
    count: ({ scores }) => one(scores.decisionRight),
  },
  overCalling: {
    title: 'over-calling',
    of: 'samples where no call is due: one was made',
    better: 'lower',
    count: ({ expected, scores }) => where(!expected.call, !scores.decisionRight),
  },
  underCalling: {
    title: 'under-calling',
    of: 'samples where a call is due: none was made',
    better: 'lower',
    count: ({ expected, scores }) => where(expected.call, !scores.decisionRight),
  },
  smallTalkCalls: {
    title: 'calls on small talk',
    of: 'samples of small talk: a call was made',
    better: 'lower',
    count: ({ calls, tags }) => where(tags.includes(smallTalk), calls.length > 0),
  },
  toolSelection: {
    title: 'tool selection',
    of: 'samples that called where certain tools are expected: those and no other',
    better: 'higher',
    count: ({ scores }) => whereKnown(scores.toolsRight),
  },
  arguments: {
    title: 'arguments',
    of: 'samples with the right tools where arguments are expected: every expected call was made',
    better: 'higher',
    count: ({ scores }) => whereKnown(scores.argumentsRight),
  },
  answerHolds: {
    title: 'answer holds result',
    of: "samples whose task says so: all of it is in the model's own words",
    better: 'higher',
    count: ({ scores }) => whereKnown(scores.answerHolds),
  },
  empty: {
    title: 'empty answers',
    of: "samples: no words of the model's own at the end",
    better: 'lower',
    count: ({ scores }) => one(scores.empty),
  },
} as const satisfies Record<string, RateDefinition>;

export type RateName = keyof typeof rateDefinitions;

/** Over the samples that did not break off. */
export interface Metrics {
  readonly samples: number;
  /** Samples that broke off; no other figure has them. */
  readonly errors: number;
  readonly rates: Readonly<Record<RateName, Rate>>;
  /** Calls, over all samples. */
  readonly calls: {
    readonly made: number;
    readonly needless: number;
    readonly repeated: number;
    readonly malformed: number;
  };
  /** Calls that could not be read, and repairs, by name; the most frequent first. */
  readonly problems: Readonly<Record<string, number>>;
  readonly repairs: Readonly<Record<string, number>>;
  /** Tokens, over all samples. */
  readonly tokens: { readonly evaluated: number; readonly reused: number; readonly generated: number };
  /** Milliseconds a sample. */
  readonly firstToken: Spread | undefined;
  readonly total: Spread | undefined;
}

export interface Spread {
  readonly median: number;
  /** Nine of ten are no more. */
  readonly p90: number;
  readonly sum: number;
}

export function metricsOf(all: readonly Sample[]): Metrics {
  const samples = all.filter(({ error }) => error === undefined);
  const sum = (value: (sample: Sample) => number) =>
    samples.reduce((total, sample) => total + value(sample), 0);
  const rate = ({ count }: RateDefinition) => {
    const counts = samples.map(count);
    return rateOf(
      counts.reduce((total, { right }) => total + right, 0),
      counts.reduce((total, { of }) => total + of, 0),
    );
  };
  return {
    samples: samples.length,
    errors: all.length - samples.length,
    rates: Object.fromEntries(
      Object.entries(rateDefinitions).map(([name, definition]) => [name, rate(definition)]),
    ) as Record<RateName, Rate>,
    calls: {
      made: sum(({ calls }) => calls.length),
      needless: sum(({ scores }) => scores.needless),
      repeated: sum(({ scores }) => scores.repeated),
      malformed: sum(({ scores }) => scores.malformed),
    },
    problems: tally(
      samples.flatMap(({ calls }) => calls.flatMap(({ problem }) => (problem ? [[problem, 1]] : []))),
    ),
    repairs: tally(samples.flatMap(({ repairs }) => Object.entries(repairs))),
    tokens: {
      evaluated: sum(({ usage }) => usage.evaluated),
      reused: sum(({ usage }) => usage.reused),
      generated: sum(({ usage }) => usage.generated),
    },
    firstToken: spreadOf(
      samples.flatMap(({ usage }) => (usage.firstToken === undefined ? [] : [usage.firstToken])),
    ),
    total: spreadOf(samples.map(({ usage }) => usage.total)),
  };
}

export function rateOf(right: number, of: number): Rate {
  return { right, of, ...(of === 0 ? {} : { rate: right / of }), interval: wilson(right, of) };
}

function tally(entries: readonly (readonly [string, number])[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const [name, count] of entries) counts.set(name, (counts.get(name) ?? 0) + count);
  return Object.fromEntries([...counts].sort(([, left], [, right]) => right - left));
}

function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { median: at(0.5), p90: at(0.9), sum: values.reduce((total, value) => total + value, 0) };
}
