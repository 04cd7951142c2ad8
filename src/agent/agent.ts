/**
 * The loop: decision turns with their calls, side by side, until a turn makes none; then the answer. Whatever goes wrong on
 * the way (an error, a refusal, a call that could not be read) is told to the model as the call's result and never thrown,
 * and every run ends with a stated reason and with words.
 */
import { RawcallError } from '../../parsers/error.ts';
import type { AssistantMessage, Message, RenderOptions } from '../../templates/template.ts';
import type { Sampling } from '../engine/engine.ts';
import type { Model, TurnPurpose, TurnResult } from '../model/model.ts';
import type { ToolSource } from '../tools.ts';
import type { Approve } from './approval.ts';
import type { AgentEvent, RunReason, RunResult } from './events.ts';
import { answerView, decisionView, type TurnPolicy } from './policy.ts';
import { type Round, toolRounds } from './rounds.ts';

export interface AgentOptions {
  readonly model: Model;
  readonly tools: ToolSource;
  readonly approve: Approve;
  readonly policy?: TurnPolicy;
  readonly system?: string;
  readonly render?: Omit<RenderOptions, 'schema' | 'generationPrompt'>;
  readonly sampling?: Sampling;
  /** Tokens a turn may generate. Default 1024. */
  readonly maxTokens?: number;
  /** Rounds of calls a run may make before it has to answer. Default 8. */
  readonly maxRounds?: number;
}

export interface Agent {
  /** The dialogue so far; a run adds to it. */
  readonly messages: readonly Message[];
  run(question: string, options?: { readonly signal?: AbortSignal }): AsyncGenerator<AgentEvent, RunResult>;
  /** Forgets the dialogue; another system text may be given. */
  reset(system?: string): void;
}

/** Why an answer turn is taken: the deciding is done, or the round limit ended it. */
type AnswerStart = 'answered' | 'round_limit';

/** How the results are introduced where they stand in for an answer. */
const why = {
  no_answer: () => 'The model gave no answer',
  round_limit: (rounds: number) => `The model was still calling tools after ${rounds} rounds`,
  length: () => 'The model ran out of tokens before it answered',
} satisfies Partial<Record<RunReason, (rounds: number) => string>>;

/** Rounds in a row without a new result after which the model is made to answer. */
const maxStalledRounds = 2;

export function createAgent(options: AgentOptions): Agent {
  const { model, policy = {}, render = {}, maxTokens = 1024, maxRounds = 8 } = options;
  const { answerTurn = 'with-schema' } = policy;
  let messages: Message[] = [];
  let callCount = 0;
  reset(options.system);

  function reset(system = options.system): void {
    messages = system === undefined ? [] : [{ role: 'system', content: system }];
  }

  async function* run(
    question: string,
    { signal }: { signal?: AbortSignal } = {},
  ): AsyncGenerator<AgentEvent, RunResult> {
    const rounds = toolRounds({ ...options, ...(signal ? { signal } : {}) });
    const start = messages.length;
    let turns = 0;
    let stalled = 0;
    const results = () => messages.slice(start).filter(message => message.role === 'tool');

    yield { type: 'run-start', question };
    messages.push({ role: 'user', content: question });
    const end = yield* settle();
    yield { type: 'run-end', ...end };
    return end;

    async function* settle(): AsyncGenerator<AgentEvent, RunResult> {
      try {
        const decided = yield* decide();
        return typeof decided === 'string' ? yield* answer(decided) : decided;
      } catch (error) {
        if (signal?.aborted) return aborted();
        if (RawcallError.isInstance(error) && error.code === 'prompt_too_long' && turns > 1)
          return withoutWords('length');
        messages.length = start;
        throw error;
      }
    }

    /** Decision turns. Gives the run's result where one of them was the answer, else the reason that an answer turn starts with. */
    async function* decide(): AsyncGenerator<AgentEvent, RunResult | AnswerStart> {
      while (rounds.count < maxRounds && stalled < maxStalledRounds) {
        const turn = yield* take('decision');
        if (signal?.aborted) return aborted(turn.message);
        if (turn.message.toolCalls === undefined) return conclude(turn) ?? 'answered';
        messages.push(turn.message);
        const round = yield* rounds.run(turn);
        messages.push(...round.messages);
        if (signal?.aborted) return aborted();
        stalled = round.fresh ? 0 : stalled + 1;
        if (repeatsOnly(round) && answerTurn !== 'with-schema') {
          // The round added nothing, and an answer turn would read its results as having come twice.
          messages.length -= 1 + round.messages.length;
          return 'answered';
        }
      }
      return rounds.count >= maxRounds ? 'round_limit' : 'answered';
    }

    /** A decision turn without calls: it is the answer, unless the answer is to be written without the schemas. */
    function conclude(turn: TurnResult): RunResult | undefined {
      if (answerTurn !== 'with-schema' && results().length > 0) return undefined;
      if (turn.message.content === '') return turn.reason === 'length' ? withoutWords('length') : undefined;
      messages.push(turn.message);
      return finish(turn.reason === 'length' ? 'length' : 'answered', turn.message.content);
    }

    async function* answer(reason: AnswerStart): AsyncGenerator<AgentEvent, RunResult> {
      const turn = yield* take('answer');
      const { content } = turn.message;
      if (signal?.aborted) return aborted(turn.message);
      if (content === '') return withoutWords(reason === 'answered' ? 'no_answer' : reason, turn);
      const { toolCalls: _dropped, ...message } = turn.message;
      messages.push(message);
      return finish(turn.reason === 'length' ? 'length' : reason, content);
    }

    async function* take(purpose: TurnPurpose): AsyncGenerator<AgentEvent, TurnResult> {
      turns++;
      const conversation = { messages, tools: options.tools.tools };
      const view =
        purpose === 'decision'
          ? decisionView(conversation, policy, render)
          : answerView(conversation, answerTurn === 'with-schema' ? 'without-schema' : answerTurn, render);
      return yield* model.turn(view.conversation, {
        purpose,
        render: view.render,
        maxTokens,
        callId: () => `call_${++callCount}`,
        ...(options.sampling ? { sampling: options.sampling } : {}),
        ...(signal ? { signal } : {}),
      });
    }

    function finish(reason: RunReason, words: string): RunResult {
      return { reason, answer: words, turns, toolRuns: rounds.toolRuns, repeats: rounds.repeats };
    }

    /** The results themselves stand in for an answer that never came. */
    function withoutWords(reason: keyof typeof why, turn?: TurnResult): RunResult {
      const shown = results().map(result => `${result.name}: ${result.content}`);
      const problem = turn?.failed.at(-1)?.message;
      const words =
        shown.length > 0
          ? `${why[reason](rounds.count)}. Its tools returned:\n${shown.join('\n')}`
          : `${why[reason](rounds.count)}${problem ? `: ${problem}` : ', and no tool was run'}.`;
      messages.push({ role: 'assistant', content: words });
      return finish(reason, words);
    }

    /** What was said before the abort stays in the dialogue; a question that got nothing is taken back. */
    function aborted(partial?: AssistantMessage): RunResult {
      if (partial && partial.content !== '') messages.push({ role: 'assistant', content: partial.content });
      if (messages.length === start + 1) messages.length = start;
      return finish('aborted', partial?.content ?? '');
    }
  }

  return {
    get messages() {
      return messages;
    },
    run,
    reset,
  };
}

function repeatsOnly(round: Round): boolean {
  return round.messages.length > 0 && round.sources.every(source => source === 'repeat');
}
