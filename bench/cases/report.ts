/** A report: something that once went wrong somewhere, and what must come of it, in the turn and in its stream. */
import { readFileSync } from 'node:fs';
import type { ParseEvent, Piece } from '../../parsers/parser.ts';
import { createCollector } from '../../parsers/read.ts';
import type { CompletionCase } from '../../src/check/case.ts';
import { addMerged, type CaseParser } from '../../src/check/check-case.ts';
import { exactValue } from '../../src/check/exact.ts';
import { parseTools } from '../../templates/messages.ts';
import { type Timed, timedWrongs } from './timed.ts';
import { callWrongs, caseValue, type NamedArguments } from './values.ts';

export interface Report {
  readonly id: string;
  readonly input: {
    readonly tools?: readonly unknown[];
    readonly text?: unknown;
    readonly chunks?: readonly string[];
    readonly byteChunksHex?: readonly string[];
    readonly prefill?: string;
    readonly stop?: 'eos' | 'length';
    readonly generate?: Timed;
  };
  readonly expected: {
    readonly calls?: unknown;
    readonly rejected?: readonly { readonly name?: string; readonly problem?: string }[];
    readonly problems?: readonly string[];
    readonly content?: string;
    readonly contentExact?: string;
    readonly contentIncludes?: readonly string[];
    readonly contentExcludes?: readonly string[];
    readonly reasoning?: string;
    readonly reasoningIncludes?: readonly string[];
    readonly finish?: string;
    readonly silent?: false;
    readonly rawArgumentsIncludes?: readonly string[];
    readonly never?: readonly string[];
    readonly stream?: Stream;
    readonly timeRatioPerDoublingMax?: number;
  };
}

interface Stream {
  readonly noContentContains?: readonly string[];
  readonly argsConcat?: string | readonly string[];
  readonly argsConcatIsJson?: boolean;
  readonly indexes?: readonly number[];
  readonly nameBeforeArgs?: boolean;
  readonly nameOncePerCall?: boolean;
  readonly noContentInsideCall?: boolean;
  readonly startsBeforeEnd?: boolean;
  readonly wellFormedUnicode?: boolean;
}

export function reportOf({ id, input }: Report, toolsFile: string): CompletionCase {
  const known = JSON.parse(readFileSync(toolsFile, 'utf8')) as readonly { readonly name: string }[];
  const offered = input.tools?.map(tool =>
    typeof tool === 'string' ? known.find(one => one.name === tool) : tool,
  );
  return {
    id,
    completion: [{ text: chunksOf(input).join('') }],
    inPieces: false,
    reason: input.stop === 'length' ? 'length' : 'stop',
    ...(offered ? { tools: parseTools(offered) } : {}),
    ...(input.prefill === undefined ? {} : { prefill: input.prefill }),
  };
}

function chunksOf({ text, chunks, byteChunksHex }: Report['input']): readonly string[] {
  if (chunks) return chunks;
  if (!byteChunksHex) return [String(caseValue(JSON.stringify(text ?? '')))];
  const decoder = new TextDecoder();
  return byteChunksHex.map(hex => decoder.decode(Buffer.from(hex, 'hex'), { stream: true }));
}

export function reportWrongs(
  { input, expected }: Report,
  one: CompletionCase,
  { parser, stops }: CaseParser,
): string[] {
  const { timeRatioPerDoublingMax: most = 3 } = expected;
  if (input.generate) return timedWrongs(input.generate, parser, most);
  const { tools, prefill, reason = 'stop' } = one;
  const context = {
    ...(tools ? { tools } : {}),
    ...(prefill === undefined ? {} : { prefill }),
    ...(stops ? { stops } : {}),
  };
  const chunks = chunksOf(input);
  // A report without chunks of its own is streamed by the character.
  const pieces = (chunks.length > 1 ? chunks : [...(chunks[0] ?? '')]).map((text): Piece => ({ text }));
  const reading = parser.start(context);
  const steps = [...pieces.map(piece => reading.push(piece)), reading.end(reason)];
  const whole = parser.start(context);
  const batch = [...whole.push({ text: chunks.join('') }), ...whole.end(reason)];
  const wrongs =
    JSON.stringify(merged(batch)) === JSON.stringify(merged(steps.flat()))
      ? []
      : ['the chunks read otherwise'];
  return [...wrongs, ...turnWrongs(expected, batch, reason), ...streamWrongs(expected.stream ?? {}, steps)];
}

function merged(events: readonly ParseEvent[]): ParseEvent[] {
  const out: ParseEvent[] = [];
  addMerged(out, events);
  return out;
}

const problemNames: Readonly<Record<string, string>> = { unclosed_think: 'unclosed_reasoning' };

