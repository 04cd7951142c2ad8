/** `rawcall replay`: a recorded run once more, and the first place where it goes another way. */
import pc from 'picocolors';
import { readChatTemplate } from '../chat-template-file.ts';
import { jsonLine } from '../json.ts';
import type { Model } from '../model/model.ts';
import { explain } from '../replay/explain.ts';
import { recordedFormat } from '../replay/recorded-format.ts';
import { type ReplayedRun, replay } from '../replay/replay.ts';
import { replayRecord } from '../replay/replay-record.ts';
import type { RecordedRun } from '../replay/runs.ts';
import type { ToolSource } from '../tools.ts';
import { openTranscript, type Transcript } from '../transcript/read-transcript.ts';
import type { TranscriptHeader } from '../transcript/transcript.ts';
import { openDialogueModel } from './dialogue-model.ts';
import { exitCodes, usageError } from './exit.ts';
import { openTools, readServers } from './open-tools.ts';
import { writeOut } from './output.ts';
import type { Context } from './program.ts';
import { createReport } from './report.ts';
import { notice } from './show.ts';

export interface ReplayFlags {
  readonly live?: readonly ('model' | 'tools')[];
  readonly from?: number;
  /** As they were typed: what the config file says is of new runs. */
  readonly format?: string;
  readonly chatTemplate?: string;
}

export async function replayFile(
  file: string,
  context: Context,
  { live = [], from, format, chatTemplate }: ReplayFlags,
): Promise<number> {
  const { lifetime, values } = context;
  const transcript = await openTranscript(file);
  lifetime.closeAtEnd(() => transcript.close());
  const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported);
  const options = {
    format: await recordedFormat(transcript.header, {
      ...(format === undefined ? {} : { format }),
      ...(chatTemplate === undefined ? {} : { template: await readChatTemplate(chatTemplate) }),
    }),
    live: {
      ...(live.includes('model') ? { model: await liveModel(context, transcript.header) } : {}),
      ...(live.includes('tools') ? { tools: await liveTools(context) } : {}),
    },
    ...(from === undefined ? {} : { from }),
  };

  const totals = { runs: 0, turns: 0, different: 0 };
  for await (const run of replay(transcript, options)) {
    totals.runs++;
    totals.turns += run.turns;
    if (!run.recorded.finished) notice(`${file}: ${unfinished(run.recorded)}`);
    if (run.difference) totals.different++;
    if (values.json) await writeOut(`${jsonLine(replayRecord(run))}\n`);
    else if (run.difference && (totals.different === 1 || live.length > 0))
      await writeOut(told(run, file, totals.different === 1, colors));
  }
  tellCut(transcript);
  if (from !== undefined && from > totals.turns)
    throw usageError(`--from ${from}: the recording has ${totals.turns} turns.`);
  if (!values.json && totals.different === 0)
    await writeOut(
      `${colors.green('✓')} ${counted(totals.runs, 'run')}, ${counted(totals.turns, 'turn')}: as recorded.\n`,
    );
  return totals.different === 0 ? exitCodes.answered : exitCodes.error;
}

/** How far the recording goes. */
function unfinished({ number, events, turnsBefore }: RecordedRun): string {
  const start = events.findLastIndex(({ type }) => type === 'turn-start');
  const last = events.slice(start);
  const told = `run ${number} was not finished when the recording ended`;
  if (start === -1 || last.some(({ type }) => type === 'completion-end' || type === 'turn-failed'))
    return `${told}.`;
  const turn = turnsBefore + events.filter(({ type }) => type === 'turn-start').length;
  const pieces = last.flatMap(event => (event.type === 'completion-delta' ? event.pieces : []));
  return `${told}, in the middle of turn ${turn}: of its completion there ${pieces.length === 1 ? 'is 1 piece' : `are ${pieces.length} pieces`}.`;
}

export function tellCut({ file, cut }: Transcript): void {
  if (cut)
    notice(`${file}:${cut.line}: the last line is not whole, and was left out: its writer was ended there.`);
}

/** The model that a run with these settings would have. */
async function liveModel({ values, lifetime }: Context, { tools }: TranscriptHeader): Promise<Model> {
  const dialogue = await openDialogueModel(values, lifetime);
  const simplified = new Set(tools.flatMap(tool => (tool.simplified ? [tool.name] : [])));
  return dialogue.model(name => ({
    server: '',
    tool: name,
    settings: { name: '', toolSchemas: simplified.has(name) ? 'simplified' : 'original' },
  }));
}

async function liveTools(context: Context): Promise<Pick<ToolSource, 'call'>> {
  const servers = await readServers(context);
  if (servers.length === 0)
    throw usageError('--live tools needs servers: give --mcp-config or --mcp-command.');
  return openTools(servers, context.lifetime, createReport(context.values));
}

function told(
  { recorded, result, difference }: ReplayedRun,
  file: string,
  first: boolean,
  colors: Colors,
): string {
  if (!difference) return '';
  const { question } = recorded.start;
  const asked = question.length > 60 ? `${question.slice(0, 60).toWellFormed()}…` : question;
  const line = difference.line === undefined ? '' : `${file}:${difference.line}, `;
  const place = `${line}run ${recorded.number} (${JSON.stringify(asked)}), turn ${difference.turn}`;
  const end = recorded.events.findLast(event => event.type === 'run-end');
  const answers =
    result && end?.type === 'run-end'
      ? `\n${colors.dim('The answer was:')} ${end.answer}\n${colors.dim('and is now:')}     ${result.answer}\n`
      : '';
  // One is shown in full: the others mostly follow from it.
  return first
    ? `${colors.red('✗')} ${colors.bold(place)}\n${explain(difference, colors)}\n${answers}`
    : `${colors.red('✗')} ${place}${answers}`;
}

type Colors = ReturnType<typeof pc.createColors>;

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
