/**
 * How reading grows with the length of a completion, in every call syntax: one string argument, and prose that is full of
 * half markers, fed in pieces of four characters. The peer is @ai-sdk-tool/parser, in the same run.
 *
 *   npx tsx bench/parse.ts
 */
import { pathToFileURL } from 'node:url';
import { hermesProtocol } from '@ai-sdk-tool/parser';
import type { Parser, Piece } from '../parsers/parser.ts';
import { toolCallJson } from '../parsers/tool-call-json.ts';
import { formats } from '../src/format.ts';
import { best, bestInTurn } from './best.ts';
import type { Row } from './row.ts';

const sizes = [10_000, 100_000, 1_000_000] as const;
const largest = 13;
const tool = {
  name: 'write_file',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

export async function parseRows(): Promise<Row[]> {
  // Before any other syntax is read: a program mostly reads one.
  const first = [...jsonRows(), await peerRow()];
  const parsers = [...new Map(formats.map(({ parser }) => [parser.name, parser])).values()];
  const growths = parsers.flatMap(parser =>
    [completionOf, proseOf].map(make => ({ parser, what: make.name, ...growth(parser, make) })),
  );
  return [
    ...growthRows(growths, 'completionOf', 'one argument'),
    ...growthRows(growths, 'proseOf', 'prose full of half markers'),
    ...first,
  ];
}

type Growth = ReturnType<typeof growth> & { readonly parser: Parser; readonly what: string };

/** The worst of all syntaxes stands for them. */
function growthRows(growths: readonly Growth[], what: string, name: string): Row[] {
  const of = growths.filter(one => one.what === what);
  return (['first', 'second'] as const).map((step, index) => {
    const worst = of.reduce((most, one) => (one[step] > most[step] ? one : most));
    const [from, to] = [`${sizes[index]! / 1000} kB`, `${sizes[index + 1]! / 1000} kB`];
    return {
      name: `growth from ${from} to ${to}, ${name}`,
      value: worst[step],
      unit: '×',
      note: `the worst of ${of.length} syntaxes: ${worst.parser.name}; linear is 10, target ≤ ${largest}`,
    };
  });
}

function growth(parser: Parser, make: (parser: Parser, size: number) => string) {
  const [small, middle, large] = sizes.map(size => {
    const pieces = cut(make(parser, size), 4);
    read(parser, pieces);
    return best(() => read(parser, pieces), size === 1_000_000 ? 15 : 30);
  }) as [number, number, number];
  return { first: middle / small, second: large / middle };
}

function jsonRows(): Row[] {
  const [, , size] = sizes;
  const completion = completionOf(toolCallJson, size);
  const body = JSON.stringify({ name: tool.name, arguments: { text: filler(size) } });
  return [
    { pieces: [{ text: completion }], how: 'whole' },
    { pieces: cut(completion, 4), how: 'in pieces of 4 characters' },
  ].map(({ pieces, how }) => {
    const [ours, json] = bestInTurn([() => read(toolCallJson, pieces), () => JSON.parse(body)], 40);
    return {
      name: `1 MB argument ${how}, against JSON.parse of the same text`,
      value: ours / json,
      unit: '×',
      note: `${ours.toFixed(1)} ms against ${json.toFixed(2)} ms, in turn; target ≤ 15`,
    };
  });
}

async function peerRow(): Promise<Row> {
  const completion = completionOf(toolCallJson, sizes[1]);
  const pieces = cut(completion, 4);
  const ours = best(() => read(toolCallJson, pieces), 15);
  const start = performance.now();
  await readWithPeer(pieces);
  const theirs = performance.now() - start;
  return {
    name: '100 kB argument in pieces of 4 characters, @ai-sdk-tool/parser against ours',
    value: theirs / ours,
    unit: '×',
    note: `${theirs.toFixed(0)} ms against ${ours.toFixed(2)} ms; target ≥ 1000`,
  };
}

async function readWithPeer(pieces: readonly Piece[]): Promise<void> {
  const { name, inputSchema } = tool;
  const parser = hermesProtocol().createStreamParser({
    tools: [{ type: 'function', name, inputSchema: inputSchema as object }],
  });
  const source = new ReadableStream({
    start(controller) {
      for (const { text } of pieces) controller.enqueue({ type: 'text-delta', id: '1', delta: text });
      controller.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: {} });
      controller.close();
    },
  });
  let calls = 0;
  for await (const part of source.pipeThrough(parser as never) as ReadableStream<{ type: string }>)
    calls += Number(part.type === 'tool-call');
  if (calls !== 1) throw new Error(`The peer read ${calls} calls.`);
}

function read(parser: Parser, pieces: readonly Piece[]): void {
  const reading = parser.start({ tools: [tool] });
  for (const piece of pieces) reading.push(piece);
  const failed = reading.end('stop').some(event => event.type === 'call-failed');
  if (failed) throw new Error(`${parser.name} did not read its own call.`);
}

function completionOf(parser: Parser, size: number): string {
  const text = filler(size);
  const call = {
    id: 'call_1',
    name: tool.name,
    arguments: { text },
    argumentsText: JSON.stringify({ text }),
  };
  return parser
    .write([call])
    .map(piece => piece.text)
    .join('');
}

function proseOf(_parser: Parser, size: number): string {
  return repeated('if a < b [see 1] then <tool_ca is `x` <|to, [f( {"n": and ', size);
}

function filler(size: number): string {
  return repeated('the "quick" brown\\fox\njumps {over} 懶狗 ', size);
}

function repeated(words: string, size: number): string {
  return words.repeat(Math.ceil(size / words.length)).slice(0, size);
}

function cut(text: string, length: number): Piece[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) => ({
    text: text.slice(at * length, (at + 1) * length),
  }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(await parseRows());
