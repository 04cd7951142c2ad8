/** One round of calls: approved one after another, run side by side, each result tied to its call. */
import type { ToolCall } from '../../parsers/parser.ts';
import type { ToolMessage } from '../../templates/template.ts';
import type { Model, TurnResult } from '../model/model.ts';
import type { ToolResult, ToolSource } from '../tools.ts';
import type { ApprovalAnswer, Approve } from './approval.ts';
import type { AgentEvent, ResultSource } from './events.ts';
import { newest } from './newest.ts';
import { callKey, cutResult, rejected, resultMessage } from './results.ts';

export interface Round {
  /** In the order of the calls. */
  readonly messages: readonly ToolMessage[];
  readonly sources: readonly ResultSource[];
  /** True where a tool gave something that the run had not seen. */
  readonly fresh: boolean;
  /** True where it only brought tools on offer, and nothing was done yet. */
  readonly prepares: boolean;
}

interface Settled {
  readonly call: ToolCall;
  readonly result: ToolResult;
  readonly source: ResultSource;
  /** The text of a result that was cut. */
  readonly whole?: string;
}

export interface RoundsOptions {
  readonly model: Model;
  readonly tools: ToolSource;
  readonly approve: Approve;
  readonly signal?: AbortSignal;
}

/** The rounds of one run. It remembers results, so that the same call is not run twice. */
export function toolRounds({ model, tools, approve, signal }: RoundsOptions) {
  const earlier = new Map<string, Promise<ToolResult>>();
  const rounds = { count: 0, toolRuns: 0, repeats: 0, unasked: 0, run };
  return rounds;

  function isOffered({ name }: ToolCall): boolean {
    return tools.tools.some(tool => tool.name === name);
  }

  async function* run(turn: TurnResult): AsyncGenerator<AgentEvent, Round> {
    rounds.count++;
    const failed = new Map(turn.failed.map(one => [one.call.id, one]));
    /** Of calls that only brought tools on offer. */
    const preparing = new Set<string>();
    const pending: Promise<Settled>[] = [];
    const progress = newest<string, AgentEvent>();
    for (const call of turn.message.toolCalls ?? []) {
      const problem = failed.get(call.id);
      const known = earlier.get(callKey(call));
      const own = call.name === tools.choice?.finder;
      const offered = problem !== undefined && !isOffered(call) && tools.choice?.offer(call.name) === true;
      if (own || offered) preparing.add(call.id);
      if (problem) {
        const content = offered ? `${problem.message} ${onOfferNow(call.name)}` : problem.message;
        pending.push(Promise.resolve({ call, result: { content, isError: true }, source: 'problem' }));
      } else if (known) {
        rounds.repeats++;
        pending.push(known.then(result => ({ call, result, source: 'repeat' })));
      } else {
        const answer: ApprovalAnswer = own
          ? { allowed: true }
          : await approve(
              call,
              (tools.choice?.all ?? tools.tools).find(tool => tool.name === call.name),
            );
        yield { type: 'approval-end', call, ...answer };
        if (signal?.aborted) break;
        if (!answer.allowed) {
          if (answer.unasked) rounds.unasked++;
          pending.push(Promise.resolve({ call, result: rejected(answer), source: 'rejection' }));
          continue;
        }
        if (!own) rounds.toolRuns++;
        yield { type: 'tool-start', call };
        const result = tools.call(call.name, call.arguments, {
          argumentsText: call.argumentsText,
          onProgress: news => progress.put(call.id, { type: 'tool-progress', call, ...news }),
          ...(signal ? { signal } : {}),
        });
        earlier.set(callKey(call), result);
        const running = result.then((settled): Settled => ({ call, result: settled, source: 'tool' }));
        // An abort rejects; the loop sees it where it waits for the round's first call, so nothing is lost here.
        running.catch(() => {});
        pending.push(running);
      }
    }

    // All of a round's results together may take half of the context, so that there is room to answer.
    const limit = Math.floor((model.contextSize ?? 32_768) / 2 / Math.max(1, pending.length));
    const settled: Settled[] = [];
    for (const running of pending) {
      const one = yield* progress.during(running);
      const whole = one.result.content;
      const { content, leftOut } = cutResult(whole, limit, model);
      const cut = { ...one, result: { ...one.result, content }, ...(leftOut > 0 ? { whole } : {}) };
      settled.push(cut);
      yield { type: 'tool-end', ...cut, ...(leftOut > 0 ? { leftOut } : {}) };
    }
    return {
      messages: settled.map(({ call, result, source, whole }) =>
        resultMessage(call, source === 'repeat' ? again(result) : result, whole),
      ),
      sources: settled.map(({ source }) => source),
      fresh: settled.some(({ source }) => source === 'tool'),
      prepares: settled.length > 0 && settled.every(({ call }) => preparing.has(call.id)),
    };
  }
}

function onOfferNow(name: string): string {
  return `The schema of "${name}" was not shown. It is now: call it again.`;
}

/** Ends the result of a call that was made before. */
export const madeBefore = '(The same call was made before; this is its result again.)';

function again(result: ToolResult): ToolResult {
  return {
    ...result,
    content: `${result.content}\n${madeBefore}`,
  };
}
