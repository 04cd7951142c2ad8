/** Results as an evaluation leaves them, made by hand. */
import type { EvalHeader, Expected, Results, Sample, TaskSummary, Variant } from '../../src/eval/results.ts';

export const expectsTool = (tool: string, args?: Record<string, string>): Expected => ({
  call: true,
  calls: [{ tool, ...(args ? { arguments: args } : {}) }],
  answerHolds: [],
});
export const expectsNone: Expected = { call: false, calls: [], answerHolds: [] };

export function variant(id: string, fields: Partial<Variant> = {}): Variant {
  const all = { model: 'practice', format: 'llama3', policy: 'auto', constrain: 'off', schemaForm: 'native' };
  return { id, ...all, ...fields };
}

export function task(id: string, fields: Partial<TaskSummary> = {}): TaskSummary {
  return { id, tags: [], query: `What of ${id}?`, expected: expectsTool('add'), ...fields };
}

/** A sample of a task that expects `add`: right where `right`, and without a call where not. */
export function sample(
  fields: Partial<Omit<Sample, 'scores'>> & {
    readonly right?: boolean;
    readonly scores?: Partial<Sample['scores']>;
  } = {},
): Sample {
  const { right = true, scores, ...rest } = fields;
  const call = { turn: 1, tool: 'add', argumentsText: '{"a": 1}', valid: true, matches: 0, repeated: false };
  return {
    type: 'sample',
    variant: 'v',
    task: 't1',
    sample: 0,
    seed: 7,
    tags: [],
    expected: expectsTool('add'),
    calls: right ? [call] : [],
    repairs: {},
    usage: { evaluated: 100, reused: 50, generated: 10, firstToken: 20, total: 100 },
    answer: 'It is 42.',
    reason: 'answered',
    turns: 2,
    ...rest,
    scores: {
      decisionRight: right,
      ...(right ? { toolsRight: true } : {}),
      right,
      empty: false,
      needless: 0,
      repeated: 0,
      malformed: 0,
      ...scores,
    },
  };
}

export function results(samples: readonly Sample[], fields: Partial<EvalHeader> = {}): Results {
  const ids = [...new Set(samples.map(({ task }) => task))];
  const header: EvalHeader = {
    type: 'eval-start',
    version: 1,
    rawcall: '0.1.0',
    set: 'made',
    tasksHash: 'x',
    tasks: ids.map(id => task(id)),
    variants: [...new Set(samples.map(({ variant }) => variant))].map(id => variant(id)),
    samples: 1 + Math.max(...samples.map(({ sample }) => sample)),
    seed: 7,
    settings: {},
    started: '2026-11-30T12:00:00.000Z',
    ...fields,
  };
  return { header, started: new Map(), failed: [], samples };
}

/** One sample for each task, right or not. */
export function asked(
  rights: readonly boolean[],
  fields: Parameters<typeof sample>[0] = {},
): readonly Sample[] {
  return rights.map((right, at) => sample({ ...fields, task: `t${at + 1}`, right }));
}
