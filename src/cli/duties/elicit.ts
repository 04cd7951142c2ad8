/** What servers ask the user: on a terminal as a form or an address, else the next line of standard input is the answer. */
import type { Fields } from '../../../templates/check.ts';
import { exactText } from '../../exact-text.ts';
import { badAddress, readElicitationAnswer } from '../../mcp/elicitation-answer.ts';
import type { ElicitationAnswer, ElicitationRequest, HostDuties } from '../../mcp/features.ts';
import type { Lines } from '../lines.ts';
import type { Report } from '../report.ts';
import type { Floor } from './floor.ts';
import { fillIn } from './form.ts';
import { showPage } from './page.ts';

export interface ElicitOptions {
  readonly lines: Lines;
  readonly report: Report;
  readonly floor: Floor;
  /** The run in which a server may ask; outside of one, what is typed is meant for the model. */
  readonly run: () => AbortSignal | undefined;
}

export function elicitor({ lines, report, floor, run }: ElicitOptions): NonNullable<HostDuties['elicit']> {
  async function ask(request: ElicitationRequest, signal: AbortSignal): Promise<ElicitationAnswer> {
    const current = run();
    if (!current) return { action: 'decline', reason: 'no question is being answered' };
    const wrong = request.mode === 'url' ? badAddress(request.url) : undefined;
    if (wrong !== undefined) return { action: 'decline', reason: wrong };
    const stop = AbortSignal.any([signal, current]);
    if (!lines.terminal) return byLine(request, lines, stop);
    lines.forgetTyped();
    return request.mode === 'url' ? showPage(request, lines, stop) : fillIn(request, lines, stop);
  }

  return (request, signal) =>
    floor(async () => {
      report({ type: 'elicitation-start', ...request });
      const answer = await ask(request, signal);
      const { action } = answer;
      const reason = 'reason' in answer && answer.reason !== undefined ? { reason: answer.reason } : {};
      report({ type: 'elicitation-end', server: request.server, action, ...reason });
      return answer;
    });
}

/** A program answers by JSON: `{"action": "accept", "content": {…}}`. What is no answer declines, and says why. */
async function byLine(
  request: ElicitationRequest,
  lines: Lines,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  const form = request.mode === 'form' ? request.schema : undefined;
  const what = form ? JSON.stringify(form) : (request as { url: string }).url;
  process.stderr.write(
    `The server ${exactText(request.server)} asks: ${exactText(request.message)} ${exactText(what)}\n` +
      '[one line of JSON: {"action": "accept", "content": {…}}, or "decline", or "cancel"] ',
  );
  const line = await lines.next('', signal);
  process.stderr.write(`${line === undefined ? '(no answer)' : exactText(line)}\n`);
  if (line === undefined) return { action: 'decline', reason: 'the input ended before an answer came' };
  return readAnswer(line, form);
}

/** @param form the schema that an accepted answer's content must fit */
export function readAnswer(line: string, form: Fields | undefined): ElicitationAnswer {
  return readElicitationAnswer(parsed(line), form);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
