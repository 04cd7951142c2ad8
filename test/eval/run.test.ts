/** Evaluations of models whose completions are written down: what is asked, counted, kept, gone on with and given up. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RawcallError } from '../../parsers/error.ts';
import { createAgent } from '../../src/agent/agent.ts';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { checkTasks } from '../../src/eval/check-tasks.ts';
import { matchings } from '../../src/eval/matching.ts';
import { type MatrixVariant, matrixOf } from '../../src/eval/matrix.ts';
import { metricsOf } from '../../src/eval/metrics.ts';
import { type EvalEnd, type EvalHeader, resultsVersion } from '../../src/eval/results.ts';
import { openResults, readResults } from '../../src/eval/results-file.ts';
import {
  type Asking,
  type EvalEvent,
  type EvalOptions,
  evaluate,
  type OpenVariant,
} from '../../src/eval/run.ts';
import { readTaskFile } from '../../src/eval/task-file.ts';
import { openToolPool } from '../../src/eval/tool-pool.ts';
import { formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';
import { call } from '../agent/harness.ts';

const crm = path.join(import.meta.dirname, '../../tasks/crm.yaml');

/** What a model that gets all three of them right writes. The model sees the names without their dots. */
const right: Readonly<Record<string, readonly string[]>> = {
  'subscription-tier': [call('crm_search_accounts', { query: 'Acme' }), 'Acme is on the Enterprise tier.'],
  'meaning-of-mrr': ['MRR stands for monthly recurring revenue.'],
  'high-priority-tickets': [
    call('support_search_tickets', { account_id: 'A1042', priority: 'high' }),
    'They are T-771 and T-802.',
  ],
};

type Completions = (asking: Asking) => readonly string[];

interface Given {
  readonly file?: string;
  readonly write?: Completions;
  readonly models?: readonly string[];
  readonly samples?: number;
  readonly open?: (variant: MatrixVariant, usual: () => OpenVariant) => Promise<OpenVariant>;
  readonly more?: Partial<EvalOptions>;
}

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'rawcall-eval-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function run(
  {
    file = crm,
    write = ({ task }) => right[task.id] ?? [],
    models = ['m'],
    samples = 1,
    open,
    more = {},
  }: Given,
  out = path.join(folder(), 'results.jsonl'),
) {
  const set = await readTaskFile(file);
  const pool = openToolPool(set.servers, set.stubs);
  const { tasks, bad } = await checkTasks(set, pool);
  const variants = matrixOf({ models: models.map(name => ({ path: `/${name}.gguf` })) });
  const header: EvalHeader = {
    type: 'eval-start',
    version: resultsVersion,
    rawcall: '0',
    set: set.name,
    tasksHash: set.hash,
    tasks: [],
    variants: variants.map(({ id, model, format, policy, constrain, schemaForm }) => ({
      id,
      model,
      format,
      policy,
      constrain,
      schemaForm,
    })),
    samples,
    seed: 1,
    settings: {},
    started: '2026-11-30T00:00:00.000Z',
  };
  const events: EvalEvent[] = [];
  const asked: string[] = [];
  const opened: OpenVariant = {
    about: { format: 'hermes', policy: { answerTurn: 'with-schema', rounds: 'until-done' } },
    atOnce: 1,
    agent(asking, { host }) {
      asked.push(`${asking.variant.model} ${asking.task.id} ${asking.sample} ${asking.seed}`);
      const options = {
        model: rawModel(recordedEngine(write(asking)), formatNamed('hermes')),
        tools: host,
        approve: async () => ({ allowed: true }),
        messages: asking.task.earlier,
      };
      return { agent: createAgent(options), options, close() {} };
    },
  };
  const results = await openResults(out, header);
  let end: EvalEnd;
  let time = 0;
  try {
    end = await evaluate({
      tasks,
      variants,
      samples,
      seed: 1,
      matching: matchings[set.matching],
      tools: pool,
      open: variant => (open ? open(variant, () => opened) : Promise.resolve(opened)),
      closeModel: async () => {},
      earlier: results.earlier,
      append: results.append,
      budget: {},
      now: () => ++time,
      signal: new AbortController().signal,
      report: event => events.push(event),
      ...more,
    });
  } finally {
    await results.close();
    await pool.close();
  }
  return { end, events, asked, bad, out, results: await readResults(out) };
}

