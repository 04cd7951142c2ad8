/**
 * Makes the practice model's training dialogues: `npx tsx models/practice/dialogues.ts SEED COUNT [evaluation | bare]`. Prompts come from the
 * templates and parsers themselves, so what the model learns on is what it will be given. One JSON line a dialogue: its pieces
 * in turns, prompt first and then what the model is to write, control tokens between U+0001.
 */
import { pathToFileURL } from 'node:url';
import { spacedJson } from '../../parsers/json-text.ts';
import type { Piece, ToolDefinition } from '../../parsers/parser.ts';
import { type Format, formatNamed } from '../../src/format.ts';
import { calc } from '../../src/mcp/servers/calc.ts';
import { materials } from '../../src/mcp/servers/materials.ts';
import { vault } from '../../src/mcp/servers/vault.ts';
import type { Message, Prompt, RenderOptions } from '../../templates/template.ts';
import { type Exchange, makers, smallTalk, together, withoutTool } from './exchanges.ts';
import { corrected, oneAfterAnother, sideBySide } from './further.ts';
import * as sayFurther from './further-phrases.ts';
import * as say from './phrases.ts';
import { type Random, seededRandom } from './random.ts';
import { type Share, type Values, valuesOf } from './values.ts';

export const formatNames = ['llama3', 'hermes', 'qwen'] as const;
export const toolSets = {
  calc: calc.tools,
  materials: materials.tools,
  vault: vault.tools,
  all: [...calc.tools, ...materials.tools, ...vault.tools],
};
const mark = '\u0001';

export interface Dialogue {
  readonly format: Format;
  readonly tools: readonly ToolDefinition[];
  readonly system?: string;
  readonly options: RenderOptions;
  readonly exchanges: readonly Exchange[];
}

const shown = (pieces: readonly Piece[]) =>
  pieces.map(({ text, control }) => (control ? mark + text + mark : text)).join('');
const shownPrompt = (prompt: Prompt) =>
  prompt.map(piece => ('control' in piece ? mark + piece.control + mark : piece.text)).join('');

