/** Asks the user whether a call may run: on a terminal as a question, else the next line of standard input is the answer. */
import type { ToolCall } from '../../parsers/parser.ts';
import type { ApprovalAnswer, Approve } from '../agent/approval.ts';
import { callText } from './call-text.ts';
import type { Lines } from './lines.ts';
import { visible } from './output.ts';

export interface AskOptions {
  readonly lines: Lines;
  /** Told before the question, to whoever follows by JSON. */
  readonly onAsk: (call: ToolCall) => void;
  readonly signal: () => AbortSignal | undefined;
}

export function askUser({ lines, onAsk, signal }: AskOptions): Approve {
  return async call => {
    onAsk(call);
    const question = `Allow ${callText(call)}? [y / n / n and a reason] `;
    if (!lines.terminal) process.stderr.write(question);
    lines.forgetTyped();
    const line = await lines.next(question, signal());
    if (!lines.terminal) process.stderr.write(`${line === undefined ? '(no answer)' : visible(line)}\n`);
    return readAnswer(line);
  };
}

/** Anything but a yes is a no; what stands there besides is the reason, which the model gets to read. */
export function readAnswer(line: string | undefined): ApprovalAnswer {
  if (line === undefined) return { allowed: false, reason: 'the input ended before an answer came' };
  const answer = line.trim();
  if (/^y(es)?$/i.test(answer)) return { allowed: true };
  const reason = /^no?$/i.test(answer) ? '' : answer.replace(/^n(?:\s+|\s*[,:;]\s*)|^no\s*[,:;]\s*/i, '');
  return reason === '' ? { allowed: false } : { allowed: false, reason };
}
