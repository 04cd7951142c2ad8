/** Asks the user whether a call may run: on a terminal as a question, else the next line of standard input is the answer. */
import type { ToolCall } from '../../parsers/parser.ts';
import type { ApprovalAnswer, Approve, ToolOwner } from '../agent/approval.ts';
import { exactText } from '../exact-text.ts';
import { exactCall } from './exact-call.ts';
import type { Lines } from './lines.ts';

export interface AskOptions {
  readonly lines: Lines;
  readonly origin: (name: string) => ToolOwner | undefined;
  /** Told before the question, to whoever follows by JSON. */
  readonly onAsk: (call: ToolCall, owner: ToolOwner | undefined) => void;
  readonly signal: () => AbortSignal | undefined;
}

export function askUser({ lines, origin, onAsk, signal }: AskOptions): Approve {
  return async call => {
    const owner = origin(call.name);
    onAsk(call, owner);
    const question = `Allow ${exactCall(call, owner)}? [y / a = always, for this tool / n / n and a reason] `;
    if (!lines.terminal) process.stderr.write(question);
    lines.forgetTyped();
    const line = await lines.next(question, signal());
    if (!lines.terminal) process.stderr.write(`${line === undefined ? '(no answer)' : exactText(line)}\n`);
    return readAnswer(line);
  };
}

/** Anything but a yes is a no; what stands there besides is the reason, which the model gets to read. */
export function readAnswer(line: string | undefined): ApprovalAnswer {
  if (line === undefined)
    return {
      allowed: false,
      unasked: true,
      reason: 'it needs approval, and the input ended before an answer came',
    };
  const answer = line.trim();
  if (/^y(es)?$/i.test(answer)) return { allowed: true };
  if (/^a(lways)?$/i.test(answer)) return { allowed: true, always: true };
  const reason = /^no?$/i.test(answer) ? '' : answer.replace(/^n(?:\s+|\s*[,:;]\s*)|^no\s*[,:;]\s*/i, '');
  return reason === '' ? { allowed: false } : { allowed: false, reason };
}