test('the three metrics, over tools whose names have dots', async () => {
  const { results, end } = await run({});
  expect(end).toMatchObject({ reason: 'done', left: 0 });
  const { rates } = metricsOf(results.samples);
  expect(rates.schemaValid).toMatchObject({ right: 2, of: 2 });
  expect(rates.decision).toMatchObject({ right: 3, of: 3 });
  expect(rates.toolSelection).toMatchObject({ right: 2, of: 2 });
  expect(rates.answerHolds).toMatchObject({ right: 3, of: 3 });
  expect(results.samples.map(({ calls }) => calls.map(({ tool }) => tool))).toEqual([
    ['crm.search_accounts'],
    [],
    ['support.search_tickets'],
  ]);
});

test('each of the three metrics falls with its own mistake', async () => {
  const wrong: typeof right = {
    // Not what the schema asks for.
    'subscription-tier': [call('crm_search_accounts', { name: 'Acme' }), 'Sorry.'],
    // Nothing was to be called.
    'meaning-of-mrr': [call('crm_search_accounts', { query: 'MRR' }), 'Nothing was found.'],
    // Of the other server.
    'high-priority-tickets': [call('crm_search_accounts', { query: 'A1042' }), 'There are none.'],
  };
  const { results } = await run({ write: ({ task }) => wrong[task.id] ?? [] });
  const { rates, problems, calls } = metricsOf(results.samples);
  expect(rates.schemaValid).toMatchObject({ right: 2, of: 3 });
  expect(rates.decision).toMatchObject({ right: 2, of: 3 });
  expect(rates.overCalling).toMatchObject({ right: 1, of: 1 });
  expect(rates.underCalling).toMatchObject({ right: 0, of: 2 });
  expect(rates.toolSelection).toMatchObject({ right: 1, of: 2 });
  expect(rates.answerHolds).toMatchObject({ right: 0, of: 3 });
  expect(problems).toEqual({ bad_arguments: 1 });
  expect(calls).toMatchObject({ made: 3, needless: 2, malformed: 1 });
});

test('a repair counts once for each call that needed it', async () => {
  const fenced = (...queries: string[]) => {
    const calls = queries.map(query => JSON.stringify({ name: 'crm_search_accounts', arguments: { query } }));
    return `\`\`\`json\n${calls.join('\n')}\n\`\`\``;
  };
  const { results } = await run({
    write: ({ task }) =>
      task.id === 'subscription-tier'
        ? [fenced('Acme', 'Acme Corp'), fenced('Acme Inc'), 'It is on the Enterprise tier.']
        : (right[task.id] ?? []),
  });
  expect(results.samples.map(({ repairs }) => repairs)).toEqual([{ 'fenced-call': 3 }, {}, {}]);
});

test('results of stubs are what the file says, by arguments', async () => {
  const tickets = call('support_search_tickets', { account_id: 'A9', priority: 'high' });
  const seen: string[] = [];
  await run({
    write: ({ task }) => (task.id === 'high-priority-tickets' ? [tickets, 'No.'] : (right[task.id] ?? [])),
    open: async (_, usual) => ({
      ...usual(),
      agent(asking, tools, onFirstPiece) {
        const made = usual().agent(asking, tools, onFirstPiece);
        return {
          ...made,
          close: () =>
            seen.push(...made.agent.messages.flatMap(one => (one.role === 'tool' ? [one.content] : []))),
        };
      },
    }),
  });
  expect(seen).toEqual([
    '{"id":"A1042","name":"Acme Corp","subscription_tier":"Enterprise","seats":250}',
    'Error: No account has this id.',
  ]);
});

