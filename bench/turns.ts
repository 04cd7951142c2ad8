/**
 * What a dialogue costs in tokens evaluated, by layout of the prompts: five questions of two calls each, the same words in every
 * layout, with the tools of real MCP servers. The engine counts, and the completions are forced, so that layouts are compared
 * and not moods.
 *
 *   npx tsx bench/turns.ts [MODEL.gguf [TOOLS …]]
 *
 * Fifty tools take minutes, and are measured when they are asked for.
 */
import { pathToFileURL } from 'node:url';
import type { Piece, ToolDefinition } from '../parsers/parser.ts';
import { createAgent } from '../src/agent/agent.ts';
import { approval } from '../src/agent/approval.ts';
import type { TurnPolicy } from '../src/agent/policy.ts';
import type { Engine, Usage } from '../src/engine/engine.ts';
import { openLlamaEngine } from '../src/engine/llama.ts';
import { formatNamed } from '../src/format.ts';
import { rawModel } from '../src/model/raw.ts';
import type { SchemaForm } from '../templates/template.ts';
import { dialogue, practiceModel, realTools, result, system, toolSet } from './dialogue.ts';
import type { Row } from './row.ts';

const format = formatNamed('qwen');
const questions = 5;

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

export async function turnRows({ model = practiceModel, toolCounts = [5, 20] } = {}): Promise<Row[]> {
  const tools = await realTools();
  const rows: Row[] = [];
  for (const count of toolCounts) {
    const offered = toolSet(tools, count);
    const whole = await usagesOf(model, layouts.whole, offered);
    const dropped = await usagesOf(model, layouts.dropped, offered);
    const twoLanes = await usagesOf(model, layouts.twoLanes, offered);
    const lean = await usagesOf(model, layouts.lean, offered);
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
async function usagesOf(file: string, layout: Layout, tools: readonly ToolDefinition[]): Promise<Usage[]> {
  const engine = await openLlamaEngine({ model: file, contextSize: 32_768, lanes: layout.lanes, gpu: 'off' });
  const usages: Usage[] = [];
  const agent = createAgent({
    model: rawModel(speaking(engine, completions(tools)), format),
    tools: { tools, call: async name => ({ content: result(name), isError: false }) },
    approve: approval({ mode: 'auto' }),
    policy: layout.policy,
    render: { thinking: false, ...(layout.schemaForm ? { schemaForm: layout.schemaForm } : {}) },
    system,
  });
  for (const { question } of dialogue(tools, questions))
    for await (const event of agent.run(question)) if (event.type === 'usage') usages.push(event);
  await engine.close();
  return usages;
}

/** Two calls in one turn, then the answer. */
function completions(tools: readonly ToolDefinition[]): Piece[][] {
  return dialogue(tools, questions).flatMap(({ calls, answer }) => [
    [...format.parser.write(calls)],
    [{ text: answer }],
  ]);
}

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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [model, ...counts] = process.argv.slice(2);
  console.table(
    await turnRows({
      ...(model ? { model } : {}),
      ...(counts.length > 0 ? { toolCounts: counts.map(Number) } : {}),
    }),
  );
}
