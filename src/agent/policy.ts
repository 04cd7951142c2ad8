/**
 * What each turn gets to see. A decision turn sees the tools' schemas; what the answer turn sees is a policy, because a small
 * model calls again instead of answering where it sees the schemas or its own call (docs/small-models.md).
 *
 * | answerTurn          | the answer is written from                                                     | prompts    |
 * | ------------------- | ------------------------------------------------------------------------------ | ---------- |
 * | `with-schema`       | the decision turn's own prompt: the turn that makes no call is the answer      | one lane   |
 * | `without-schema`    | the same dialogue without the schemas                                          | two lanes  |
 * | `question-and-data` | one user turn with the question and the results; neither schemas nor calls     | two lanes  |
 *
 * | rounds              | after the results of a round of calls                                          |
 * | ------------------- | ------------------------------------------------------------------------------ |
 * | `until-done`        | the model decides again, until it makes no call                                |
 * | `once`              | the answer is written                                                          |
 *
 * | decisionHistory     | of earlier questions, a decision turn sees                                     |
 * | ------------------- | ------------------------------------------------------------------------------ |
 * | `full`              | everything                                                                     |
 * | `calls-only`        | everything but the results, which are most of the tokens                       |
 *
 * Each lane of prompts is only ever added to, so that no prompt token is evaluated twice: the exceptions are `question-and-data`,
 * whose short prompts have little in common, and `calls-only` with `until-done`, which takes results back once they were used.
 */

import type { Conversation, Message, RenderOptions, SchemaPlacement } from '../../templates/template.ts';
import { callNow } from './guards.ts';

/** How the turns of a run go. */
export interface RunPolicy {
  readonly answerTurn: AnswerTurn;
  readonly rounds: Rounds;
  /** A decision turn that ends with a call is had to write on, for further calls (further-calls.ts). Default: it ends. */
  readonly furtherCalls?: boolean;
  /** For people: why it is this one, where it was not asked for (`autoPolicy`). */
  readonly reason?: string;
}

export interface TurnPolicy extends Partial<RunPolicy> {
  /** Where a decision turn's schemas stand. Default: where the model's own template puts them. */
  readonly schema?: Exclude<SchemaPlacement, 'none'>;
  /** Default `with-schema`. */
  readonly answerTurn?: AnswerTurn;
  /** Default `until-done`. */
  readonly rounds?: Rounds;
  /** Default `full`. */
  readonly decisionHistory?: DecisionHistory;
}

export const answerTurns = ['with-schema', 'without-schema', 'question-and-data'] as const;
export type AnswerTurn = (typeof answerTurns)[number];
export const roundsModes = ['until-done', 'once'] as const;
export type Rounds = (typeof roundsModes)[number];
export const decisionHistories = ['full', 'calls-only'] as const;
export type DecisionHistory = (typeof decisionHistories)[number];

/** What a turn is rendered from. */
export interface TurnView {
  readonly conversation: Conversation;
  readonly render: RenderOptions;
  /** Which of the dialogue's prompts this one continues. */
  readonly lane: 'decision' | 'answer';
}

export function decisionView(
  { messages, tools }: Conversation,
  { schema = 'native', decisionHistory = 'full' }: TurnPolicy,
  render: RenderOptions,
): TurnView {
  const seen = decisionHistory === 'full' ? messages : withoutOldResults(messages);
  return { conversation: { messages: seen, tools }, render: { ...render, schema }, lane: 'decision' };
}

/** The answer of an `answerTurn` without the schemas. `with-schema` gives `without-schema`: the model only called where it should have answered. */
export function answerView(
  { messages }: Conversation,
  { answerTurn }: TurnPolicy,
  render: RenderOptions,
): TurnView {
  const seen = answerTurn === 'question-and-data' ? questionAndData(messages) : messages;
  return {
    conversation: { messages: seen, tools: [] },
    render: { ...render, schema: 'none' },
    lane: 'answer',
  };
}

function withoutOldResults(messages: readonly Message[]): Message[] {
  const question = messages.findLastIndex(message => message.role === 'user');
  return messages.map((message, index) =>
    message.role === 'tool' && index < question ? { ...message, content: '(left out)' } : message,
  );
}

const instruction = 'Answer the question in one or two short sentences, using only the data given.';

function questionAndData(messages: readonly Message[]): Message[] {
  const start = messages.findLastIndex(
    // What the loop asked for in between is no question of the user's.
    ({ role, content }) => role === 'user' && !content.endsWith(callNow),
  );
  const question = messages[start]?.content ?? '';
  const data = messages
    .slice(start + 1)
    .flatMap(message => (message.role === 'tool' ? [message.content] : []));
  const system = messages[0]?.role === 'system' ? `${messages[0].content}\n\n${instruction}` : instruction;
  return [
    { role: 'system', content: system },
    { role: 'user', content: `Question: ${question}\nData: ${data.join('\n')}` },
  ];
}
