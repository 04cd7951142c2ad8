/**
 * What each turn gets to see. A decision turn sees the tools' schemas; what the answer turn sees is a policy, because a small
 * model that still has the schemas before it calls again instead of answering.
 *
 * | answerTurn          | the answer is written from                                                     |
 * | ------------------- | ------------------------------------------------------------------------------ |
 * | `with-schema`       | the decision turn's own prompt: the turn that makes no call is the answer      |
 * | `without-schema`    | the same dialogue without the schemas                                          |
 * | `question-and-data` | one user turn with the question and the results; neither schemas nor calls     |
 */
import type { Conversation, Message, RenderOptions, SchemaPlacement } from '../../templates/template.ts';

export interface TurnPolicy {
  /** Where a decision turn's schemas stand. Default: where the model's own template puts them. */
  readonly schema?: Exclude<SchemaPlacement, 'none'>;
  /** Default `with-schema`, the only one that evaluates no token twice. */
  readonly answerTurn?: AnswerTurn;
}

export const answerTurns = ['with-schema', 'without-schema', 'question-and-data'] as const;
export type AnswerTurn = (typeof answerTurns)[number];

/** What a turn is rendered from. */
export interface TurnView {
  readonly conversation: Conversation;
  readonly render: RenderOptions;
}

export function decisionView(
  conversation: Conversation,
  policy: TurnPolicy,
  render: RenderOptions,
): TurnView {
  return { conversation, render: { ...render, schema: policy.schema ?? 'native' } };
}

/** `answerTurn` is never `with-schema` here: such an answer is a decision turn without calls. */
export function answerView(
  conversation: Conversation,
  answerTurn: Exclude<AnswerTurn, 'with-schema'>,
  render: RenderOptions,
): TurnView {
  const { messages } = conversation;
  const view = answerTurn === 'without-schema' ? messages : questionAndData(messages);
  return { conversation: { messages: view, tools: [] }, render: { ...render, schema: 'none' } };
}

const instruction = 'Answer the question in one or two short sentences, using only the data given.';

function questionAndData(messages: readonly Message[]): Message[] {
  const start = messages.findLastIndex(message => message.role === 'user');
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