test('samples have seeds, and are taken in turns', async () => {
  const { asked } = await run({ models: ['a', 'b'], samples: 2 });
  expect(asked).toHaveLength(12);
  expect(asked.slice(0, 4)).toEqual([
    'a subscription-tier 0 1',
    'a meaning-of-mrr 0 1',
    'a high-priority-tickets 0 1',
    'a subscription-tier 1 2',
  ]);
});

test('a model that is not there ends its variants; the others go on', async () => {
  const { end, results, asked, events } = await run({
    models: ['gone', 'here'],
    open: async ({ model }, usual) => {
      if (model === 'gone') throw new RawcallError('model_not_found', 'There is no gone.gguf.');
      return usual();
    },
  });
  expect(end).toMatchObject({ reason: 'done', left: 3 });
  expect(asked.every(one => one.startsWith('here'))).toBe(true);
  expect(results.samples).toHaveLength(3);
  expect(results.failed).toEqual([
    {
      type: 'variant-failed',
      variant: 'gone:auto:auto:off:native',
      code: 'model_not_found',
      message: 'There is no gone.gguf.',
    },
  ]);
  expect(events.filter(({ type }) => type === 'variant-failed')).toHaveLength(1);
});

test('a model that fails in the middle is given up after three samples, and resuming tries it again', async () => {
  let healthy = 2;
  const write: Completions = ({ task, variant }) => {
    if (variant.model === 'dying' && healthy-- <= 0) return [];
    return right[task.id] ?? [];
  };
  const first = await run({ models: ['dying', 'fine'], samples: 3, write });
  const broken = first.results.samples.filter(({ error }) => error);
  expect(broken.map(({ error }) => error?.code)).toEqual(Array(3).fill('recording_ended'));
  expect(first.asked.filter(one => one.startsWith('dying'))).toHaveLength(5);
  expect(
    first.results.samples.filter(({ variant, error }) => variant.startsWith('fine') && !error),
  ).toHaveLength(9);
  expect(first.end).toMatchObject({ reason: 'done', left: 7 });

  const second = await run({ models: ['dying', 'fine'], samples: 3 }, first.out);
  expect(second.asked).toHaveLength(7);
  expect(second.end).toMatchObject({ reason: 'done', left: 0 });
  expect(second.results.failed).toEqual([]);
  expect(second.results.samples).toHaveLength(18);
  expect(second.results.samples.filter(({ error }) => error)).toEqual([]);
});

test('when the tokens are used up no sample begins, and what is done is kept', async () => {
  const { end, results } = await run({ samples: 2, more: { budget: { tokens: 3 } } });
  expect(end).toMatchObject({ reason: 'tokens', left: 4 });
  expect(results.samples).toHaveLength(2);
});

test('when the time is up no sample begins', async () => {
  let time = 0;
  const now = () => {
    time += 100;
    return time;
  };
  const { end, results } = await run({ samples: 5, more: { budget: { seconds: 2 }, now } });
  expect(end.reason).toBe('time');
  expect(results.samples.length).toBeGreaterThan(0);
  expect(results.samples.length + end.left).toBe(15);
});

test('an interrupt drops the sample that is under way', async () => {
  const stop = new AbortController();
  const { end, results } = await run({
    write: asking => {
      if (asking.task.id === 'meaning-of-mrr') stop.abort();
      return right[asking.task.id] ?? [];
    },
    more: { signal: stop.signal },
  });
  expect(end).toMatchObject({ reason: 'interrupted', left: 2 });
  expect(results.samples.map(({ task }) => task)).toEqual(['subscription-tier']);
});

