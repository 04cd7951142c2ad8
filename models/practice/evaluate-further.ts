/**
 * Asks the practice model questions of several calls and questions whose tools fail, with values that it has never seen, through rawcall's own
 * loop: `npx tsx models/practice/evaluate-further.ts [--questions 50] [--model FILE] [--seed 90211] [--show]`. The results are those of
 * the made dialogue. Prints, for each format and kind, how often all calls were right, in their rounds, and the answer was right to the letter.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, ToolDefinition } from '../../parsers/parser.ts';
import { createAgent } from '../../src/agent/agent.ts';
import { formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';
import type { ToolSource } from '../../src/tools.ts';
import type { Message, RenderOptions } from '../../templates/template.ts';
import { formatNames, toolSets } from './dialogues.ts';
import { openEvaluated } from './evaluated.ts';
import { type Exchange, makers } from './exchanges.ts';
import { corrected, oneAfterAnother, sideBySide } from './further.ts';
import { type Random, seededRandom } from './random.ts';
import { type Values, valuesOf } from './values.ts';

type Make = (random: Random, values: Values, offered: ReadonlySet<string>) => Exchange | undefined;
const own = [toolSets.calc, toolSets.materials, toolSets.vault];
const kinds: readonly { readonly name: string; readonly make: Make; readonly tools: typeof own }[] = [
  { name: 'side by side', make: sideBySide, tools: own },
  { name: 'one after another', make: oneAfterAnother, tools: own },
  { name: 'corrected', make: corrected, tools: [toolSets.materials, toolSets.vault] },
  { name: 'an error told', make: failing, tools: own },
];

function failing(random: Random, values: Values, offered: ReadonlySet<string>): Exchange {
  for (;;) {
    const made = makers[random.pick([...offered])]!(random, values);
    if (made.rounds[0]?.[0]?.result.startsWith('Error: ')) return made;
  }
}

/** Knows the calls of the exchange and no others. */
function given({ rounds }: Exchange, tools: readonly ToolDefinition[]): ToolSource {
  return {
    tools,
    async call(name: string, args: JsonObject) {
      const step = rounds
        .flat()
        .find(
          one => one.name === name && isDeepStrictEqual(JSON.parse(one.argumentsText), structuredClone(args)),
        );
      const result = step?.result ?? 'Error: Not found.';
      const message = result.replace(/^Error: /, '');
      return { content: message, isError: message !== result };
    },
  };
}

const expected = ({ rounds }: Exchange) =>
  rounds.map(steps => steps.map(({ name, argumentsText }) => [name, JSON.parse(argumentsText)]));
const made = (messages: readonly Message[]) =>
  messages.flatMap(message =>
    message.role === 'assistant' && message.toolCalls
      ? [message.toolCalls.map(({ name, arguments: args }) => [name, args])]
      : [],
  );

const { questions, seed, show, engine, today } = await openEvaluated({ questions: '50', seed: '90211' });

console.log('format   questions           right calls           right calls and answer');
for (const format of formatNames) {
  const model = rawModel(engine, formatNamed(format));
  for (const { name, make, tools: sets } of kinds) {
    const random = seededRandom(seed);
    const values = valuesOf(random, 'evaluation');
    let [calls, whole] = [0, 0];
    for (let asked = 0; asked < questions; asked++) {
      const set = random.pick(sets);
      const exchange = make(random, values, new Set(set.map(tool => tool.name)))!;
      const offered = random.chance(0.7) ? set : toolSets.all;
      const render: RenderOptions =
        format === 'llama3' ? { date: today } : asked % 2 === 0 ? { thinking: false } : {};
      const agent = createAgent({
        model,
        tools: given(exchange, offered),
        approve: async () => ({ allowed: true }),
        render,
        maxTokens: 400,
      });
      for await (const _ of agent.run(exchange.question));
      const answer = agent.messages.at(-1)?.content ?? '';
      const rightCalls = isDeepStrictEqual(made(agent.messages), expected(exchange));
      const right = rightCalls && answer.trim() === exchange.answer.trim();
      calls += Number(rightCalls);
      whole += Number(right);
      if (show && !right)
        console.log(
          JSON.stringify({
            question: exchange.question,
            expected: expected(exchange),
            made: made(agent.messages),
            answer,
            right: exchange.answer,
          }),
        );
    }
    const rate = (of: number) => `${of} of ${questions} (${((100 * of) / questions).toFixed(1)} %)`;
    console.log(`${format.padEnd(9)}${name.padEnd(20)}${rate(calls).padEnd(22)}${rate(whole)}`);
  }
}
await engine.close();
