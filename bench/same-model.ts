/**
 * The same questions to the same model, each way: a sample of the Berkeley Function-Calling Leaderboard, greedily. Every answer is kept
 * as a line of JSON as soon as it is there, so that a measurement that was stopped goes on where it was.
 *
 *   RAWCALL_XLLAMACPP=FOLDER npx tsx bench/same-model.ts --questions DIR [--model FILE] [--each N] [--arms NAME,…] [--seed N]
 *                                                        [--threads N] [--out FILE] [--page]
 *
 * DIR is PyPI's bfcl-eval, unpacked; FOLDER is where PyPI's xllamacpp is installed. `--page` asks nothing, and writes the tables of
 * docs/small-models.md and lines of bench/RESULTS.md from what was asked so far.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../models/practice/random.ts';
import { openLlamaVocabulary } from '../src/engine/llama.ts';
import { type BfclCategory, type BfclQuestion, readBfcl } from '../src/eval/bfcl/questions.ts';
import { type Arm, type ArmName, armNames } from './same-model/arm.ts';
import { openSessionArm } from './same-model/chat-session.ts';
import { type Judged, judge, withSafeNames } from './same-model/judge.ts';
import { openServerArm } from './same-model/llama-server.ts';
import { writePage } from './same-model/page.ts';
import { openRawcallArms } from './same-model/rawcall.ts';
import { sha256 } from './sha256.ts';

const { values: options } = parseArgs({
  options: {
    questions: { type: 'string', default: '' },
    model: { type: 'string', default: path.join(import.meta.dirname, '../models/practice/practice.gguf') },
    each: { type: 'string', default: '60' },
    arms: { type: 'string', default: armNames.join(',') },
    seed: { type: 'string', default: '7' },
    threads: { type: 'string', default: '2' },
    out: { type: 'string' },
    page: { type: 'boolean', default: false },
  },
});

const categories: readonly BfclCategory[] = ['simple', 'multiple', 'parallel', 'irrelevance'];
const each = Number(options.each);
const name = path.basename(options.model, '.gguf');
const file =
  options.out ?? path.join(import.meta.dirname, `../.cache/same-model/${name}-${options.seed}.jsonl`);

const sampled = categories.map(category =>
  seededRandom(Number(options.seed)).sample(readBfcl(options.questions, [category]), each),
);
mkdirSync(path.dirname(file), { recursive: true });
const known = existsSync(file)
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Judged)
  : [];
const done = new Set(known.map(({ arm, question }) => `${arm} ${question}`));

if (options.page) {
  const { info, close } = await openLlamaVocabulary({ model: options.model });
  const { parameters } = info;
  await close();
  writePage({
    name,
    parameters,
    sha256: await sha256(options.model),
    seed: Number(options.seed),
    judged: known,
  });
} else await askAll();

async function askAll(): Promise<void> {
  const wanted = options.arms.split(',');
  const unknown = wanted.find(arm => !armNames.some(one => one === arm));
  if (unknown !== undefined)
    throw new Error(`There is no way "${unknown}". There are: ${armNames.join(', ')}.`);
  const { arms, close } = await openArms(armNames.filter(arm => wanted.includes(arm)));
  try {
    // One of each category after the other: what is stopped early can still be compared.
    for (let index = 0; index < each; index++) {
      for (const question of sampled.flatMap(questions => questions.slice(index, index + 1)))
        for (const arm of arms) if (!done.has(`${arm.name} ${question.id}`)) await ask(arm, question);
      console.log(`${new Date().toISOString().slice(11, 19)} ${index + 1} of ${each} in each category`);
    }
  } finally {
    await close();
  }
}

async function ask(arm: Arm, question: BfclQuestion): Promise<void> {
  const { asked, ownName } = withSafeNames(question);
  const judged = judge(arm.name, question, await arm.ask(asked), ownName);
  appendFileSync(file, `${JSON.stringify(judged)}\n`);
  known.push(judged);
}

async function openArms(names: readonly ArmName[]): Promise<{ arms: Arm[]; close(): Promise<void> }> {
  const { model, threads } = options;
  const shared = { model, contextSize: 4096, threads: Number(threads), maxTokens: 256, maxRounds: 4 };
  const ours = await openRawcallArms(shared);
  const opened = [...ours.arms.filter(arm => names.includes(arm.name))];
  if (names.includes('chat-session')) opened.push(await openSessionArm(shared));
  if (names.includes('llama-server')) {
    const folder = process.env.RAWCALL_XLLAMACPP;
    if (!folder || !existsSync(path.join(folder, 'xllamacpp')))
      throw new Error(
        'RAWCALL_XLLAMACPP names no folder with the wheel xllamacpp in it: pip install --target FOLDER xllamacpp',
      );
    opened.push(await openServerArm(folder, shared));
  }
  return {
    arms: opened,
    async close() {
      for (const arm of opened) await arm.close();
      await ours.close();
    },
  };
}
