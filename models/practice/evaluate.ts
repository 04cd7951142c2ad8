/**
 * Asks the practice model questions with values that it has never seen, through rawcall's own loop and the built-in servers:
 * `npx tsx models/practice/evaluate.ts [--questions 200] [--model FILE] [--seed 90210] [--show]`. Prints the rates a format.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../parsers/parser.ts';
import { createAgent } from '../../src/agent/agent.ts';
import { formatNamed } from '../../src/format.ts';
import type { RunningServer } from '../../src/mcp/servers/built-in.ts';
import { calc } from '../../src/mcp/servers/calc.ts';
import { materials } from '../../src/mcp/servers/materials.ts';
import { vault } from '../../src/mcp/servers/vault.ts';
import { rawModel } from '../../src/model/raw.ts';
import type { ToolSource } from '../../src/tools.ts';
import type { RenderOptions, ToolMessage } from '../../templates/template.ts';
import { formatNames, toolSets } from './dialogues.ts';
import { openEvaluated } from './evaluated.ts';
import { type Exchange, makers, smallTalk } from './exchanges.ts';
import { type Random, seededRandom } from './random.ts';
import { type Values, valuesOf } from './values.ts';

interface Question {
  readonly exchange: Exchange;
  readonly tools: ToolSource;
}

/** A vault with notes of unseen names and words, and what to ask of it. */
async function vaultQuestion(random: Random, values: Values, folder: string) {
  const notes = new Map(Array.from({ length: random.int(2, 5) }, () => [values.uri(), values.words(2, 5)]));
  for (const [uri, text] of notes) {
    await mkdir(dirname(join(folder, uri)), { recursive: true });
    await writeFile(join(folder, uri), `# ${values.capital(values.word())}\n\n${values.capital(text)}.\n`);
  }
  const inVault: Values = {
    ...values,
    uri: () => (random.chance(0.8) ? random.pick([...notes.keys()]) : values.uri()),
    words: (low, high) =>
      random.chance(0.8) ? random.pick(random.pick([...notes.values()]).split(' ')) : values.words(low, high),
  };
  const server = await vault.start([folder]);
  return { exchange: makers[random.pick(vault.tools).name]!(random, inVault), server };
}

/** The five records, and ids and words that the server doesn't have. */
async function materialsQuestion(random: Random, values: Values) {
  const known: Values = {
    ...values,
    materialId: () => (random.chance(0.5) ? `M-100${random.int(1, 5)}` : values.materialId()),
    category: () => (random.chance(0.5) ? random.pick(['chemicals', 'metals']) : values.category()),
  };
  return {
    exchange: makers[random.pick(materials.tools).name]!(random, known),
    server: await materials.start([]),
  };
}

async function ask(random: Random, values: Values, folder: string): Promise<Question> {
  const kind = random.next();
  const { exchange, server, own } =
    kind < 0.2
      ? {
          ...(await smallTalkQuestion()),
          own: random.pick([toolSets.calc, toolSets.materials, toolSets.vault]),
        }
      : kind < 0.64
        ? {
            exchange: makers[random.pick(calc.tools).name]!(random, values),
            server: await calc.start([]),
            own: toolSets.calc,
          }
        : kind < 0.82
          ? { ...(await materialsQuestion(random, values)), own: toolSets.materials }
          : { ...(await vaultQuestion(random, values, folder)), own: toolSets.vault };
  return { exchange, tools: toolSource(server, random.chance(0.7) ? own : toolSets.all) };

  async function smallTalkQuestion() {
    return { exchange: smallTalk(random, values, 'evaluation'), server: await calc.start([]) };
  }
}

function toolSource(server: RunningServer, tools: ToolSource['tools']): ToolSource {
  return {
    tools,
    async call(name: string, args: JsonObject) {
      try {
        const handler = server.handlers[name];
        if (!handler) throw new Error(`There is no tool "${name}".`);
        return { content: await handler(args), isError: false };
      } catch (error) {
        return { content: (error as Error).message, isError: true };
      }
    },
  };
}

/** What of a result an answer has to hold: a record's id and name, otherwise each line. */
function facts({ content }: ToolMessage): string[] {
  const lines = content
    .replace(/^Error: /, '')
    .split('\n')
    .map(line => line.trim());
  return lines.filter(Boolean).flatMap(line => {
    if (!line.startsWith('{')) return [line];
    const { id, name } = JSON.parse(line) as { id: string; name: string };
    return [id, name];
  });
}

const { questions, seed, show, engine, today } = await openEvaluated({ questions: '200', seed: '90210' });

console.log('format   right call   small talk without a call   answer holds the result');
for (const name of formatNames) {
  const model = rawModel(engine, formatNamed(name));
  const random = seededRandom(seed);
  const values = valuesOf(random, 'evaluation');
  const counts = { calls: [0, 0], talk: [0, 0], answers: [0, 0] };
  const note = (of: number[], right: boolean) => {
    of[0]! += Number(right);
    of[1]! += 1;
  };
  for (let asked = 0; asked < questions; asked++) {
    const folder = await mkdtemp(join(tmpdir(), 'rawcall-practice-'));
    const { exchange, tools } = await ask(random, values, folder);
    const render: RenderOptions =
      name === 'llama3' ? { date: today } : asked % 2 === 0 ? { thinking: false } : {};
    const agent = createAgent({
      model,
      tools,
      approve: async () => ({ allowed: true }),
      render,
      maxTokens: 400,
    });
    for await (const _ of agent.run(exchange.question));
    await rm(folder, { recursive: true });

    const calls = agent.messages.flatMap(message =>
      message.role === 'assistant' ? (message.toolCalls ?? []) : [],
    );
    const results = agent.messages.filter(message => message.role === 'tool');
    const answer = agent.messages.at(-1)?.content ?? '';
    const rightCalls = isDeepStrictEqual(
      calls.map(call => [call.name, call.arguments]),
      exchange.rounds.flat().map(call => [call.name, JSON.parse(call.argumentsText)]),
    );
    const holds = results.length > 0 && results.flatMap(facts).every(fact => answer.includes(fact));
    if (exchange.rounds.length === 0) note(counts.talk, calls.length === 0);
    else {
      note(counts.calls, rightCalls);
      note(counts.answers, holds);
    }
    if (show && (!rightCalls || (exchange.rounds.length > 0 && !holds)))
      console.log(
        JSON.stringify({
          question: exchange.question,
          calls: calls.map(call => `${call.name} ${call.argumentsText}`),
          results: results.map(result => result.content),
          answer,
        }),
      );
  }
  const rate = ([right, of]: number[]) => `${right} of ${of} (${((100 * right!) / of!).toFixed(1)} %)`;
  console.log(
    `${name.padEnd(9)}${rate(counts.calls).padEnd(22)}${rate(counts.talk).padEnd(22)}${rate(counts.answers)}`,
  );
}
await engine.close();
