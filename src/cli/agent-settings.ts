/** How the settings have a dialogue led: by the chat, and by the playground with the settings of each question. */
import type { AgentOptions } from '../agent/agent.ts';
import { autoPolicy } from '../agent/auto-policy.ts';
import type { TurnPolicy } from '../agent/policy.ts';
import type { Sampling } from '../engine/engine.ts';
import { dateText } from './clock.ts';
import type { DialogueModel } from './dialogue-model.ts';
import { samplingOf } from './sampling.ts';
import type { Values } from './settings.ts';

export interface AgentSettings
  extends Pick<AgentOptions, 'constrain' | 'system' | 'maxTokens' | 'maxRounds' | 'limits'> {
  readonly policy: TurnPolicy;
  readonly render: NonNullable<AgentOptions['render']>;
  readonly sampling: Sampling;
}

/** @param now fixed for a dialogue: a prompt that changes at midnight would be evaluated anew */
export function agentSettings(
  values: Values,
  dialogue: Pick<DialogueModel, 'parameters'>,
  now: Date,
): AgentSettings {
  const { schema, schemaForm, answerTurn, rounds, decisionHistory, constrain, system, thinking } = values;
  const { maxTokens, maxRounds, maxSeconds } = values;
  return {
    policy: {
      ...(schema ? { schema } : {}),
      ...autoPolicy(dialogue, { ...(answerTurn ? { answerTurn } : {}), ...(rounds ? { rounds } : {}) }),
      ...(decisionHistory ? { decisionHistory } : {}),
    },
    render: {
      date: dateText(now),
      ...(schemaForm ? { schemaForm } : {}),
      ...(thinking === undefined ? {} : { thinking }),
    },
    sampling: samplingOf(values),
    ...(constrain ? { constrain } : {}),
    ...(system === undefined ? {} : { system }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxRounds === undefined ? {} : { maxRounds }),
    ...(maxSeconds === undefined ? {} : { limits: { runSeconds: maxSeconds } }),
  };
}
