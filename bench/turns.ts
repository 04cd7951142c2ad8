/**
 * What a dialogue costs in tokens evaluated, by layout of the prompts: five questions of two calls each, the same words in every
 * layout, with the tools of real MCP servers. The engine counts, and the completions are forced, so that layouts are compared
 * and not moods.
 *
 *   npx tsx bench/turns.ts [MODEL.gguf]
 */
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Piece, ToolDefinition } from '../parsers/parser.ts';
import { createAgent } from '../src/agent/agent.ts';
import { approval } from '../src/agent/approval.ts';
import type { TurnPolicy } from '../src/agent/policy.ts';
import type { Engine, Usage } from '../src/engine/engine.ts';
import { openLlamaEngine } from '../src/engine/llama.ts';
import { formatNamed } from '../src/format.ts';
import { openHost } from '../src/mcp/host.ts';
import { rawModel } from '../src/model/raw.ts';
import type { SchemaForm } from '../templates/template.ts';
import type { Row } from './row.ts';

const practiceModel = path.join(import.meta.dirname, '../models/practice/practice.gguf');
const format = formatNamed('qwen');
const questions = 5;
const toolCounts = [5, 20];

interface Layout {
  readonly name: string;
  readonly policy: TurnPolicy;
  readonly lanes: number;
  readonly schemaForm?: SchemaForm;
}

const layouts = {
  whole: { name: 'schemas always there', policy: {}, lanes: 1 },
  dropped: {
    name: 'schemas dropped for the answer, one sequence',
    policy: { rounds: 'once', answerTurn: 'without-schema' },
    lanes: 1,
  },
  twoLanes: {
    name: 'schemas dropped for the answer, two lanes',
    policy: { rounds: 'once', answerTurn: 'without-schema' },
    lanes: 2,
  },
  lean: {
    name: 'two lanes, signatures, decisions without earlier results',
    policy: { rounds: 'once', answerTurn: 'without-schema', decisionHistory: 'calls-only' },
    lanes: 2,
    schemaForm: 'signature',
  },
} as const satisfies Record<string, Layout>;

export async function turnRows({ model = practiceModel }: { model?: string } = {}): Promise<Row[]> {
  const tools = await realTools();
  const rows: Row[] = [];
  for (const count of toolCounts) {
    const offered = tools.slice(0, count);
    const whole = await dialogue(model, layouts.whole, offered);
    const dropped = await dialogue(model, layouts.dropped, offered);
    const twoLanes = await dialogue(model, layouts.twoLanes, offered);
    const lean = await dialogue(model, layouts.lean, offered);
    const note = `${count} tools, ${questions} questions of 2 calls`;
    rows.push(
      {
        name: `prompt tokens evaluated twice, default layout, ${count} tools`,
        value: evaluatedTwice(whole),
        unit: 'tokens',
        note: `${evaluated(whole)} evaluated in ${whole.length} turns; target 0`,
      },
      {
        name: `two lanes against one sequence, ${count} tools`,
        value: evaluated(twoLanes) / evaluated(dropped),
        unit: '×',
        note: `${evaluated(twoLanes)} against ${evaluated(dropped)} tokens evaluated; ${note}`,
      },
      {
        name: `two lanes, signatures and calls-only history against one sequence, ${count} tools`,
        value: evaluated(lean) / evaluated(dropped),
        unit: '×',
        note: `${evaluated(lean)} tokens evaluated; target at 20 tools ≤ 0.35`,
      },
    );
  }
  return rows;
}

