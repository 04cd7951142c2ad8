/**
 * How long a question waits for its first token at the first start with fifty tools, and at the second, which finds them
 * evaluated in the cache folder. The model is loaded in both.
 *
 *   npx tsx bench/start.ts [MODEL.gguf]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ToolDefinition } from '../parsers/parser.ts';
import { openLlamaEngine } from '../src/engine/llama.ts';
import { formatNamed } from '../src/format.ts';
import { rawModel } from '../src/model/raw.ts';
import { practiceModel, realTools, system, toolSet } from './dialogue.ts';
import type { Row } from './row.ts';

const format = formatNamed('qwen2.5');
const toolCount = 50;

interface Start {
  /** In milliseconds. */
  readonly wait: number;
  readonly evaluated: number;
}

export async function startRows({ model = practiceModel, rounds = 3 } = {}): Promise<Row[]> {
  const tools = toolSet(await realTools(), toolCount);
  const starts: (readonly [first: Start, second: Start])[] = [];
  for (let round = 0; round < rounds; round++) {
    const folder = await mkdtemp(path.join(tmpdir(), 'rawcall-bench-'));
    try {
      starts.push([await start(model, folder, tools), await start(model, folder, tools)]);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  const ratio = ([first, second]: readonly [Start, Start]) => second.wait / first.wait;
  const middle = starts.toSorted((left, right) => ratio(left) - ratio(right))[Math.floor(rounds / 2)]!;
  const [first, second] = middle;
  return [
    {
      name: `time to the first token, second start against first, ${toolCount} tools, ${path.basename(model, '.gguf')}`,
      value: ratio(middle),
      unit: '×',
      note: `${second.wait.toFixed(0)} ms and ${second.evaluated} tokens evaluated against ${first.wait.toFixed(0)} ms and ${first.evaluated}; target ≤ 0.2`,
    },
  ];
}

async function start(file: string, stateFolder: string, tools: readonly ToolDefinition[]): Promise<Start> {
  const contextSize = file === practiceModel ? 32_768 : 8_192;
  const engine = await openLlamaEngine({ model: file, gpu: 'off', contextSize, lanes: 1, stateFolder });
  const model = rawModel(engine, format);
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: 'Which files are there?' },
  ] as const;
  const begun = performance.now();
  let wait = 0;
  let evaluated = 0;
  const prompt = model.render({ messages, tools }, { schemaForm: 'signature' });
  for await (const event of model.turn(prompt, { purpose: 'decision', maxTokens: 1 })) {
    if (event.type === 'completion-end') wait = performance.now() - begun;
    if (event.type === 'usage') evaluated = event.evaluated;
  }
  await engine.close();
  return { wait, evaluated };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const model = process.argv[2];
  console.table(await startRows(model === undefined ? {} : { model }));
}
