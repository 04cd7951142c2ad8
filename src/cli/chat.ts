/** `rawcall chat`: a dialogue, on a terminal or over a pipe. */
import { exitCodeOf, exitCodes, reportError } from './exit.ts';
import { stdinLines } from './lines.ts';
import type { Context } from './program.ts';
import { createReport, errorEvent } from './report.ts';
import { openSession } from './session.ts';
import { notice } from './show.ts';
import { slashCommand } from './slash.ts';

export async function chat(context: Context): Promise<number> {
  const { lifetime, values } = context;
  const lines = stdinLines(lifetime);
  const report = createReport(values, ['calls']);
  const session = await openSession({ ...context, report, lines });
  if (lines.terminal)
    notice(
      `${session.format.name}, ${session.tools.tools.length} tools. /help lists commands; Ctrl-C stops, twice leaves.`,
    );

  // The worst of what happened: whoever pipes questions in sees from the code whether all were answered.
  const codes = new Set<number>();
  for (;;) {
    const line = await nextLine();
    if (line === undefined) break;
    const words = line.trim();
    if (words === '') continue;
    if (words.startsWith('/')) {
      if (await slashCommand(words, session)) break;
      continue;
    }
    try {
      const { reason } = await session.answer(words);
      if (reason === 'aborted') notice('stopped');
      codes.add(exitCodeOf(reason));
    } catch (error) {
      if (lifetime.leaving) break;
      if (values.json) report(errorEvent(error));
      codes.add(reportError(error));
    }
  }
  lines.close();
  if (lines.terminal) return exitCodes.answered;
  return (
    [exitCodes.error, exitCodes.usage, exitCodes.limit, exitCodes.interrupted].find(code =>
      codes.has(code),
    ) ?? 0
  );

  /** On a terminal a first Ctrl-C at the prompt warns, so that one pressed a moment too late does not end the dialogue. */
  async function nextLine(): Promise<string | undefined> {
    if (!lines.terminal) return lines.next('');
    for (;;) {
      const pressed = new AbortController();
      using _ = lifetime.interruptible(() => pressed.abort());
      const line = await lines.next('> ', pressed.signal);
      if (line !== undefined || !pressed.signal.aborted) return line;
      process.stderr.write('\n');
      notice('Press Ctrl-C again to leave.');
      const second = await lines.next('> ');
      if (second !== undefined) return second;
      return undefined;
    }
  }
}
