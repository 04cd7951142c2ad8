/**
 * Asks SmolLM2 with the adapter, through rawcall's own loop and policy `auto`, what it has not been trained on: questions for tools with names that no training
 * dialogue has, or a sample of the Berkeley Function-Calling Leaderboard. Greedy; each rate comes with its 95 % interval.
 *
 *   npx tsx models/adapters/smollm2/evaluate.ts --base FILE [--lora FILE[:SCALE]] [--format hermes] [--constrain calls]
 *                                               [--bfcl DIR] [--questions 100] [--seed 90210] [--threads 2] [--show]
 *
 * Without `--lora`: the base alone. DIR is PyPI's bfcl-eval, unpacked; `--questions` is then how many of each category.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { judge, withSafeNames } from '../../../bench/same-model/judge.ts';
import type { ToolCall } from '../../../parsers/parser.ts';
import { createAgent } from '../../../src/agent/agent.ts';
import { autoPolicy } from '../../../src/agent/auto-policy.ts';
import { type LlamaEngine, openLlamaEngine } from '../../../src/engine/llama.ts';
import { type BfclCategory, readBfcl } from '../../../src/eval/bfcl/questions.ts';
import { wilson } from '../../../src/eval/interval.ts';
import { formatNamed } from '../../../src/format.ts';
import { rawModel } from '../../../src/model/raw.ts';
import type { ToolSource } from '../../../src/tools.ts';
import { seededRandom } from '../../practice/random.ts';
import { makeTools } from './errands.ts';
import { type Exchange, exchanges } from './exchanges.ts';
import { wordsOf } from './values.ts';

const { values: options } = parseArgs({
  options: {
    base: { type: 'string', default: '' },
    lora: { type: 'string' },
    format: { type: 'string', default: 'hermes' },
    constrain: { type: 'string', default: 'off' },
    bfcl: { type: 'string' },
    questions: { type: 'string', default: '100' },
    seed: { type: 'string', default: '90210' },
    threads: { type: 'string', default: '2' },
    show: { type: 'boolean', default: false },
  },
});

interface Asked {
  /** Of each round, those of the first one first. */
  readonly rounds: readonly (readonly ToolCall[])[];
  readonly answer: string;
}

const counts = new Map<string, { right: number; of: number }>();

function note(what: string, right: boolean): void {
  const { right: before, of } = counts.get(what) ?? { right: 0, of: 0 };
  counts.set(what, { right: before + Number(right), of: of + 1 });
}

const [file = '', scale = '1'] = options.lora?.split(/:(?=[\d.]+$)/) ?? [];
const engine = await openLlamaEngine({
  model: options.base,
  gpu: 'off',
  contextSize: 4096,
  threads: Number(options.threads),
  ...(file === '' ? {} : { lora: [{ path: file, scale: Number(scale) }] }),
});
if (options.bfcl === undefined) await askGenerated(engine);
else await askBfcl(engine, options.bfcl);
await engine.close();

console.log(`format ${options.format}, constrain ${options.constrain}, ${options.lora ?? 'no adapter'}`);
for (const [what, { right, of }] of counts) {
  const { low, high } = wilson(right, of);
  const [share, from, to] = [right / of, low, high].map(part => Math.round(100 * part));
  console.log(`${what.padEnd(40)} ${right} of ${of}: ${share} % (${from}–${to})`);
}

async function ask(
  llama: LlamaEngine,
  question: string,
  tools: ToolSource['tools'],
  results: readonly string[],
): Promise<Asked> {
  const waiting = [...results];
  const agent = createAgent({
    model: rawModel(llama, formatNamed(options.format)),
    tools: { tools, call: async () => ({ content: waiting.shift() ?? '{"status": "ok"}', isError: false }) },
    approve: async () => ({ allowed: true }),
    policy: autoPolicy(llama.info),
    constrain: options.constrain === 'calls' ? 'calls' : 'off',
    maxTokens: 256,
    maxRounds: 3,
  });
  for await (const _ of agent.run(question));
  return {
    rounds: agent.messages.flatMap(message =>
      message.role === 'assistant' && message.toolCalls?.length ? [message.toolCalls] : [],
    ),
    answer: agent.messages.at(-1)?.content ?? '',
  };
}

async function askGenerated(llama: LlamaEngine): Promise<void> {
  const random = seededRandom(Number(options.seed));
  const words = wordsOf(random, 'evaluation');
  for (let asked = 0; asked < Number(options.questions); asked++) {
    const tools = makeTools(random, 'evaluation', random.int(1, 4));
    const [exchange] = exchanges(random, 'evaluation', words, tools) as [Exchange];
    const { question, rounds, answer: wanted } = exchange;
    const definitions = tools.map(tool => tool.definition);
    const results = rounds.flat().flatMap(({ result }) => (result === '' ? [] : [result]));
    const { rounds: made, answer } = await ask(llama, question, definitions, results);
    const [first = []] = rounds;
    const kind = first.length === 0 ? 'no call' : first.length > 1 ? 'several calls at once' : 'one call';
    const right = isDeepStrictEqual(
      (made[0] ?? []).map(call => [call.name, call.arguments]),
      first.map(call => [call.name, call.args]),
    );
    note(kind, right);
    if (first.length > 0) note('right name of the first call', made[0]?.[0]?.name === first[0]?.name);
    if (right && wanted !== undefined && rounds.length === 1)
      note('answers that say what the result says', holds(answer, wanted));
    if (options.show && !right)
      console.log(
        JSON.stringify({
          question,
          wanted: first,
          made: made[0]?.map(call => `${call.name} ${call.argumentsText}`),
          answer,
        }),
      );
  }
}

/** What a wanted answer tells besides its fixed words, and an error's text. */
function holds(answer: string, wanted: string): boolean {
  return wanted
    .split(/[\s,:]+/)
    .filter(word => /[\d@/]|\p{Lu}/u.test(word.slice(1)))
    .every(word => answer.includes(word.replace(/\.$/, '')));
}

async function askBfcl(llama: LlamaEngine, folder: string): Promise<void> {
  const categories: readonly BfclCategory[] = ['simple', 'multiple', 'parallel', 'irrelevance'];
  for (const category of categories) {
    const sample = seededRandom(Number(options.seed)).sample(
      readBfcl(folder, [category]),
      Number(options.questions),
    );
    for (const question of sample) {
      const { asked, ownName } = withSafeNames(question);
      const { rounds } = await ask(llama, asked.messages.at(-1)?.content ?? '', asked.tools, []);
      const calls = (rounds[0] ?? []).map(call => ({ name: call.name, arguments: call.argumentsText }));
      const judged = judge(
        'rawcall auto',
        question,
        { turns: [{ calls, text: '' }], evaluated: 0, generated: 0 },
        ownName,
      );
      note(category, judged.right);
      if (options.show && !judged.right)
        console.log(JSON.stringify({ id: question.id, calls, why: judged.why }));
    }
  }
}