/** The turns of one dialogue, as the engine counted them. */
async function dialogue(file: string, layout: Layout, tools: readonly ToolDefinition[]): Promise<Usage[]> {
  const engine = await openLlamaEngine({ model: file, contextSize: 16_384, lanes: layout.lanes, gpu: 'off' });
  const usages: Usage[] = [];
  const agent = createAgent({
    model: rawModel(speaking(engine, completions(tools)), format),
    tools: { tools, call: async name => ({ content: result(name), isError: false }) },
    approve: approval({ mode: 'auto' }),
    policy: layout.policy,
    render: { thinking: false, ...(layout.schemaForm ? { schemaForm: layout.schemaForm } : {}) },
    system: 'You are a helpful assistant with tools.',
  });
  for (let question = 1; question <= questions; question++)
    for await (const event of agent.run(
      `Question ${question}: what do the two sources say, and do they agree?`,
    ))
      if (event.type === 'usage') usages.push(event);
  await engine.close();
  return usages;
}

/** Two calls in one turn, then the answer. */
function completions(tools: readonly ToolDefinition[]): Piece[][] {
  return Array.from({ length: questions }, (_, question) => {
    const calls = [0, 1].map(at => {
      const tool = tools[(2 * question + at) % tools.length]!;
      const argumentsText = JSON.stringify(argumentsFor(tool));
      return { id: '', name: tool.name, arguments: JSON.parse(argumentsText), argumentsText };
    });
    const answer = `The two sources of question ${question + 1} agree: each names the same figure, and both give today's date.`;
    return [[...format.parser.write(calls)], [{ text: answer }]];
  }).flat();
}

function argumentsFor({ inputSchema }: ToolDefinition): Record<string, unknown> {
  if (typeof inputSchema !== 'object') return {};
  const properties = (inputSchema.properties ?? {}) as Record<string, { type?: string; enum?: unknown[] }>;
  const required = (inputSchema.required ?? []) as string[];
  const samples: Record<string, unknown> = {
    string: 'x',
    number: 1,
    integer: 1,
    boolean: true,
    array: [],
    object: {},
  };
  return Object.fromEntries(
    required.map(name => [name, properties[name]?.enum?.[0] ?? samples[properties[name]?.type ?? 'string']]),
  );
}

const result = (name: string) =>
  `${name} found: ${'the figure is 42, as it was when last measured at the northern station. '.repeat(8)}`;

/** An engine whose every completion is the next of these, evaluated for real. */
function speaking(engine: Engine, texts: Piece[][]): Engine {
  const left = [...texts];
  return {
    ...engine,
    generate(prompt, options = {}) {
      const words = left.shift();
      if (!words) throw new Error('The dialogue has more turns than completions.');
      // The grammar leaves nothing but these words and the end, which the model itself has to reach.
      const grammar = `root ::= ${JSON.stringify(words.map(piece => piece.text).join(''))}`;
      return engine.generate(prompt, {
        ...options,
        grammar,
        steer: pieces => (pieces.length === 0 ? { forced: words } : undefined),
      });
    },
  };
}

function evaluated(usages: readonly Usage[]): number {
  return usages.reduce((sum, usage) => sum + usage.evaluated, 0);
}

/** Of one lane: what was evaluated in a prompt beyond what it is longer than the one before and its completion. */
function evaluatedTwice(usages: readonly Usage[]): number {
  let twice = 0;
  usages.forEach((usage, index) => {
    const before = usages[index - 1];
    // A completion's last token is in no cache until the next prompt, which has it as the template's own.
    const known = before ? before.prompt + before.generated - 1 : 0;
    twice += usage.evaluated - (usage.prompt - known);
  });
  return twice;
}

async function realTools(): Promise<readonly ToolDefinition[]> {
  const require = createRequire(import.meta.url);
  const server = (name: string, ...args: string[]) => {
    const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
    const [script = ''] = Object.values<string>(require(manifest).bin);
    return {
      name,
      command: process.execPath,
      args: [path.join(path.dirname(manifest), script), ...args],
      env: {},
    };
  };
  const set = openHost([server('filesystem', tmpdir()), server('memory'), server('everything')]);
  await set.ready;
  const { tools } = set;
  await set.close();
  return tools;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const model = process.argv[2];
  console.table(await turnRows(model === undefined ? {} : { model }));
}
