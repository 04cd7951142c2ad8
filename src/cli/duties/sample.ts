/** What servers ask our model: put to the user as a call is, under the name `sampling/SERVER`. */
import pc from 'picocolors';
import { RawcallError } from '../../../parsers/error.ts';
import { type ApprovalAnswer, type ApprovalRules, approval } from '../../agent/approval.ts';
import type { Sampler } from '../../agent/sampler.ts';
import type { SamplingRequest } from '../../mcp/features.ts';
import { readAnswer } from '../ask.ts';
import { exactText } from '../exact-call.ts';
import type { Lines } from '../lines.ts';
import type { Report } from '../report.ts';
import type { Floor } from './floor.ts';

export interface SamplingApprovalOptions {
  readonly rules: Pick<ApprovalRules, 'mode' | 'patterns'>;
  readonly report: Report;
  readonly floor: Floor;
  readonly lines?: Lines;
  readonly run: () => AbortSignal | undefined;
}

export function samplingApproval(
  options: SamplingApprovalOptions,
): (request: SamplingRequest) => Promise<ApprovalAnswer> {
  const { rules, report, floor, lines, run } = options;
  const asked = new Map<string, SamplingRequest>();
  const approve = approval({
    ...rules,
    origin: name => ({ server: 'sampling', tool: name.slice('sampling/'.length), settings: {} }),
    ...(lines ? { ask: ({ id, name }) => floor(() => ask(id, name, lines)) } : {}),
  });
  let count = 0;

  async function ask(id: string, name: string, lines: Lines): Promise<ApprovalAnswer> {
    const request = asked.get(id)!;
    const { server, ...args } = request;
    const argumentsText = JSON.stringify(args);
    report({
      type: 'approval-start',
      call: { id, name, arguments: JSON.parse(argumentsText), argumentsText },
      server,
    });
    process.stderr.write(`${described(request)}\n`);
    const question = 'Allow it? [y / a = always, for this server / n / n and a reason] ';
    if (!lines.terminal) process.stderr.write(question);
    lines.forgetTyped();
    const line = await lines.next(question, run());
    if (!lines.terminal) process.stderr.write(`${line === undefined ? '(no answer)' : exactText(line)}\n`);
    return readAnswer(line);
  }

  return async request => {
    const id = `sampling_${++count}`;
    asked.set(id, request);
    try {
      const call = { id, name: `sampling/${request.server}`, arguments: {}, argumentsText: '{}' };
      return await approve(call, undefined);
    } finally {
      asked.delete(id);
    }
  };
}

/** Each request and what came of it, as events. The sampler is there when the model is. */
export function samplingReported(report: Report, sampler: () => Sampler | undefined): Sampler {
  return async (request, signal) => {
    const { server } = request;
    report({ type: 'sampling-start', ...request });
    try {
      const sample = sampler();
      if (!sample) throw new RawcallError('sampling_refused', 'The model is not loaded yet.', { server });
      const answer = await sample(request, signal);
      report({ type: 'sampling-end', server, ...answer });
      return answer;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      report({ type: 'sampling-end', server, reason });
      throw error;
    }
  };
}

function described({ server, system, messages, maxTokens }: SamplingRequest): string {
  const texts = [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...messages];
  // Indented, so that no line of it can be taken for one of ours.
  const whole = (content: string) => content.split('\n').map(exactText).join('\n    ');
  const lines = texts.map(({ role, content }) => `  ${pc.dim(`${role}:`)} ${whole(content)}`);
  const head = `${pc.cyan('?')} The server ${pc.bold(exactText(server))} asks the model for a text of at most ${maxTokens} tokens:`;
  return [head, ...lines].join('\n');
}
