/** `rawcall chat`: a dialogue, on a terminal or over a pipe. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { RunResult } from '../agent/events.ts';
import { exitCodeOf, exitCodes, reportError, usageError } from './exit.ts';
import type { Lifetime } from './lifetime.ts';
import { stdinLines } from './lines.ts';
import { chatCompleter } from './mcp/completion.ts';
import { isPromptLine, promptMessages } from './mcp/prompt-line.ts';
import type { Context } from './program.ts';
import { createReport, errorEvent, type Report } from './report.ts';
import { saveDialogue } from './saved.ts';
import { openSession, type Session } from './session.ts';
import { notice } from './show.ts';
import { commandNames, slashCommand } from './slash.ts';

interface ChatOptions {
  readonly save?: string;
  readonly resume?: string;
}

export async function chat(context: Context<ChatOptions>): Promise<number> {
  const { lifetime, values } = context;
  const { save, resume } = values;
  if (resume === '-') throw usageError('--resume takes a file: the lines of stdin are questions.');
  if (save === '-') throw usageError('--save takes a file: stdout has the answers.');
  if (save !== undefined) refuseToReplace(save, resume);
  const lines = stdinLines(lifetime);
  const told = createReport(values, ['calls']);
  // News of servers come while a question is being typed, or an approval.
  const report: Report = event => lines.aside(() => told(event));
  const session = await openSession({
    ...context,
    report,
    lines,
    ...(resume === undefined ? {} : { resume }),
  });
  const keep = save === undefined ? undefined : keeping(save, session, lifetime);
  if (lines.terminal) {
    notice(
      `${session.speaker.format}, ${session.host.tools.length} tools. /help lists commands; Ctrl-C stops, twice leaves.`,
    );
    // While somebody thinks of a question.
    void session.host.settled();
  }

  const complete = chatCompleter(session.host, commandNames);
  // The worst of what happened: whoever pipes questions in sees from the code whether all were answered.
  const codes = new Set<number>();
  for (;;) {
    const line = await nextLine();
    if (line === undefined) break;
    const words = line.trim();
    if (words === '') continue;
    const isPrompt = words.startsWith('/') && isPromptLine(words, session.host);
    if (words.startsWith('/') && !isPrompt) {
      if (await slashCommand(words, session)) break;
      continue;
    }
    try {
      const { reason } = await (isPrompt ? runPrompt(words) : session.answer(words));
      if (reason === 'aborted') notice('stopped');
      codes.add(exitCodeOf(reason));
    } catch (error) {
      if (lifetime.leaving) break;
      if (values.json) report(errorEvent(error));
      codes.add(reportError(error));
    }
    await keep?.();
  }
  lines.close();
  if (lines.terminal) return exitCodes.answered;
  return (
    [exitCodes.error, exitCodes.usage, exitCodes.limit, exitCodes.interrupted].find(code =>
      codes.has(code),
    ) ?? 0
  );

  async function runPrompt(line: string): Promise<Pick<RunResult, 'reason'>> {
    const controller = new AbortController();
    using _ = lifetime.interruptible(() => controller.abort());
    const messages = await promptMessages(line, {
      host: session.host,
      lines,
      signal: controller.signal,
    }).catch((error: unknown) => {
      if (!controller.signal.aborted) throw error;
    });
    const last = messages?.at(-1);
    if (!messages) return { reason: 'aborted' };
    if (last?.role !== 'user')
      throw usageError(`${line} ends with no words of the user, so there is nothing to answer.`);
    return session.answer(last.content, messages);
  }

  /** On a terminal a first Ctrl-C at the prompt warns, so that one pressed a moment too late does not end the dialogue. */
  async function nextLine(): Promise<string | undefined> {
    if (!lines.terminal) return lines.next('');
    for (;;) {
      const pressed = new AbortController();
      using _ = lifetime.interruptible(() => pressed.abort());
      const line = await lines.next('> ', pressed.signal, complete);
      if (line !== undefined || !pressed.signal.aborted) return line;
      process.stderr.write('\n');
      notice('Press Ctrl-C again to leave.');
      const second = await lines.next('> ', undefined, complete);
      if (second !== undefined) return second;
      return undefined;
    }
  }
}

/** What was said before the dialogue that is saved now would be gone. */
function refuseToReplace(save: string, resume: string | undefined): void {
  if (resume !== undefined && path.resolve(save) === path.resolve(resume)) return;
  if ((statSync(save, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw usageError(`${save} is there already. Go on from it with --resume ${save}, or give another name.`);
}

/** Saves after each run, and once more on every way out: what an interrupt breaks off is kept too. */
function keeping(file: string, session: Session, lifetime: Lifetime): () => Promise<void> {
  let saved = Promise.resolve();
  const keep = () => {
    saved = saved.then(async () => {
      if (!session.agent.messages.some(({ role }) => role === 'user')) return;
      await saveDialogue(file, session).catch((error: Error) => notice(`Not saved: ${error.message}`));
    });
    return saved;
  };
  lifetime.closeAtEnd(async () => {
    await session.stop();
    await keep();
  });
  return keep;
}
