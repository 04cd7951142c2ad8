/**
 * Makes the adapter's training dialogues: `npx tsx models/adapters/smollm2/dialogues.ts --base FILE --seed N --count N [--share evaluation] [--show]`.
 * Prompts come from rawcall's own templates and are read by the base's own tokenizer, so what is learnt on is what will be given. One
 * JSON line a tree: the token ids that several dialogues about the same tools begin with, and how each goes on. No question
 * is one of a benchmark's.
 */

import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Piece } from '../../../parsers/parser.ts';
import { openLlamaVocabulary } from '../../../src/engine/llama.ts';
import { type Format, formatNamed } from '../../../src/format.ts';
import type { Message, Prompt } from '../../../templates/template.ts';
import { type Random, seededRandom } from '../../practice/random.ts';
import { makeTools } from './errands.ts';
import { type Exchange, exchanges, fromData } from './exchanges.ts';
import * as say from './phrases.ts';
import { type Share, wordsOf } from './values.ts';

export const formatNames = ['hermes', 'qwen'] as const;

interface Branch {
  readonly ids: readonly number[];
  /** Where completions begin and end, their stop token included. */
  readonly learn: readonly (readonly [start: number, end: number])[];
}

export interface Tree {
  readonly prefix: readonly number[];
  readonly branches: readonly Branch[];
}

interface Written {
  readonly ids: number[];
  readonly learn: [number, number][];
}

type Encode = (prompt: Prompt) => readonly number[];

/** One dialogue as token ids, each turn's prompt with what the turns before it wrote. */
function write(
  encode: Encode,
  { template, parser }: Format,
  opening: readonly Message[],
  tools: Parameters<Format['template']['render']>[0]['tools'],
  asked: readonly Exchange[],
): Written {
  const messages: Message[] = [...opening];
  const ids: number[] = [];
  const learn: [number, number][] = [];
  let callCount = 0;

  function turn(pieces: readonly Piece[]): readonly Piece[] {
    const text = pieces.map(piece => piece.text).join('');
    const tokens = encode([{ text, origin: 'assistant' }]);
    const prompt = encode(template.render({ messages, tools }));
    if (ids.some((id, index) => prompt[index] !== id))
      throw new Error(`A prompt does not begin with the one before it: ${text}`);
    const stop = encode([{ control: template.stops[0] ?? '' }]);
    ids.push(...prompt.slice(ids.length));
    learn.push([ids.length, ids.length + tokens.length + stop.length]);
    // The stop token is the template's to write in the next prompt, and it writes the same one.
    ids.push(...tokens, ...stop);
    return [{ text, tokens }];
  }

  for (const { question, rounds, answer, writesOn } of asked) {
    messages.push({ role: 'user', content: question });
    for (const round of rounds) {
      const toolCalls = round.map(({ name, args }) => ({
        id: `call_${++callCount}`,
        name,
        arguments: args,
        argumentsText: JSON.stringify(args),
      }));
      messages.push({ role: 'assistant', content: '', toolCalls, completion: turn(parser.write(toolCalls)) });
      round.forEach(({ name, result }, index) => {
        messages.push({ role: 'tool', callId: toolCalls[index]?.id ?? '', name, content: result });
      });
    }
    if (answer !== undefined)
      messages.push({ role: 'assistant', content: answer, completion: turn([{ text: answer }]) });
    else if (writesOn) {
      // Had to write on (src/agent/further-calls.ts), it ends the turn: there is nothing more to call.
      const stop = ids.pop() ?? 0;
      const last = learn.at(-1);
      if (last) last[1] -= 1;
      ids.push(...encode([{ text: '\n', origin: 'assistant' }]), stop);
      learn.push([ids.length - 1, ids.length]);
    }
  }
  return { ids, learn };
}

export function treeOf(encode: Encode, random: Random, share: Share): Tree {
  const words = wordsOf(random, share);
  const format = formatNamed(random.pick(formatNames));
  const count = random.int(5, 8);
  let written: Written[];
  if (random.chance(0.1))
    written = fromData(random, share, words, count).map(({ opening, exchange }) =>
      write(encode, format, opening, [], [exchange]),
    );
  else {
    const tools = makeTools(random, share, random.pick([1, 1, 2, 2, 2, 3, 3, 4]));
    const opening: Message[] = random.chance(0.15)
      ? [{ role: 'system', content: random.pick(say.systems) }]
      : [];
    const definitions = tools.map(tool => tool.definition);
    written = Array.from({ length: count }, () =>
      write(encode, format, opening, definitions, exchanges(random, share, words, tools)),
    );
  }
  const shared = commonLength(written);
  return {
    prefix: written[0]?.ids.slice(0, shared) ?? [],
    branches: written.map(({ ids, learn }) => ({
      ids: ids.slice(shared),
      learn: learn.map(([start, end]) => [start - shared, end - shared] as const),
    })),
  };
}

/** What all begin with, before any completion. */
function commonLength(written: readonly Written[]): number {
  const [first, ...rest] = written.map(one => one.ids);
  const most = Math.min(...written.map(one => (one.learn[0]?.[0] ?? 1) - 1));
  let length = 0;
  while (length < most && rest.every(ids => ids[length] === first?.[length])) length++;
  return length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values: options } = parseArgs({
    options: {
      base: { type: 'string', default: '' },
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '3' },
      share: { type: 'string', default: 'training' },
      show: { type: 'boolean', default: false },
    },
  });
  const vocabulary = await openLlamaVocabulary({ model: options.base });
  const seen = new Map<number, string>();
  const encode: Encode = prompt => {
    if (options.show) for (const { id, text } of vocabulary.tokenize(prompt)) seen.set(id, text);
    return vocabulary.tokenIds(prompt);
  };
  const random = seededRandom(Number(options.seed));
  for (let made = 0; made < Number(options.count); made++) {
    const tree = treeOf(encode, random, options.share === 'evaluation' ? 'evaluation' : 'training');
    if (!options.show) process.stdout.write(`${JSON.stringify(tree)}\n`);
    else {
      const text = (ids: readonly number[]) => ids.map(id => seen.get(id)).join('');
      console.log(`=== ${tree.prefix.length}\n${text(tree.prefix)}`);
      for (const { ids, learn } of tree.branches)
        console.log(
          `--- ${ids.length} ${JSON.stringify(learn.map(([start, end]) => text(ids.slice(start, end))))}\n${text(ids)}`,
        );
    }
  }
  await vocabulary.close();
}
