/**
 * `auto`: the policy for a model of a size, as docs/small-models.md measured it.
 *
 * | parameters  | answerTurn          | rounds       | because                                                                  |
 * | ----------- | ------------------- | ------------ | ------------------------------------------------------------------------ |
 * | under 30 M  | `with-schema`       | `until-done` | it knows the dialogues it was trained on and no others                   |
 * | under 1 B   | `question-and-data` | `once`       | it calls again wherever it sees its call, and further rounds are repeats; |
 * |             |                     |              | it ends a turn with its first call, and is had to write on (`furtherCalls`) |
 * | 1 B or more | `with-schema`       | `until-done` | nothing is evaluated twice, and several rounds can be made               |
 * | not known   | `with-schema`       | `until-done` | it is on a machine elsewhere, which is there for larger ones             |
 */
import type { AnswerTurn, Rounds, RunPolicy } from './policy.ts';

const trainedForThis = 30e6;
const small = 1e9;

export const auto = 'auto';

export interface PolicyChoice {
  readonly answerTurn?: AnswerTurn | typeof auto;
  readonly rounds?: Rounds | typeof auto;
}

/** What was chosen is kept, and the rest is by the model's size. `reason` is there where the size decided something. */
export function autoPolicy(
  { parameters }: { readonly parameters?: number },
  chosen: PolicyChoice = {},
): RunPolicy {
  const bySize = policyOf(parameters);
  const { answerTurn = auto, rounds = auto } = chosen;
  const answer = answerTurn === auto ? bySize.answerTurn : answerTurn;
  // With the schemas in sight the turn after a round of calls may decide again in any case, whatever the size.
  const open = answer !== 'with-schema' && rounds === auto;
  const usual = open ? bySize.rounds : 'until-done';
  return {
    answerTurn: answer,
    rounds: rounds === auto ? usual : rounds,
    ...(rounds === auto && bySize.furtherCalls ? { furtherCalls: true } : {}),
    ...(answerTurn === auto || open ? { reason: bySize.reason } : {}),
  };
}

function policyOf(parameters: number | undefined): RunPolicy {
  if (parameters === undefined)
    return {
      answerTurn: 'with-schema',
      rounds: 'until-done',
      reason:
        'how large the model is is not known; it is taken for one that answers with the schemas in sight',
    };
  const size = `the model has ${inWords(parameters)} parameters`;
  if (parameters < trainedForThis)
    return {
      answerTurn: 'with-schema',
      rounds: 'until-done',
      reason: `${size}; one so small answers as it was trained to`,
    };
  if (parameters < small)
    return {
      answerTurn: 'question-and-data',
      rounds: 'once',
      furtherCalls: true,
      reason: `${size}; under 1 billion they call again where they see schemas or their call`,
    };
  return {
    answerTurn: 'with-schema',
    rounds: 'until-done',
    reason: `${size}; from 1 billion on they answer with the schemas in sight, which costs least`,
  };
}

function inWords(parameters: number): string {
  const [unit, name] = parameters < 1e9 ? ([1e6, 'million'] as const) : ([1e9, 'billion'] as const);
  return `${Number((parameters / unit).toPrecision(2))} ${name}`;
}
