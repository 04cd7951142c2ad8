/**
 * What it costs a token to be held to the tools on offer, and what it saves that the grammar's own text is not sampled.
 *
 *   npx tsx bench/constrain.ts [MODEL.gguf]
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ToolDefinition } from '../parsers/parser.ts';
import type { Engine, GenerateOptions } from '../src/engine/engine.ts';
import { openLlamaEngine } from '../src/engine/llama.ts';
import { formatNamed } from '../src/format.ts';
import { steerCalls } from '../src/model/constrain.ts';
import type { Prompt } from '../templates/template.ts';
import { practiceModel, realTools, system, toolSet } from './dialogue.ts';
import type { Row } from './row.ts';

const format = formatNamed('qwen2.5');
const toolCounts = [1, 50];
const maxTokens = 48;

/** Of some completions together. */
interface Sum {
  tokens: number;
  passes: number;
  /** From the first token on, in milliseconds. */
  time: number;
}

export async function constrainRows({ model = practiceModel, rounds = 8 } = {}): Promise<Row[]> {
  const engine = await openLlamaEngine({ model, gpu: 'off', contextSize: 512, lanes: 1 });
  const tools = await realTools();
  const name = path.basename(model, '.gguf');
  const rows: Row[] = [];
  for (const count of toolCounts) {
    const [free, sampled, appended] = await decoded(engine, toolSet(tools, count), rounds);
    const perToken = ({ time, tokens }: Sum) => time / tokens;
    const times = `${perToken(sampled).toFixed(2)} ms against ${perToken(free).toFixed(2)} ms`;
    rows.push(
      {
        name: `a token of a call held to ${count} tool${count > 1 ? 's' : ''}, all sampled, against a free one, ${name}`,
        value: perToken(sampled) / perToken(free),
        unit: '×',
        note: `${times}, ${sampled.tokens} and ${free.tokens} tokens; target ≤ 1.2`,
      },
      {
        name: `the same with what is forced appended, ${name}`,
        value: perToken(appended) / perToken(free),
        unit: '×',
        note: `${perToken(appended).toFixed(2)} ms a token`,
      },
      {
        name: `passes for a token of a call, forced text appended, ${count} tool${count > 1 ? 's' : ''}, ${name}`,
        value: appended.passes / appended.tokens,
        unit: '×',
        note: `${appended.passes} for ${appended.tokens} tokens; target ≤ 0.8`,
      },
    );
  }
  await engine.close();
  return rows;
}

/** Free; held to the tools, each token sampled; held to the tools as calls are. They take turns. */
async function decoded(
  engine: Engine,
  tools: readonly ToolDefinition[],
  rounds: number,
): Promise<[free: Sum, sampled: Sum, appended: Sum]> {
  const grammar = format.parser.grammar!(tools);
  const ways = [
    (): GenerateOptions => ({}),
    (): GenerateOptions => ({ grammar: grammar.gbnf }),
    (): GenerateOptions => ({
      grammar: grammar.gbnf,
      steer: steerCalls(grammar, 'required', engine.controlTokens),
    }),
  ];
  const sums = ways.map((): Sum => ({ tokens: 0, passes: 0, time: 0 }));
  for (let round = 0; round <= rounds; round++) {
    // Without the tools, whose length would only make each token dearer and the grammar's share smaller.
    const prompt = format.template.render({
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: `Which files are in the folder /data/${round}?` },
      ],
      tools: [],
    });
    for (const [index, way] of ways.entries()) {
      const spent = await timed(engine, prompt, way());
      // The first round compiles the grammars.
      if (round === 0) continue;
      const sum = sums[index]!;
      sum.tokens += spent.tokens;
      sum.passes += spent.passes;
      sum.time += spent.time;
    }
  }
  return sums as [Sum, Sum, Sum];
}

async function timed(engine: Engine, prompt: Prompt, options: GenerateOptions): Promise<Sum> {
  const generation = engine.generate(prompt, { ...options, maxTokens });
  let start: number | undefined;
  for await (const _ of generation) start ??= performance.now();
  const { generated, passes = generated } = generation.usage;
  return { tokens: generated, passes, time: performance.now() - (start ?? 0) };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const model = process.argv[2];
  console.table(await constrainRows(model === undefined ? {} : { model }));
}
