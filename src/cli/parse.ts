/** `rawcall parse`: a completion on stdin, its calls or events as JSON on stdout. */
import { createCollector } from '../../parsers/read.ts';
import { openReader } from '../open-format.ts';
import { exitCodes, usageError } from './exit.ts';
import { jsonLine } from './json.ts';
import { writeOut } from './output.ts';
import { parseLines } from './parse-lines.ts';
import type { Context } from './program.ts';
import { recordOf, startReading } from './read-completion.ts';
import { readTools } from './read-messages.ts';

export interface ParseFlags {
  readonly tools?: string;
  readonly prefill?: string;
  readonly events?: true;
  readonly jsonl?: true;
  readonly field: string;
}

export async function parse({ values }: Context<ParseFlags>): Promise<number> {
  const { prefill, field, jsonl, events: asEvents } = values;
  if (jsonl && asEvents) throw usageError('--events and --jsonl cannot go together.');
  const format = values.format === undefined ? undefined : await openReader(values.format);
  const tools = values.tools === undefined ? undefined : await readTools(values.tools);
  const defaults = {
    ...(format ? { format } : {}),
    ...(tools ? { tools } : {}),
    ...(prefill === undefined ? {} : { prefill }),
  };
  if (jsonl) return parseLines(process.stdin, field, defaults);
  if (!format) throw usageError('Which format is it? Give --format (llama3, hermes, qwen, …).');

  const reading = startReading({ ...defaults, format });
  const collector = createCollector();
  process.stdin.setEncoding('utf8');
  for await (const text of process.stdin) await take(reading.push({ text: String(text) }));
  await take(reading.end('stop'));
  if (!asEvents) await writeOut(`${jsonLine(recordOf(collector.collected))}\n`);
  return exitCodes.answered;

  async function take(events: ReturnType<typeof reading.push>): Promise<void> {
    if (!asEvents) collector.add(events);
    else for (const event of events) await writeOut(`${jsonLine(event)}\n`);
  }
}
