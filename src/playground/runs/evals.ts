/** Evaluations of a folder, and the transcripts beside them. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { RawcallError } from '../../../parsers/error.ts';
import { readResults } from '../../eval/results-file.ts';
import { refuse } from '../../server/api-error.ts';
import { jsonLinesIn } from './recorded.ts';
import type { EvalList, EvalSummary } from './runs-protocol.ts';

/** So many are listed: each is read whole. */
const mostListed = 50;

export async function listEvals(folder: string): Promise<EvalList> {
  const files = await Promise.all(
    (await jsonLinesIn(folder)).map(async id => {
      const file = path.join(folder, id);
      return { id, file, ...(await stat(file)) };
    }),
  );
  const newest = files.sort((left, right) => right.mtimeMs - left.mtimeMs).slice(0, mostListed);
  const evals: EvalSummary[] = [];
  for (const { id, file, size } of newest) evals.push({ id, size, ...(await aboutOf(file)) });
  return { folder, evals };
}

async function aboutOf(file: string) {
  try {
    const { header, samples } = await readResults(file);
    const { set, started, variants, tasks } = header;
    return {
      ...{ set, started },
      ...{ variants: variants.length, tasks: tasks.length, samples: samples.length },
    };
  } catch (error) {
    if (!RawcallError.isInstance(error)) throw error;
    return { problem: error.message };
  }
}

/**
 * Where a results file says that a transcript is, which is below the folder or nowhere.
 *
 * @throws RawcallError `api_error` (404)
 */
export function transcriptIn(folder: string, transcript: string | undefined): string {
  const place = transcript === undefined ? undefined : path.resolve(folder, transcript);
  if (place?.startsWith(`${path.resolve(folder)}${path.sep}`)) return place;
  return refuse({
    ...{ status: 404, type: 'invalid_request_error', code: 'not_found' },
    message: 'There is no transcript of this sample in the folder of the evaluations.',
  });
}