function turnWrongs(expected: Report['expected'], events: readonly ParseEvent[], reason: string): string[] {
  const collector = createCollector();
  collector.add(events);
  const read = collector.collected;
  const wrongs: string[] = [];
  const must = (right: boolean, what: string) => void (right || wrongs.push(what));
  const { calls, content, contentExact, reasoning, problems, finish } = expected;
  const texts = read.ended.map(({ call }) => call.argumentsText);
  if (calls !== undefined)
    wrongs.push(
      ...callWrongs(
        caseValue(JSON.stringify(calls)) as unknown as NamedArguments[],
        read.ended.map(({ call }) => ({ name: call.name, arguments: exactValue(call.argumentsText) })),
      ),
    );
  for (const { name, problem } of expected.rejected ?? []) {
    const found = read.problems.some(
      one => (name === undefined || one.name === name) && (problem === undefined || one.problem === problem),
    );
    must(found, `not rejected: ${name} ${problem}; read ${JSON.stringify(read.problems)}`);
  }
  const names = [
    ...read.problems.map(({ problem }) => String(problem)),
    ...(read.repaired.length > 0 ? ['repaired'] : []),
  ];
  for (const problem of problems ?? [])
    must(names.includes(problemNames[problem] ?? problem), `no problem ${problem}, but ${names}`);
  if (problems?.length === 0) must(names.length === 0, `problems: ${names}`);
  if (content !== undefined)
    must(content.trim() === read.content.trim(), `content: ${JSON.stringify(read.content)}`);
  if (contentExact !== undefined)
    must(contentExact === read.content, `content: ${JSON.stringify(read.content)}`);
  for (const part of expected.contentIncludes ?? [])
    must(read.content.includes(part), `content without ${part}`);
  for (const part of expected.contentExcludes ?? [])
    must(!read.content.includes(part), `content with ${part}`);
  if (reasoning !== undefined)
    must(reasoning.trim() === read.reasoning.trim(), `reasoning: ${JSON.stringify(read.reasoning)}`);
  for (const part of expected.reasoningIncludes ?? [])
    must(read.reasoning.includes(part), `reasoning without ${part}`);
  const finished = reason === 'length' ? 'length' : read.ended.length > 0 ? 'tool_calls' : 'stop';
  if (finish !== undefined) must(finish === finished, `finish: ${finished}`);
  if (expected.silent === false)
    must(read.ended.length + read.problems.length > 0 || read.content !== '', 'silent');
  for (const part of expected.rawArgumentsIncludes ?? [])
    must(
      texts.some(text => text.includes(part)),
      `no ${part} in ${texts}`,
    );
  for (const part of expected.never ?? []) must(!JSON.stringify(read).includes(part), `${part} came out`);
  return wrongs;
}

function streamWrongs(stream: Stream, steps: readonly (readonly ParseEvent[])[]): string[] {
  const wrongs: string[] = [];
  const must = (right: boolean, what: string) => void (right || wrongs.push(what));
  const events = steps.flat();
  const starts = events.filter(event => event.type === 'call-start');
  const deltas = events.filter(event => event.type === 'call-delta');
  const argumentsOf = (index: number) =>
    deltas
      .filter(one => one.index === index)
      .map(one => one.argumentsText)
      .join('');
  for (const part of stream.noContentContains ?? [])
    must(
      !events.some(event => event.type === 'text-delta' && event.text.includes(part)),
      `a text delta has ${part}`,
    );
  if (stream.argsConcat !== undefined) {
    const all = starts.map(({ index }) => argumentsOf(index));
    const expected = [stream.argsConcat].flat();
    must(
      JSON.stringify(expected.map(exactValue)) === JSON.stringify(all.map(exactValue)),
      `joined deltas: ${all}`,
    );
  }
  if (stream.argsConcatIsJson) for (const { index } of starts) JSON.parse(argumentsOf(index));
  if (stream.indexes) must(stream.indexes.join() === starts.map(({ index }) => index).join(), 'indexes');
  if (stream.nameBeforeArgs)
    must(
      deltas.every(
        one =>
          events.findIndex(event => event.type === 'call-start' && event.index === one.index) <
          events.indexOf(one),
      ),
      'a delta before its name',
    );
  if (stream.nameOncePerCall)
    must(new Set(starts.map(({ index }) => index)).size === starts.length, 'a name twice');
  if (stream.noContentInsideCall) {
    let open = false;
    for (const event of events) {
      if (event.type === 'call-start') open = true;
      if (event.type === 'call-end' || event.type === 'call-failed') open = false;
      must(!(open && event.type === 'text-delta'), 'text inside a call');
    }
  }
  if (stream.startsBeforeEnd) {
    const first = steps.findIndex(step => step.some(event => event.type === 'call-delta'));
    must(
      first >= 0 && first < steps.findIndex(step => step.some(event => event.type === 'call-end')),
      'arguments came late',
    );
  }
  if (stream.wellFormedUnicode)
    must(
      events.every(event => !('text' in event) || event.text.isWellFormed()),
      'half a character came out',
    );
  return wrongs;
}
