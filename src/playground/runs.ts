/** Recorded runs and evaluations: those that are kept here, and files that are dropped on the page. */
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { RawcallError } from '../../parsers/error.ts';
import { isFields } from '../../templates/check.ts';
import { readResults, resultsOfText } from '../eval/results-file.ts';
import { refuse } from '../server/api-error.ts';
import { openTranscript, transcriptOfText } from '../transcript/read-transcript.ts';
import { bodyOf, exactJson } from './answers.ts';
import { evalReport, evalReportOf } from './runs/eval-report.ts';
import { listEvals, transcriptIn } from './runs/evals.ts';
import { fileIn, listRuns, recordedRuns, replayed } from './runs/recorded.ts';
import type { ReadFile } from './runs/runs-protocol.ts';

export interface RunsOptions {
  /** Where runs are recorded; nothing where they are not. */
  readonly runs?: string;
  /** Where evaluations are kept. */
  readonly evals: string;
}

const format = z.string().exactOptional();
const replayBody = z.strictObject({ format });
const fileBody = z.strictObject({ name: z.string(), text: z.string() });
const givenReplay = fileBody.extend({ format });

export function addRuns(app: Hono, { runs: folder, evals }: RunsOptions): void {
  app.get('/runs', async context =>
    context.json(folder === undefined ? { runs: [], older: 0 } : await listRuns(folder)),
  );
  app.get('/runs/:id', async context =>
    exactJson(context, await recordedRuns(await openTranscript(await run(context)))),
  );
  app.post('/runs/:id/replay', async context => {
    const order = await bodyOf(context, replayBody);
    return context.json(await replayed(await openTranscript(await run(context)), order, true));
  });
  app.post('/runs/read', async context => {
    const { name, text } = await bodyOf(context, fileBody);
    return exactJson(context, await read(name, text));
  });
  app.post('/runs/replay', async context => {
    const { name, text, ...order } = await bodyOf(context, givenReplay);
    return context.json(await replayed(await transcriptOfText(name, text), order, false));
  });

  app.get('/evals', async context => context.json(await listEvals(evals)));
  app.get('/evals/:id', async context => {
    const file = await fileIn(evals, context.req.param('id'));
    return context.json(evalReport({ file, results: await readResults(file) }));
  });
  app.get('/evals/:id/samples/:number/transcript', async context =>
    exactJson(context, await recordedRuns(await openTranscript(await sampled(context)))),
  );
  app.post('/evals/:id/samples/:number/replay', async context => {
    const order = await bodyOf(context, replayBody);
    return context.json(await replayed(await openTranscript(await sampled(context)), order, false));
  });

  /** The transcript of a sample. */
  async function sampled(context: Context): Promise<string> {
    const file = await fileIn(evals, context.req.param('id') ?? '');
    const { samples } = await readResults(file);
    return transcriptIn(evals, samples[Number(context.req.param('number'))]?.transcript);
  }

  async function run(context: Context): Promise<string> {
    const id = context.req.param('id') ?? '';
    return folder === undefined ? notRecorded() : fileIn(folder, id);
  }
}

function notRecorded(): never {
  return refuse({
    ...{ status: 404, type: 'invalid_request_error', code: 'not_found' },
    message: 'Runs are not recorded here (--no-record).',
  });
}

/** What somebody dropped, whichever of the files it is that rawcall writes. */
async function read(name: string, text: string): Promise<ReadFile> {
  const first = typeOf(text.slice(0, text.indexOf('\n') + 1 || undefined));
  if (first === 'transcript')
    return { kind: 'transcript', runs: await recordedRuns(await transcriptOfText(name, text)) };
  if (first === 'eval-start')
    return { kind: 'eval', report: evalReport({ file: name, results: resultsOfText(name, text) }) };
  const json = parsed(text);
  if (isFields(json) && json.type === 'eval-report')
    return { kind: 'eval', report: evalReportOf(json, name) };
  throw new RawcallError(
    'bad_file',
    `${name}: it is neither a transcript nor the results or the JSON report of an evaluation.`,
    { file: name },
  );
}

function typeOf(text: string): unknown {
  const json = parsed(text);
  return isFields(json) ? json.type : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
