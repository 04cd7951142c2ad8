/**
 * Which policy makes a model call and answer best: the same questions under each, every run kept as a line of JSON as soon as it
 * ended, so that a measurement that was stopped goes on where it was. Writes the tables of docs/small-models.md.
 *
 *   npx tsx bench/policies.ts [--model FILE] [--set practice|plain] [--questions N] [--policies NAME,…] [--seed N]
 *                             [--threads N]
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { detectFormat } from '../src/detect-format.ts';
import { openLlamaEngine } from '../src/engine/llama.ts';
import { rawModel } from '../src/model/raw.ts';
import { type Asked, ask } from './policies/ask.ts';
import { writePage } from './policies/page.ts';
import { plainQuestions } from './policies/plain-questions.ts';
import { contender, usualPolicies } from './policies/policy-list.ts';
import { practiceQuestions } from './policies/practice-questions.ts';
import { rememberingEngine } from './policies/remember.ts';
import { sha256 } from './sha256.ts';

const practiceModel = path.join(import.meta.dirname, '../models/practice/practice.gguf');
const { values: options } = parseArgs({
  options: {
    model: { type: 'string', default: practiceModel },
    set: { type: 'string' },
    questions: { type: 'string', default: '100' },
    policies: { type: 'string', default: usualPolicies.join(',') },
    seed: { type: 'string', default: '7' },
    'max-tokens': { type: 'string', default: '96' },
    threads: { type: 'string' },
  },
});

/** So many questions are asked under one policy before the next one has its turn: what is stopped early can still be compared. */
const blockSize = 20;

const sets = { practice: practiceQuestions, plain: plainQuestions };
const set = options.set ?? (path.resolve(options.model) === practiceModel ? 'practice' : 'plain');
if (set !== 'practice' && set !== 'plain') throw new Error(`There is no set of questions "${set}".`);
const questions = sets[set](Number(options.questions), Number(options.seed));
const contenders = options.policies.split(',').map(contender);
const sha = await sha256(options.model);

const folder = path.join(import.meta.dirname, '../.cache/policies');
mkdirSync(folder, { recursive: true });
const file = path.join(folder, `${sha.slice(0, 12)}-${set}-${options.seed}.jsonl`);
const known = existsSync(file)
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Asked)
  : [];
const done = new Set(known.map(({ policy, question }) => `${policy} ${question}`));

const llama = await openLlamaEngine({
  model: options.model,
  gpu: 'off',
  contextSize: 4096,
  ...(options.threads === undefined ? {} : { threads: Number(options.threads) }),
});
const { chatTemplate } = llama.info;
const { format, reason } = await detectFormat({
  tokens: llama.controlTokens,
  ...(chatTemplate === undefined ? {} : { chatTemplate }),
});
if (!format) throw new Error(`${options.model}: ${reason}`);
const engine = rememberingEngine(llama);
const model = rawModel(engine, format);
const maxTokens = Number(options['max-tokens']);

for (let start = 0; start < questions.length; start += blockSize) {
  const block = questions.slice(start, start + blockSize);
  for (const one of contenders) {
    const left = block.filter(question => !done.has(`${one.name} ${question.id}`));
    const [first] = left;
    if (!first) continue;
    // The schemas in this policy's form are read before the counting begins, as they are in a dialogue that goes on.
    await ask({ model, engine, contender: one, question: { ...first, text: 'Hello.' }, maxTokens: 1 });
    for (const question of left) {
      const asked = await ask({ model, engine, contender: one, question, maxTokens });
      appendFileSync(file, `${JSON.stringify(asked)}\n`);
      known.push(asked);
    }
    console.log(`${new Date().toISOString().slice(11, 19)} ${one.name}: ${start + block.length} asked`);
  }
}
await llama.close();

const ids = new Set(questions.map(({ id }) => id));
writePage({
  name: path.basename(options.model, '.gguf'),
  parameters: llama.info.parameters,
  sha256: sha,
  format: format.name,
  set,
  seed: Number(options.seed),
  maxTokens,
  threads: options.threads ?? 'as many as the engine takes',
  asked: known.filter(one => ids.has(one.question)),
});