test('samples of endpoints are taken side by side', async () => {
  let running = 0;
  let most = 0;
  const { results } = await run({
    samples: 4,
    open: async (_, usual) => ({
      ...usual(),
      atOnce: 3,
      agent(asking, tools, onFirstPiece) {
        most = Math.max(most, ++running);
        const made = usual().agent(asking, tools, onFirstPiece);
        return { ...made, close: () => running-- };
      },
    }),
  });
  expect(most).toBe(3);
  expect(results.samples).toHaveLength(12);
  expect(new Set(results.samples.map(({ task, sample }) => `${task} ${sample}`)).size).toBe(12);
});

test('another model of the same name is not gone on with', async () => {
  const hashed =
    (modelHash: string): NonNullable<Given['open']> =>
    async (_, usual) => ({ ...usual(), about: { ...usual().about, modelHash } });
  const { out } = await run({ samples: 2, open: hashed('a'), more: { budget: { tokens: 1 } } });
  const { results } = await run({ samples: 2, open: hashed('b') }, out);
  expect(results.failed[0]?.message).toContain('another one than');
  expect(results.samples).toHaveLength(1);
});

test('a line that a killed process left half written is no line', async () => {
  const { out } = await run({ samples: 2, more: { budget: { tokens: 3 } } });
  const whole = readFileSync(out, 'utf8');
  appendFileSync(out, whole.split('\n')[2]!.slice(0, 50));
  const { asked, results } = await run({ samples: 2 }, out);
  expect(asked).toHaveLength(4);
  expect(results.samples).toHaveLength(6);
  expect(readFileSync(out, 'utf8').startsWith(whole)).toBe(true);
});

test('a file that was begun differently is refused, and says how', async () => {
  const { out } = await run({});
  await expect(run({ samples: 2 }, out)).rejects.toMatchObject({ code: 'other_results' });
  await expect(run({ samples: 2 }, out)).rejects.toThrow('was begun with 1 samples a task');
  await expect(run({ models: ['n'] }, out)).rejects.toThrow(
    'was begun with the variants m:auto:auto:off:native',
  );
});

test.each([
  ['of a newer version', '{"type": "eval-start", "version": 99}\n', 'results.jsonl:1: it has version 99'],
  ['damaged', '{"type": "eval-start", "version": 1}\n{"type": "sam\n', 'results.jsonl:2: not JSON'],
  ['another file', '{"type": "transcript"}\n', 'results.jsonl:1: no line of a results file'],
  ['without its header', '{"type": "eval-end"}\n', 'does not begin with the header'],
])('a results file that is %s is told', async (_, text, message) => {
  const file = path.join(folder(), 'results.jsonl');
  writeFileSync(file, text);
  await expect(readResults(file)).rejects.toThrow(message);
  await expect(readResults(file)).rejects.toMatchObject({ code: 'bad_results' });
});

test('a delay is waited for, an error is one, and a task has stubs of its own', async () => {
  const file = path.join(folder(), 'tasks.yaml');
  writeFileSync(
    file,
    `tasks:
  - id: slow
    query: Hi
    expected_tool: my.tool
    tools: [{ name: my.tool, result: 42, delay: 0.05 }]
  - id: failing
    query: Hi
    expected_tool: my.tool
    tools: [{ name: my.tool, error: It is broken. }]
`,
  );
  const read: string[] = [];
  const { results } = await run({
    file,
    write: () => [call('my_tool', {}), 'Done.'],
    more: { now: () => performance.now() },
    open: async (_, usual) => ({
      ...usual(),
      agent(asking, tools, onFirstPiece) {
        const made = usual().agent(asking, tools, onFirstPiece);
        return {
          ...made,
          close: () => read.push(made.agent.messages.find(({ role }) => role === 'tool')?.content ?? ''),
        };
      },
    }),
  });
  expect(results.samples.map(({ scores }) => scores.right)).toEqual([true, true]);
  expect(results.samples[0]?.usage.total).toBeGreaterThanOrEqual(45);
  expect(read).toEqual(['42', 'Error: It is broken.']);
});
