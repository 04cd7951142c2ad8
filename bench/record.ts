/**
 * What recording costs a run, how fast a recording is replayed, and what memory a long one takes to show and replay.
 *
 *   npx tsx bench/record.ts [--mib 100]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Piece } from '../parsers/parser.ts';
import { approval } from '../src/agent/approval.ts';
import { openLlamaEngine } from '../src/engine/llama.ts';
import { recordedEngine } from '../src/engine/recorded.ts';
import { formatNamed } from '../src/format.ts';
import { rawModel } from '../src/model/raw.ts';
import { replay } from '../src/replay/replay.ts';
import type { ToolSource } from '../src/tools.ts';
import { transcriptPage } from '../src/transcript/page.ts';
import { openTranscript } from '../src/transcript/read-transcript.ts';
import { recordedAgent } from '../src/transcript/record-agent.ts';
import { openRecorder, type Recorder } from '../src/transcript/recorder.ts';
import { heldMemory } from './memory.ts';
import type { Row } from './row.ts';

const practiceModel = path.join(import.meta.dirname, '../models/practice/practice.gguf');
const versions = { rawcall: '', node: process.versions.node };
/** @param more behind each result */
const adder = (more = ''): ToolSource => ({
  tools: [
    {
      name: 'add',
      description: 'Add two numbers.',
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
    },
  ],
  call: async (_, { a, b }) => ({ content: `${Number(a) + Number(b)}${more}`, isError: false }),
});
const approve = approval({ mode: 'auto' });

export async function recordRows({ mib = 100 } = {}): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-bench-'));
  try {
    return [
      await costRow(folder),
      await replayRow(folder),
      ...(await memoryRows(await longTranscript(folder, mib), mib)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** But for gathering pieces, all that recording does happens in the calls of the recorder, so their time is what it costs. */
async function costRow(folder: string, questions = 40): Promise<Row> {
  const engine = await openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize: 2048 });
  const recorder = openRecorder({ file: path.join(folder, 'cost.jsonl') });
  let spent = 0;
  const timed: Recorder = {
    ...recorder,
    get file() {
      return recorder.file;
    },
    get begun() {
      return recorder.begun;
    },
    begin: header => measured(() => recorder.begin(header)),
    write: event => measured(() => recorder.write(event)),
  };
  function measured(work: () => void): void {
    const start = performance.now();
    work();
    spent += performance.now() - start;
  }
  const model = rawModel(engine, formatNamed('qwen'));
  const agent = recordedAgent(
    { model, tools: adder(), approve },
    { recorder: timed, versions, model: { name: 'practice', format: 'qwen' } },
  );
  const start = performance.now();
  for (let at = 0; at < questions; at++) {
    for await (const _ of agent.run(`What is ${at} plus ${at + 1}?`));
    agent.reset();
  }
  const wall = performance.now() - start;
  recorder.close();
  await engine.close();
  return {
    name: 'recording, share of a run',
    value: (100 * spent) / wall,
    unit: '%',
    note: `${questions} questions to the practice model, ${Math.round(spent)} of ${Math.round(wall)} ms; target ≤ 2`,
  };
}

const call: readonly Piece[] = '<tool_call>\n{"name": "add", "arguments": {"a": 31, "b": 11}}\n</tool_call>'
  .match(/\w+|\W/g)!
  .map((text, at) => ({ text, tokens: [at] }));
const answer: readonly Piece[] = '31 plus 11 is 42.'
  .match(/\w+|\W/g)!
  .map((text, at) => ({ text, tokens: [at] }));

/** Dialogues of ten questions, each with a call and an answer. */
async function dialogue(folder: string, turns: number, more = ''): Promise<string> {
  const file = path.join(folder, `${turns}-turns.jsonl`);
  const recorder = openRecorder({ file });
  const engine = recordedEngine(Array.from({ length: turns }, (_, at) => (at % 2 === 0 ? call : answer)));
  const model = rawModel(engine, formatNamed('qwen'));
  const agent = recordedAgent(
    { model, tools: adder(more), approve },
    { recorder, versions, model: { name: 'recorded', format: 'qwen' } },
  );
  for (let at = 0; at < turns / 2; at++) {
    if (at % 10 === 9) agent.reset();
    for await (const _ of agent.run('What is 31 plus 11?'));
  }
  recorder.close();
  return file;
}

async function replayRow(folder: string, turns = 1000): Promise<Row> {
  const file = await dialogue(folder, turns);
  const once = async () => {
    const start = process.cpuUsage();
    await replayWhole(file);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  };
  await once();
  const value = Math.min(await once(), await once(), await once());
  rmSync(file);
  return {
    name: `replay of ${turns} turns`,
    value,
    unit: 's',
    note: 'with a call in each second one; CPU time, target ≤ 2',
  };
}

async function replayWhole(file: string): Promise<void> {
  const transcript = await openTranscript(file);
  for await (const { difference } of replay(transcript, { format: formatNamed('qwen') }))
    if (difference) throw new Error(`${file}: the replay differs at line ${difference.line}.`);
}

/** A result is twice in it: as it was given, and in the next prompt. */
function longTranscript(folder: string, mib: number): Promise<string> {
  const more = ' and a word more'.repeat(2500);
  // A question takes two turns.
  return dialogue(folder, 2 * Math.ceil((mib * 2 ** 20) / more.length / 2), more);
}

/** How much more the process holds at the most than a tenth of the way through. */
async function memoryRows(file: string, mib: number): Promise<Row[]> {
  const size = Math.round(statSync(file).size / 2 ** 20);
  const rows: Row[] = [];
  const ways: readonly (readonly [string, () => AsyncIterable<unknown>])[] = [
    ['shown as a page', () => page(file)],
    ['replayed', () => runs(file)],
  ];
  for (const [how, steps] of ways) {
    const start = performance.now();
    const growth = await grown(steps());
    rows.push({
      name: `memory of a transcript of ${mib} MiB, ${how}`,
      value: growth,
      unit: 'MiB',
      note: `the most that the heap holds behind a tenth of ${size} MiB, against what it holds there, garbage collected, looked at ten times a second for ${((performance.now() - start) / 1000).toFixed(0)} s; target: constant`,
    });
  }
  return rows;
}

async function* page(file: string): AsyncGenerator<unknown, void> {
  const transcript = await openTranscript(file);
  yield* transcriptPage(transcript);
}

async function* runs(file: string): AsyncGenerator<unknown, void> {
  for await (const run of replay(await openTranscript(file), { format: formatNamed('qwen') })) {
    if (run.difference) throw new Error(`${file}: the replay differs at line ${run.difference.line}.`);
    yield run;
  }
}

async function grown(steps: AsyncIterable<unknown>): Promise<number> {
  const held: number[] = [];
  let due = 0;
  for await (const _ of steps) {
    if (performance.now() < due) continue;
    held.push(heldMemory().heapUsed);
    due = performance.now() + 100;
  }
  held.push(heldMemory().heapUsed);
  const tenth = Math.floor(held.length / 10);
  return (Math.max(...held.slice(tenth)) - held[tenth]!) / 2 ** 20;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { mib: { type: 'string' } } });
  for (const { name, value, unit, note } of await recordRows(
    values.mib === undefined ? {} : { mib: Number(values.mib) },
  ))
    console.log(`${name}: ${value.toPrecision(3)} ${unit} (${note})`);
}
