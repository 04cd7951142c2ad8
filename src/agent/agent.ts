/**
 * The loop: decision turns with their calls, side by side, until a turn makes none; then the answer. Whatever goes wrong on
 * the way (an error, a refusal, a call that could not be read) is told to the model as the call's result and never thrown,
 * and every run ends with a stated reason and with words.
 */
import { RawcallError } from '../../parsers/error.ts';
import type { AssistantMessage, Message, RenderOptions } from '../../templates/template.ts';
import type { Sampling } from '../engine/engine.ts';
import type { Constrain } from '../model/constrain.ts';
import type { Model, TokenBill, TurnOptions, TurnPrompt, TurnPurpose, TurnResult } from '../model/model.ts';
import type { ToolSource } from '../tools.ts';
import type { Approve } from './approval.ts';
import type { AgentEvent, Guard, RunReason, RunResult } from './events.ts';
import { fitter } from './fit.ts';
import { furtherTurn, isCallsOnly, joined, maxFurtherCalls, writtenOn } from './further-calls.ts';
import {
  announcesCall,
  callForAnswer,
  callNow,
  isCall,
  type LimitedTurn,
  type Limits,
  likeNamed,
  noSuchTool,
  runLimits,
  strangeCall,
  type Timeout,
  watched,
} from './guards.ts';
import { offerWatch } from './offer.ts';
import { answerView, decisionView, type TurnPolicy } from './policy.ts';
import { madeBefore, type Round, toolRounds } from './rounds.ts';

export interface AgentOptions {
  readonly model: Model;
  readonly tools: ToolSource;
  readonly approve: Approve;
  readonly policy?: TurnPolicy;
  readonly system?: string;
  /** A dialogue to go on from, its system text included. Default: none, and the dialogue begins with `system`. */
  readonly messages?: readonly Message[];
  readonly render?: Omit<RenderOptions, 'schema' | 'generationPrompt'>;
  readonly sampling?: Sampling;
  /** Tokens a turn may generate; a call that they would cut may take as many again. Default 1024. */
  readonly maxTokens?: number;
  /** Rounds of calls a run may make before it has to answer. Default 8. */
  readonly maxRounds?: number;
  /** Of a turn and of a whole run. Default: none. */
  readonly limits?: Limits;
  /** What decision turns are held to; `required` holds for a run's first one. Default `off`. */
  readonly constrain?: Constrain;
  /**
   * Whether a call of this tool is left to whoever asked: a turn that makes one ends the run with the reason `calls`, once its other
   * calls have run here. A dialogue goes on from it with the results in `messages`, and without a new question. Default: all run here.
   */
  readonly handBack?: (name: string) => boolean;
  /** A signal that aborts after so many milliseconds. Default: by the clock; a replay has none. */
  readonly timeout?: Timeout;
  /** Tells this dialogue's prompts from those of other dialogues on the same engine. Default: the only dialogue. */
  readonly lane?: string;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** What goes into the dialogue in the question's place, such as it with what is attached; the last of them is the user's. */
  readonly messages?: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
}

export interface Agent {
  /** The dialogue so far; a run adds to it. */
  readonly messages: readonly Message[];
  run(question: string, options?: RunOptions): AsyncGenerator<AgentEvent, RunResult>;
  /** What the next question's prompt is made of without its words, where the model has a tokenizer. */
  bill(): TokenBill | undefined;
  /** Forgets the dialogue; another system text may be given. */
  reset(system?: string): void;
}

type Turn = TurnResult & { readonly repeats?: boolean };

/** Why an answer turn is taken: the deciding is done, or the round limit ended it. */
type AnswerStart = 'answered' | 'round_limit';

/** How the results are introduced where they stand in for an answer. */
const why = {
  no_answer: () => 'The model gave no answer',
  round_limit: (rounds: number) => `The model was still calling tools after ${rounds} rounds`,
  length: () => 'The model ran out of tokens before it answered',
  limit: () => 'The run reached its limit before the model answered',
} satisfies Partial<Record<RunReason, (rounds: number) => string>>;

