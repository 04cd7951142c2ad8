/** `rawcall parse`: a completion on stdin, its calls or events as JSON on stdout. */
import { text } from 'node:stream/consumers';
import { createCollector } from '../../parsers/read.ts';
import { jsonLine } from '../json.ts';
import { openReader } from '../open-format.ts';
import { recordOf, startReading } from '../read-completion.ts';
import { exitCodes, usageError } from './exit.ts';
import { writeOut } from './output.ts';
import { parseAll } from './parse-all.ts';
import { parseLines } from './parse-lines.ts';
import type { Context } from './program.ts';
import { readTools } from './read-messages.ts';

export interface ParseFlags {
  readonly tools?: string;
  readonly prefill?: string;
  readonly events?: true;
  readonly jsonl?: true;
  readonly field: string;
  readonly allFormats?: true;
}

export async function parse({ values }: Context<ParseFlags>): Promise<number> {
  const { prefill, field, jsonl, events: asEvents, allFormats } = values;
  if (jsonl && asEvents) throw usageError('--events and --jsonl cannot go together.');
  if (allFormats && (jsonl || asEvents))
    throw usageError('--all-formats goes with neither --events nor --jsonl.');
  const format = values.format === undefined ? undefined : await openReader(values.format);
  const tools = values.tools === undefined ? undefined : await readTools(values.tools);
  if (allFormats) {
    const options = { ...(tools ? { tools } : {}), ...(prefill === undefined ? {} : { prefill }) };
    return parseAll(await text(process.stdin), options, values.json === true);
  }
  const defaults = {
    ...(format ? { format } : {}),
    ...(tools ? { tools } : {}),
    ...(prefill === undefined ? {} : { prefill }),
  };
  if (jsonl) return parseLines(process.stdin, field, defaults);
  if (!format)
    throw usageError(
      'Which format is it? Give --format (llama3, hermes, qwen, …), or see what all of them read with --all-formats.',
    );

  const reading = startReading({ ...defaults, format });
  const collector = createCollector();
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) await take(reading.push({ text: String(chunk) }));
  await take(reading.end('stop'));
  if (!asEvents) await writeOut(`${jsonLine(recordOf(collector.collected))}\n`);
  return exitCodes.answered;

  async function take(events: ReturnType<typeof reading.push>): Promise<void> {
    if (!asEvents) collector.add(events);
    else for (const event of events) await writeOut(`${jsonLine(event)}\n`);
  }
}
