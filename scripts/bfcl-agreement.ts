/**
 * Whether our matching rules are the leaderboard's: both checkers are given the same calls, made of the possible answers, changed in all
 * sorts of ways, and those of recorded completions where there are some. What they don't agree on is printed.
 *
 *   npx tsx scripts/bfcl-agreement.ts DIR [--each N] [--seed N] [--python FILE] [--recordings FILE,…]
 *
 * DIR is PyPI's bfcl-eval, unpacked; its checker runs on it with the Python named. A line of a recording has the `id` of a question
 * and in `expected` the calls that Python's own reading of it comes to.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type Random, seededRandom } from '../models/practice/random.ts';
import { type BfclCall, checkCalls } from '../src/eval/bfcl/checker.ts';
import { isDict, isList, type PyValue, parsePython, show } from '../src/eval/bfcl/python.ts';
import { type BfclQuestion, bfclCategories, readBfcl } from '../src/eval/bfcl/questions.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '12' },
    seed: { type: 'string', default: '7' },
    python: { type: 'string', default: 'python3' },
    recordings: { type: 'string', default: '' },
  },
});
const [folder = ''] = positionals;

interface Pair {
  readonly question: BfclQuestion;
  readonly calls: readonly BfclCall[];
  readonly source: 'possible' | 'changed' | 'recorded';
}

const random = seededRandom(Number(options.seed));
const answered = bfclCategories.filter(category => !category.endsWith('relevance'));
const questions = readBfcl(folder, answered);
const pairs: Pair[] = [
  ...questions.flatMap(question =>
    Array.from({ length: Number(options.each) }, (_, index): Pair => {
      const calls = possibleCalls(random, question);
      if (index < 2) return { question, calls, source: 'possible' };
      return { question, calls: changedCalls(random, calls), source: 'changed' };
    }),
  ),
  ...options.recordings.split(',').filter(Boolean).flatMap(recordedPairs),
];

const theirs = await theirVerdicts(pairs);
const counts = new Map<string, { pairs: number; right: number; disagreed: number }>();
for (const [index, { question, calls, source }] of pairs.entries()) {
  const why = checkCalls(question.tools, calls, question.expected);
  const count = counts.get(source) ?? { pairs: 0, right: 0, disagreed: 0 };
  counts.set(source, count);
  const their = theirs[index];
  count.pairs++;
  if (their === true) count.right++;
  // Where theirs fails with an exception there is nothing to agree with; on the leaderboard that is a wrong answer.
  if ((their === true) === (why === undefined)) continue;
  count.disagreed++;
  const written = calls.map(({ name, arguments: args }) => `${name} ${show(args)}`).join('; ');
  console.log(`${question.id} (${source}): theirs ${their}, ours ${why ?? 'right'}: ${written}`);
}
const failed = theirs.filter(verdict => typeof verdict === 'string').length;
console.table(Object.fromEntries(counts));
console.log(`${pairs.length} pairs; their checker failed with an exception at ${failed}.`);
process.exitCode = [...counts.values()].some(({ disagreed }) => disagreed > 0) ? 1 : 0;

/** Their checker imports the clients of all vendors for one setting that is only about their names. */
async function theirVerdicts(asked: readonly Pair[]): Promise<(boolean | string)[]> {
  const program = `
import json, sys, types
sys.path.insert(0, sys.argv[1])
settings = types.ModuleType('bfcl_eval.constants.model_config')
class Names(dict):
    def __missing__(self, key): return types.SimpleNamespace(underscore_to_dot=False)
settings.MODEL_CONFIG_MAPPING = Names()
sys.modules['bfcl_eval.constants.model_config'] = settings
from bfcl_eval.constants.enums import Language
from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker
import glob, os
functions, answers = {}, {}
for file in glob.glob(os.path.join(sys.argv[1], 'bfcl_eval/data/BFCL_v*_*.json')):
    if 'format_sensitivity' in file: continue
    for line in open(file, encoding='utf8'):
        entry = json.loads(line)
        if 'function' in entry: functions[entry['id']] = entry['function']
for file in glob.glob(os.path.join(sys.argv[1], 'bfcl_eval/data/possible_answer/*.json')):
    for line in open(file, encoding='utf8'):
        entry = json.loads(line)
        answers[entry['id']] = entry['ground_truth']
for line in sys.stdin:
    one = json.loads(line)
    try:
        result = ast_checker(functions[one['id']], one['calls'], answers[one['id']], Language.PYTHON, one['category'], 'any')
        print(json.dumps(result['valid']))
    except Exception as error:
        print(json.dumps(repr(error)))
`;
  const child = spawn(options.python, ['-c', program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const output = text(child.stdout);
  for (const { question, calls } of asked) {
    const written = calls.map(({ name, arguments: args }) => `{${JSON.stringify(name)}:${show(args)}}`);
    const [id, category] = [question.id, question.category].map(one => JSON.stringify(one));
    child.stdin.write(`{"id":${id},"category":${category},"calls":[${written.join(',')}]}\n`);
  }
  child.stdin.end();
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${options.python} ended with ${code}.`);
  return (await output)
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
}

function possibleCalls(random: Random, { expected }: BfclQuestion): BfclCall[] {
  return expected.map(({ name, arguments: args }) => ({
    name,
    arguments: new Map(
      [...args].flatMap(([key, values]) => {
        const [value] = random.sample(values, 1);
        return value === undefined || (value === '' && random.chance(0.8)) ? [] : [[key, concrete(value)]];
      }),
    ),
  }));

  /** Of a dict the possible values of each key are listed. */
  function concrete(value: PyValue): PyValue {
    if (isList(value)) return value.map(concrete);
    if (!isDict(value)) return value;
    return new Map(
      [...value].flatMap(([key, inner]) => {
        const chosen = isList(inner) ? random.sample(inner, 1)[0] : inner;
        return chosen === undefined || chosen === '' ? [] : [[key, chosen] as const];
      }),
    );
  }
}

function changedCalls(random: Random, calls: readonly BfclCall[]): BfclCall[] {
  const kind = random.next();
  const at = random.int(0, calls.length - 1);
  const call = calls[at]!;
  if (kind < 0.05) return calls.filter((_, index) => index !== at);
  if (kind < 0.1) return [...calls, call];
  if (kind < 0.15) return calls.toReversed();
  if (kind < 0.18) return calls.map(one => (one === call ? { ...call, name: `${call.name}_` } : one));
  const args = new Map(call.arguments);
  const [key] = random.sample([...args.keys()], 1);
  if (kind < 0.25 || key === undefined) args.set('another', 1);
  else if (kind < 0.35) args.delete(key);
  else args.set(key, changed(random, args.get(key)!));
  return calls.map(one => (one === call ? { ...call, arguments: args } : one));
}

function changed(random: Random, value: PyValue): PyValue {
  const strange: readonly PyValue[] = ['', 'x', 0, 1, { float: 1 }, true, null, [], ['x'], [1], new Map()];
  if (random.chance(0.2)) return random.pick(strange);
  if (typeof value === 'number')
    return random.pick<PyValue>([
      { float: value },
      value + 1,
      String(value),
      [value],
      { float: value + 0.5 },
    ]);
  if (typeof value === 'boolean') return random.pick<PyValue>([!value, Number(value), String(value)]);
  if (typeof value === 'string') return changedText(random, value);
  if (isList(value)) {
    if (value.length === 0 || random.chance(0.3))
      return random.pick<PyValue>([
        value.toReversed(),
        value.slice(1),
        [...value, ...value.slice(0, 1)],
        [value],
      ]);
    const at = random.int(0, value.length - 1);
    return value.map((item, index) => (index === at ? changed(random, item) : item));
  }
  if (isDict(value)) {
    const next = new Map(value);
    const [key] = random.sample([...next.keys()], 1);
    if (key === undefined || random.chance(0.2)) next.set('another', 'x');
    else if (random.chance(0.3)) next.delete(key);
    else next.set(key, changed(random, next.get(key)!));
    return next;
  }
  if (value === null) return random.pick<PyValue>(['', 'None', 0]);
  const { float } = value as { float: number };
  return random.pick<PyValue>([Math.trunc(float), { float: float + 1 }, String(float), [value]]);
}

function changedText(random: Random, value: string): PyValue {
  return random.pick<PyValue>([
    value.toUpperCase(),
    value.replaceAll(' ', '_'),
    value.replaceAll(' ', ''),
    `${value}.`,
    `${value}!`,
    value.replaceAll("'", '"'),
    value.slice(1),
    ` ${value}`,
    [value],
    Number(value) || 0,
  ]);
}

function recordedPairs(file: string): Pair[] {
  const byId = new Map(questions.map(question => [question.id, question]));
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .flatMap(line => {
      const { id, expected } = JSON.parse(line) as { id: string; expected: unknown };
      // The first version's names of the categories.
      const own = id
        .replace(/^.*\//, '')
        .replace(/_function_/, '_')
        .replace(/^simple_/, 'simple_python_');
      const question = byId.get(own);
      const parsed = parsePython(line);
      const calls = isDict(parsed) ? parsed.get('expected') : undefined;
      if (!question || expected === null || !isList(calls)) return [];
      const made = calls.flatMap(call => {
        const [name, args] = isList(call) ? call : [];
        return typeof name === 'string' && isDict(args) ? [{ name, arguments: args }] : [];
      });
      return [{ question, calls: made, source: 'recorded' as const }];
    });
}