/** Rounds in a row without a new result after which the model is made to answer. */
const maxStalledRounds = 2;

export function createAgent(options: AgentOptions): Agent {
  const {
    model,
    policy = {},
    render = {},
    maxTokens = 1024,
    maxRounds = 8,
    limits = {},
    constrain = 'off',
    handBack = () => false,
    lane = '',
  } = options;
  const { answerTurn = 'with-schema', rounds: roundsMode = 'until-done' } = policy;
  const fitted = fitter(model);
  const toolsChanged = offerWatch(model);
  let messages: Message[] = [];
  let callCount = 0;
  reset(options.system);
  if (options.messages) {
    messages = [...options.messages];
    for (const message of messages) if ('toolCalls' in message) callCount += message.toolCalls?.length ?? 0;
  }

  function reset(system = options.system): void {
    messages = system === undefined ? [] : [{ role: 'system', content: system }];
  }

  async function* run(
    question: string,
    { signal, messages: given = [{ role: 'user', content: question }] }: RunOptions = {},
  ): AsyncGenerator<AgentEvent, RunResult> {
    const limit = runLimits(limits, signal, options.timeout);
    const rounds = toolRounds({ ...options, signal: limit.signal });
    const start = messages.length;
    let turns = 0;
    let stalled = 0;
    let nudged = false;
    /** What the last decision was taken from. */
    let decided: TurnPrompt | undefined;
    /** The next decision is one call of one of these tools. */
    let retake: readonly string[] | undefined;
    const results = () => messages.slice(start).filter(message => message.role === 'tool');

    const told = {
      answerTurn,
      rounds: roundsMode,
      ...(policy.furtherCalls ? { furtherCalls: true } : {}),
      ...(policy.reason === undefined ? {} : { reason: policy.reason }),
    };
    yield { type: 'run-start', question, policy: told };
    messages.push(...given);
    options.tools.choice?.prepare(question);
    const end = yield* settle();
    yield { type: 'run-end', ...end };
    return end;

    async function* settle(): AsyncGenerator<AgentEvent, RunResult> {
      try {
        const decided = yield* decide();
        return typeof decided === 'string' ? yield* answer(decided) : decided;
      } catch (error) {
        if (signal?.aborted) return aborted();
        if (limit.reached) return yield* ended();
        if (RawcallError.isInstance(error) && error.code === 'prompt_too_long' && turns > 1)
          return withoutWords('length');
        messages.length = start;
        throw error;
      }
    }

    /** Decision turns. Gives the run's result where one of them was the answer, else the reason that an answer turn starts with. */
    async function* decide(): AsyncGenerator<AgentEvent, RunResult | AnswerStart> {
      while (rounds.count < maxRounds && stalled < maxStalledRounds) {
        const turn = yield* writtenOut(yield* take('decision'));
        if (signal?.aborted) return aborted(turn.message);
        const { toolCalls } = turn.message;
        const ours = toolCalls?.filter(({ name }) => !handBack(name));
        const handsBack = ours?.length !== toolCalls?.length;
        if (limit.reached && !handsBack) return yield* ended(turn);
        if (ours === undefined) {
          if (yield* nudge(turn)) continue;
          return (yield* conclude(turn)) ?? 'answered';
        }
        messages.push(turn.message);
        const round = yield* rounds.run({ ...turn, message: { ...turn.message, toolCalls: ours } });
        messages.push(...round.messages);
        if (signal?.aborted) return aborted();
        if (handsBack) return finish('calls', turn.message.content);
        if (limit.reached) return yield* ended();
        if (round.sources.includes('repeat'))
          yield guard('repeated_call', 'A call was made again; it was answered from its first result.');
        stalled = round.fresh ? 0 : stalled + 1;
        if (stalled === maxStalledRounds)
          yield guard('call_loop', `${stalled} rounds of calls brought nothing new; the answer is due.`);
        if (repeatsOnly(round) && answerTurn !== 'with-schema') {
          // The round added nothing, and an answer turn would read its results as having come twice.
          messages.length -= 1 + round.messages.length;
          return 'answered';
        }
        if (roundsMode === 'once' && !round.prepares) return 'answered';
      }
      return rounds.count >= maxRounds ? 'round_limit' : 'answered';
    }

    /** A turn with all the calls that the model writes where it may write on. */
    async function* writtenOut(first: Turn): AsyncGenerator<AgentEvent, Turn> {
      let turn = first;
      while (policy.furtherCalls && isCallsOnly(turn) && turn.calls.length <= maxFurtherCalls) {
        const { completion } = turn.message;
        const prompt = completion && decided && model.behind?.(decided, [...completion, writtenOn]);
        if (!prompt || signal?.aborted || limit.reached) break;
        turns++;
        const own = limit.turn();
        const events = generated(prompt, 'decision', lane, own);
        const further = yield* furtherTurn(events, turn.calls, question, own.stop);
        if (!further) break;
        turn = joined(turn, further);
      }
      return turn;
    }

    /**
     * A turn that announces a call and makes none is asked for it, once. One that writes a call of a tool that isn't there is told
     * what is, or, where calls are held to the tools on offer, taken again and held to those that are called much the same.
     */
    async function* nudge(turn: TurnResult): AsyncGenerator<AgentEvent, boolean> {
      const { content } = turn.message;
      const { tools } = options.tools;
      if (nudged || rounds.count > 0) return false;
      const strange = strangeCall(content, tools);
      if (strange === undefined && !announcesCall(content, tools)) return false;
      nudged = true;
      if (strange === undefined) {
        yield guard('announced_call', 'The turn announced a call and made none; it was asked for it.');
        messages.push(turn.message, { role: 'user', content: callNow });
        return true;
      }
      const alike = constrain === 'off' ? [] : likeNamed(strange, tools);
      if (alike.length === 0) {
        yield guard(
          'unknown_call',
          `The turn wrote a call of ${strange}, which isn't there; it was told what is.`,
        );
        messages.push(turn.message, { role: 'user', content: noSuchTool(strange, tools) });
      } else {
        yield guard(
          'unknown_call',
          `The turn wrote a call of ${strange}, which isn't there; it is taken again.`,
        );
        retake = alike;
      }
      return true;
    }

    /** A decision turn without calls: it is the answer, unless the answer is to be written without the schemas. */
    async function* conclude(turn: TurnResult): AsyncGenerator<AgentEvent, RunResult | undefined> {
      if (answerTurn !== 'with-schema' && results().length > 0) return undefined;
      if (turn.message.content === '') {
        yield guard('empty_answer', emptyAnswer(turn.message));
        return turn.reason === 'length' ? withoutWords('length') : undefined;
      }
      messages.push(turn.message);
      return finish(reasonOf(turn), turn.message.content);
    }

    async function* answer(reason: AnswerStart): AsyncGenerator<AgentEvent, RunResult> {
      // With the schemas still in sight only a model that decides once is asked to answer; others had their chance.
      const withSchema = answerTurn === 'with-schema' && roundsMode === 'once' && reason === 'answered';
      for (const schema of withSchema ? [true, false] : [false]) {
        const turn = yield* take(schema ? 'answer-with-schema' : 'answer');
        if (signal?.aborted) return aborted(turn.message);
        if (limit.reached) return yield* ended(turn);
        const { content } = turn.message;
        const calls = !schema && isCall(content, options.tools.tools);
        if (content !== '' && !calls) {
          const { toolCalls: _dropped, ...message } = turn.message;
          messages.push(message);
          const ending = reasonOf(turn);
          return finish(ending === 'answered' ? reason : ending, content);
        }
        yield guard('empty_answer', calls ? callForAnswer : emptyAnswer(turn.message));
        if (!schema) return withoutWords(reason === 'answered' ? 'no_answer' : reason, turn);
      }
      return withoutWords('no_answer');
    }

    async function* take(
      kind: 'decision' | 'answer' | 'answer-with-schema',
    ): AsyncGenerator<AgentEvent, Turn> {
      turns++;
      const conversation = { messages, tools: options.tools.tools };
      const view = (kind === 'answer' ? answerView : decisionView)(conversation, policy, render);
      const purpose: TurnPurpose = kind === 'decision' ? 'decision' : 'answer';
      const fit = fitted(view);
      if (fit.leftOut > 0) yield { type: 'history-trimmed', messages: fit.leftOut };
      const change = kind === 'answer' ? undefined : toolsChanged(fit.prompt);
      if (change) yield { type: 'tools-changed', ...change };
      if (kind === 'decision') decided = fit.prompt;
      return yield* generated(
        fit.prompt,
        purpose,
        view.lane === 'decision' ? lane : `${lane}/answer`,
        limit.turn(),
      );
    }

    function generated(
      prompt: TurnPrompt,
      purpose: TurnPurpose,
      own: string,
      turn: LimitedTurn,
    ): AsyncGenerator<AgentEvent, Turn> {
      const events = model.turn(prompt, {
        purpose,
        maxTokens: turn.tokens(maxTokens),
        callTokens: turn.tokens(maxTokens),
        lane: own,
        callId: () => `call_${++callCount}`,
        signal: turn.signal,
        ...(options.tools.choice ? { unshown: options.tools.choice.all } : {}),
        ...held(),
        ...(options.sampling ? { sampling: options.sampling } : {}),
      });
      return watched(events, turn);
    }

    function held(): Pick<TurnOptions, 'constrain' | 'parallel' | 'only'> {
      const only = retake;
      retake = undefined;
      if (only) return { constrain: 'required', parallel: false, only };
      return { constrain: constrain === 'required' && turns > 1 ? 'calls' : constrain };
    }

    /** A limit of the run was reached: what the turn wrote is kept, and no further turn is taken. */
    async function* ended(turn?: TurnResult): AsyncGenerator<AgentEvent, RunResult> {
      yield guard('limit', limit.reached ?? '');
      const content = turn?.message.content ?? '';
      if (content === '') return withoutWords('limit');
      messages.push({ role: 'assistant', content });
      return finish('limit', content);
    }

    function reasonOf(turn: Turn): RunReason {
      if (turn.repeats) return 'repetition';
      return turn.reason === 'length' ? 'length' : 'answered';
    }

    function finish(reason: RunReason, words: string): RunResult {
      const { toolRuns, repeats, unasked } = rounds;
      return { reason, answer: words, turns, toolRuns, repeats, unasked };
    }

    /** The results themselves stand in for an answer that never came. */
    function withoutWords(reason: keyof typeof why, turn?: TurnResult): RunResult {
      const first = results().filter(result => !result.content.endsWith(madeBefore));
      const shown = first.map(result => `${result.name}: ${result.content}`);
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
      if (messages.length === start + given.length) messages.length = start;
      return finish('aborted', partial?.content ?? '');
    }
  }

  return {
    get messages() {
      return messages;
    },
    run,
    bill() {
      const next: Message = { role: 'user', content: '' };
      const conversation = { messages: [...messages, next], tools: options.tools.tools };
      const view = decisionView(conversation, policy, render);
      return model.render(view.conversation, view.render).size?.bill();
    },
    reset,
  };
}

function guard(name: Guard, message: string): AgentEvent {
  return { type: 'guard', guard: name, message };
}

function emptyAnswer({ reasoning }: AssistantMessage): string {
  return reasoning === undefined ? 'The turn wrote nothing.' : 'The turn thought and said nothing.';
}

function repeatsOnly(round: Round): boolean {
  return round.messages.length > 0 && round.sources.every(source => source === 'repeat');
}
