/** `rawcall run`: one question, its answer on stdout, everything else on stderr. */
import { text } from 'node:stream/consumers';
import { exitCodeOf, usageError } from './exit.ts';
import { nothingOnStdin, stdinLines } from './lines.ts';
import type { Context } from './program.ts';
import { createReport } from './report.ts';
import { openSession } from './session.ts';
import { notice } from './show.ts';

export async function run(given: string | undefined, context: Context): Promise<number> {
  const fromStdin = given === undefined || given === '-';
  if (given === undefined && process.stdin.isTTY)
    throw usageError('What is the question? Try: rawcall run "What is 31 plus 11?"');
  const question = (fromStdin ? await text(process.stdin) : given).trim();
  if (question === '') throw usageError('The question is empty.');

  const nobody = whyNobodyIsAsked(fromStdin);
  const report = createReport(context.values);
  const session = await openSession({
    ...context,
    report,
    // With the question read to its end there is no stdin left to answer on.
    ...(nobody === undefined ? { lines: stdinLines(context.lifetime) } : {}),
  });
  const { asking } = session;
  if (nobody !== undefined && asking.length > 0)
    notice(`${nobody}, so calls that ask for approval are refused: ${asking.join(', ')} (see --approve).`);
  // What comes by stdin may be anybody's text, which is not to make servers read things.
  const { reason } = await session.answer(
    question,
    fromStdin ? [{ role: 'user', content: question }] : undefined,
  );
  return exitCodeOf(reason);
}

function whyNobodyIsAsked(fromStdin: boolean): string | undefined {
  if (fromStdin) return 'The question came by stdin';
  return nothingOnStdin() ? 'There is no stdin to answer on' : undefined;
}
