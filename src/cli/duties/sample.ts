/** What servers ask our model is put to the user on the terminal, or by the next line of standard input. */
import pc from 'picocolors';
import type { ToolCall } from '../../../parsers/parser.ts';
import type { ApprovalAnswer } from '../../agent/approval.ts';
import { exactText } from '../../exact-text.ts';
import type { SamplingRequest } from '../../mcp/features.ts';
import { readAnswer } from '../ask.ts';
import type { Lines } from '../lines.ts';
import type { Report } from '../report.ts';
import type { Floor } from './floor.ts';

export interface SamplingQuestionOptions {
  readonly report: Report;
  readonly floor: Floor;
  readonly lines: Lines;
  readonly run: () => AbortSignal | undefined;
}

export function samplingQuestion({ report, floor, lines, run }: SamplingQuestionOptions) {
  return (call: ToolCall, request: SamplingRequest): Promise<ApprovalAnswer> =>
    floor(async () => {
      report({ type: 'approval-start', call, server: request.server });
      process.stderr.write(`${described(request)}\n`);
      const question = 'Allow it? [y / a = always, for this server / n / n and a reason] ';
      if (!lines.terminal) process.stderr.write(question);
      lines.forgetTyped();
      const line = await lines.next(question, run());
      if (!lines.terminal) process.stderr.write(`${line === undefined ? '(no answer)' : exactText(line)}\n`);
      return readAnswer(line);
    });
}

function described({ server, system, messages, maxTokens }: SamplingRequest): string {
  const texts = [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...messages];
  // Indented, so that no line of it can be taken for one of ours.
  const whole = (content: string) =>
    content
      .split('\n')
      .map(line => exactText(line))
      .join('\n    ');
  const lines = texts.map(({ role, content }) => `  ${pc.dim(`${role}:`)} ${whole(content)}`);
  const head = `${pc.cyan('?')} The server ${pc.bold(exactText(server))} asks the model for a text of at most ${maxTokens} tokens:`;
  return [head, ...lines].join('\n');
}
