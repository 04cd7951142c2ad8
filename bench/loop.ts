/**
 * What rawcall costs over node-llama-cpp: one model turn (render, tokenise, evaluate, parse) against a bare evaluate
 * loop over the same tokens, and the harness's own part of a turn with no model at all.
 *
 *   npx tsx bench/loop.ts [--model FILE] [--rounds N] [--threads N]
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { Piece, ToolDefinition } from '../parsers/parser.ts';
import { openContext } from '../src/engine/llama/context.ts';
import { loadModel } from '../src/engine/llama/model.ts';
import { openNative } from '../src/engine/llama/native.ts';
import { openLlamaEngine } from '../src/engine/llama.ts';
import { recordedEngine } from '../src/engine/recorded.ts';
import { formatNamed } from '../src/format.ts';
import type { Model } from '../src/model/model.ts';
import { rawModel } from '../src/model/raw.ts';
import type { Conversation } from '../templates/template.ts';
import type { Row } from './row.ts';

const practiceModel = path.join(import.meta.dirname, '../models/practice/practice.gguf');
const format = formatNamed('hermes');
const maxTokens = 48;
const tools: readonly ToolDefinition[] = ['get_weather', 'add'].map(name => ({
  name,
  description: 'A tool of this benchmark.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}));

/** The schemas stand behind what differs, so that a round finds little of the last one's prompt in the KV cache. */
const render = { schema: 'user' } as const;

function conversation(round: number): Conversation {
  return {
    messages: [
      { role: 'system', content: `Round ${round}. You are a helpful assistant.` },
      { role: 'user', content: 'What is the weather in Paris, and what is 31 plus 11?' },
    ],
    tools,
  };
}

interface LoopOptions {
  readonly model?: string;
  readonly rounds?: number;
  /** Default: the engine's. On a busy machine more than one wait for each other. */
  readonly threads?: number;
}

export async function loopRows({
  model = practiceModel,
  rounds = 7,
  threads,
}: LoopOptions = {}): Promise<Row[]> {
  const options = {
    model,
    gpu: 'off',
    contextSize: 2048,
    ...(threads === undefined ? {} : { threads }),
  } as const;
  const engine = await openLlamaEngine(options);
  const native = await openNative('off');
  const bareModel = await loadModel(native, { model });
  const context = await openContext(native, bareModel, options);
  const sequence = context.getSequence();
  const ours = rawModel(engine, format);

  const times: { bare: Time[]; ours: Time[] } = { bare: [], ours: [] };
  let tokens = 0;
  for (let round = 0; round < rounds; round++) {
    const prompt = format.template.render(conversation(round), render);
    const ids = engine.tokenize(prompt).map(token => token.id);
    const bare = async () => void times.bare.push(await timed(() => bareLoop(sequence, ids)));
    const turn = async () => void times.ours.push(await timed(() => drain(ours, conversation(round))));
    // Who goes second finds warmer caches, so they take turns.
    for (const pass of round % 2 === 0 ? [bare, turn] : [turn, bare]) await pass();
    tokens = ids.length;
  }
  await engine.close();
  await context.dispose();
  await bareModel.dispose();

  const ratio = (kind: keyof Time) => median(times.ours, kind) / median(times.bare, kind);
  const name = path.basename(model, '.gguf');
  const note = `${rounds} rounds, ${tokens} prompt tokens, at most ${maxTokens} generated`;
  return [
    { name: `turn, ${name}`, value: median(times.ours, 'wall'), unit: 'ms', note },
    { name: `bare evaluate loop, ${name}`, value: median(times.bare, 'wall'), unit: 'ms', note },
    { name: `turn / bare loop, ${name}`, value: ratio('wall'), unit: '×', note: 'target ≤ 1.05' },
    {
      name: `the same in CPU time, ${name}`,
      value: ratio('cpu'),
      unit: '×',
      note: 'holds on a busy machine too',
    },
  ];
}

/** Render, parse and bookkeeping of a turn, with an engine that replays. */
export async function overheadRows(turns = 500): Promise<Row[]> {
  const words = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'.match(
    /\w+|\W/g,
  )!;
  const pieces: Piece[] = words.map(text => ({ text }));
  const model = rawModel(recordedEngine(Array.from({ length: 2 * turns }, () => pieces)), format);
  const once = async () => {
    for (let turn = 0; turn < turns; turn++) await drain(model, conversation(turn));
  };
  await once();
  const value = ((await timed(once)).cpu / turns) * 1000;
  const note = `${turns} turns of ${pieces.length} pieces with one call, no model; CPU time`;
  return [{ name: 'harness overhead of a turn', value, unit: 'µs', note }];
}

async function bareLoop(sequence: LlamaContextSequence, ids: readonly number[]): Promise<void> {
  await sequence.adaptStateToTokens(ids.slice(0, -1) as Token[], false);
  const rest = ids.slice(sequence.nextTokenIndex) as Token[];
  let generated = 0;
  const model = sequence.model;
  for await (const token of sequence.evaluate(rest, { temperature: 0, yieldEogToken: true })) {
    if (++generated >= maxTokens || model.isEogToken(token)) return;
  }
}

async function drain(model: Model, turn: Conversation): Promise<void> {
  for await (const _ of model.turn(model.render(turn, render), { purpose: 'decision', maxTokens })) {
    // Only the time counts.
  }
}

/** In milliseconds. */
interface Time {
  readonly wall: number;
  readonly cpu: number;
}

async function timed(run: () => Promise<void>): Promise<Time> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(cpu);
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

function median(times: readonly Time[], kind: keyof Time): number {
  return times.map(time => time[kind]).sort((left, right) => left - right)[Math.floor(times.length / 2)]!;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: { model: { type: 'string' }, rounds: { type: 'string' }, threads: { type: 'string' } },
  });
  const numbers = {
    ...(values.rounds === undefined ? {} : { rounds: Number(values.rounds) }),
    ...(values.threads === undefined ? {} : { threads: Number(values.threads) }),
  };
  const models = values.model === undefined ? [practiceModel] : [practiceModel, values.model];
  const rows = [];
  for (const model of models) rows.push(...(await loopRows({ model, ...numbers })));
  rows.push(...(await overheadRows()));
  for (const { name, value, unit, note } of rows)
    console.log(`${name}: ${value.toFixed(3)} ${unit} (${note})`);
}
