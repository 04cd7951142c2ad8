/** Asks one question under one policy, and says what came of it. */
import { createAgent } from '../../src/agent/agent.ts';
import type { RunReason } from '../../src/agent/events.ts';
import type { Model } from '../../src/model/model.ts';
import type { RenderOptions } from '../../templates/template.ts';
import type { Contender } from './policy-list.ts';
import { type Call, holds, type Question, sameCall, stubTools } from './question.ts';
import type { RememberingEngine } from './remember.ts';

/** One line of what is kept. */
export interface Asked {
  readonly policy: string;
  readonly question: string;
  readonly kind: string;
  /** Tools are needed. */
  readonly tools: boolean;
  /** All of the expected calls were run, and no other. */
  readonly right: boolean;
  /** Calls that ran and were not expected, and calls that could not be read. */
  readonly needless: number;
  /** Calls that had been made before, in any turn. */
  readonly repeated: number;
  /** Turns that were to write words and wrote none. */
  readonly emptyTurns: number;
  /** The run ended without words of the model's own. */
  readonly empty: boolean;
  /** The answer holds the results. */
  readonly holds: boolean;
  readonly reason: RunReason;
  readonly turns: number;
  readonly evaluated: number;
  readonly reused: number;
  readonly generated: number;
  readonly passes: number;
  /** Seconds of CPU time that the engine took. */
  readonly cpu: number;
  readonly calls: readonly string[];
  readonly answer: string;
}

export interface AskOptions {
  readonly model: Model;
  /** The one that the model runs on. */
  readonly engine: RememberingEngine;
  readonly contender: Contender;
  readonly question: Question;
  readonly maxTokens: number;
}

/** The same for every day. */
const render: RenderOptions = { date: '30 Nov 2026' };

export async function ask({ model, engine, contender, question, maxTokens }: AskOptions): Promise<Asked> {
  const started = engine.cpu;
  const agent = createAgent({
    model,
    tools: stubTools(question),
    approve: async () => ({ allowed: true }),
    policy: contender.policy,
    constrain: contender.constrain,
    render: { ...render, schemaForm: contender.schemaForm },
    maxTokens,
  });
  const ran: Call[] = [];
  const written: Call[] = [];
  const cost = { evaluated: 0, reused: 0, generated: 0, passes: 0 };
  let unreadable = 0;
  let repeated = 0;
  let emptyTurns = 0;
  const run = agent.run(question.text);
  for (;;) {
    const { done, value } = await run.next();
    if (!done) {
      if (value.type === 'tool-start') ran.push(value.call);
      else if (value.type === 'call-failed') unreadable++;
      else if (value.type === 'guard' && value.guard === 'empty_answer') emptyTurns++;
      else if (value.type === 'call-end') {
        if (written.some(one => sameCall(one, value.call))) repeated++;
        written.push(value.call);
      } else if (value.type === 'usage') {
        cost.evaluated += value.evaluated;
        cost.reused += value.reused;
        cost.generated += value.generated;
        cost.passes += value.passes ?? 0;
      }
      continue;
    }
    const expected = question.rounds.flat();
    const stray = ran.filter(one => !expected.some(step => sameCall(step, one)));
    const empty = value.reason === 'no_answer' || value.answer === '';
    return {
      policy: contender.name,
      question: question.id,
      kind: question.kind,
      tools: expected.length > 0,
      right: stray.length === 0 && expected.every(step => ran.some(one => sameCall(step, one))),
      needless: stray.length + unreadable,
      repeated,
      emptyTurns,
      empty,
      holds: !empty && holds(question, value.answer),
      reason: value.reason,
      turns: value.turns,
      ...cost,
      cpu: engine.cpu - started,
      calls: ran.map(({ name, arguments: args }) => `${name} ${JSON.stringify(args)}`),
      answer: value.answer.slice(0, 300),
    };
  }
}