/** Prompt, completion, prompt, completion, …: each prompt without what came before it. */
export function segments({ format, tools, system, options, exchanges }: Dialogue): string[] {
  const { template, parser } = format;
  const messages: Message[] = system === undefined ? [] : [{ role: 'system', content: system }];
  const prefill = template.prefill?.(options) ?? [];
  const stop = { text: template.stops[0]!, control: true };
  const out: string[] = [];
  let before = '';

  function turn(completion: readonly Piece[]): readonly Piece[] {
    const prompt = shownPrompt(template.render({ messages, tools }, options));
    if (!prompt.startsWith(before))
      throw new Error(`A prompt does not begin with the one before it: ${prompt}`);
    const written = shown([...completion, stop]);
    out.push(prompt.slice(before.length), written);
    // The stop token is the template's to write in the next prompt, and it writes the same one.
    before = prompt + written;
    return [...prefill, ...completion];
  }

  let callCount = 0;
  for (const { question, rounds, answer } of exchanges) {
    messages.push({ role: 'user', content: question });
    for (const steps of rounds) {
      const toolCalls = steps.map(({ name, argumentsText }) => ({
        name,
        argumentsText,
        id: `call_${++callCount}`,
        arguments: JSON.parse(argumentsText),
      }));
      messages.push({ role: 'assistant', content: '', toolCalls, completion: turn(parser.write(toolCalls)) });
      toolCalls.forEach(({ id, name }, index) => {
        messages.push({ role: 'tool', callId: id, name, content: steps[index]!.result });
      });
    }
    messages.push({ role: 'assistant', content: answer, completion: turn([{ text: answer }]) });
  }
  return out;
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function renderOptions(random: Random, name: string): RenderOptions {
  if (name === 'llama3')
    return {
      date: `${String(random.int(1, 28)).padStart(2, '0')} ${random.pick(months)} ${random.int(2024, 2029)}`,
    };
  return name === 'qwen' && random.chance(0.5) ? { thinking: false } : {};
}

function offeredTools(random: Random): readonly ToolDefinition[] {
  const kind = random.next();
  if (kind < 0.27) return toolSets.calc;
  if (kind < 0.42) return toolSets.materials;
  if (kind < 0.55) return toolSets.vault;
  if (kind < 0.6) return toolSets.all;
  if (kind < 0.66) return random.sample([calc, materials, vault], 2).flatMap(server => server.tools);
  // A few tools alone: a short prompt, so that most of the work goes into what has to be learnt.
  return random.sample(toolSets.all, random.int(1, 3));
}

function exchange(random: Random, values: Values, tools: readonly ToolDefinition[], share: Share): Exchange {
  const make = () => makers[random.pick(tools).name]!(random, values);
  const kind = random.next();
  if (kind < 0.12) return smallTalk(random, values, share);
  if (kind < 0.16) {
    const others = toolSets.all.filter(tool => !tools.includes(tool));
    if (others.length > 0) return withoutTool(makers[random.pick(others).name]!(random, values));
  }
  if (kind < 0.2) return together(random, make(), make());
  const further =
    kind < 0.27 ? sideBySide : kind < 0.4 ? oneAfterAnother : kind < 0.48 ? corrected : undefined;
  return further?.(random, values, new Set(tools.map(({ name }) => name))) ?? make();
}

export function dialogue(random: Random, share: Share): Dialogue {
  const values = valuesOf(random, share);
  const format = formatNamed(random.pick(formatNames));
  const tools = offeredTools(random);
  const wanted = random.pick([300, 600, 900, 1200, 1500]);
  const exchanges: Exchange[] = [];
  let size = 0;
  while (size < wanted) {
    const made = exchange(random, values, tools, share);
    exchanges.push(made);
    size += 60 + JSON.stringify(made).length;
  }
  return {
    format,
    tools,
    options: renderOptions(random, format.name),
    exchanges,
    ...(random.chance(0.12) ? { system: random.pick(say.systems) } : {}),
  };
}

/** An answer turn that sees no schema: what the policies `without-schema` and `question-and-data` render. */
function answerTurn(random: Random, share: Share): string[] {
  const whole = dialogue(random, share);
  const asked = whole.exchanges.find(one => one.rounds.length > 0);
  if (asked === undefined) return segments(whole);
  const { question, rounds, answer } = asked;
  if (random.chance(0.5)) {
    const parts = segments({ ...whole, tools: [], exchanges: [asked] });
    return [parts.slice(0, -1).join(''), parts.at(-1)!];
  }
  const results = rounds.flat().map(({ result }) => result);
  const data = {
    question: `Question: ${question}\nData: ${results.join('\n')}`,
    rounds: [],
    answer,
  };
  const system = 'Answer the question in one or two short sentences, using only the data given.';
  return segments({ ...whole, tools: [], system, exchanges: [data] });
}

/** What the tokenizer's merges are learnt from: prompts, phrases, and calls without values. */
export function fixedText(): string[] {
  const prompts = formatNames.flatMap(name =>
    Object.values(toolSets).map(tools =>
      shownPrompt(formatNamed(name).template.render({ messages: [{ role: 'user', content: '' }], tools })),
    ),
  );
  const keys = toolSets.all.map(tool => spacedJson(JSON.stringify({ name: tool.name, arguments: { a: 0 } })));
  const phrases = JSON.stringify([say, sayFurther]).replace(/\{\w+\}/g, ' ');
  const strings = [...phrases.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(
    ([quoted]) => JSON.parse(quoted) as string,
  );
  const answers = [
    'The echo says: ',
    'Found ',
    ' is , category ,  kg, hazard class .',
    'The notes are ',
    'The note says: ',
    'Done: ',
    'null',
    'That did not work: ',
    'No materials found.',
    '{"id":"","name":"","category":"","weight_kg":,"hazard_class":""},{"id":"',
    '"}]',
    'Answer the question in one or two short sentences, using only the data given.',
    'Question: ',
    'Data: ',
    ' and also ',
    ', and ',
    '[add(a=, b=), echo(text="")]',
    ...months,
  ];
  return [...prompts, ...prompts, ...keys, ...strings, ...answers].flatMap(text =>
    text.split(/\u0001[^\u0001]*\u0001/),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [seed, count, share] = process.argv.slice(2);
  if (seed === 'fixed-text') console.log(JSON.stringify(fixedText()));
  else {
    const random = seededRandom(Number(seed));
    const from = share === 'evaluation' ? 'evaluation' : 'training';
    let lines = '';
    for (let made = 0; made < Number(count); made++) {
      const parts =
        share === 'bare'
          ? segments({ ...dialogue(random, from), tools: [] })
          : random.chance(0.06)
            ? answerTurn(random, from)
            : segments(dialogue(random, from));
      lines += `${JSON.stringify(parts)}\n`;
      if (made % 500 === 499) {
        process.stdout.write(lines);
        lines = '';
      }
    }
    process.stdout.write(lines);
  }
}
