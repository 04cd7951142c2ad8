/** The policies that are compared, by a short name each: `ANSWER-TURN[/once][+CONSTRAIN][+SCHEMA-FORM]`. */
import { answerTurns, type TurnPolicy } from '../../src/agent/policy.ts';
import { type Constrain, constraints } from '../../src/model/constrain.ts';
import { schemaForms } from '../../templates/schema-forms.ts';
import type { SchemaForm } from '../../templates/template.ts';

export interface Contender {
  readonly name: string;
  readonly policy: TurnPolicy;
  readonly constrain: Constrain;
  readonly schemaForm: SchemaForm;
}

export const usualPolicies = [
  ...answerTurns.flatMap(answerTurn => [answerTurn, `${answerTurn}/once`]),
  'with-schema+calls',
  'without-schema/once+calls',
  'with-schema+signature',
];

export function contender(name: string): Contender {
  const [turns = '', ...marks] = name.split('+');
  const [answer, ...rest] = turns.split('/');
  const answerTurn = answerTurns.find(one => one === answer);
  const unknown = marks.find(mark => ![...constraints, ...schemaForms].some(one => one === mark));
  const once = rest.length === 1 && rest[0] === 'once';
  if (!answerTurn || unknown !== undefined || (rest.length > 0 && !once))
    throw new Error(
      `"${name}" is no policy. Write ${answerTurns.join(', ')}, then /once, +calls, +signature.`,
    );
  return {
    name,
    policy: { answerTurn, rounds: once ? 'once' : 'until-done' },
    constrain: constraints.find(one => marks.includes(one)) ?? 'off',
    schemaForm: schemaForms.find(one => marks.includes(one)) ?? 'native',
  };
}
