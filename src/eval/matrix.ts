/** Every combination of models, formats, policies and the rest, each under a name of its own. */
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';
import { schemaForms } from '../../templates/schema-forms.ts';
import type { SchemaForm } from '../../templates/template.ts';
import { auto } from '../agent/auto-policy.ts';
import { type AnswerTurn, answerTurns, type Rounds } from '../agent/policy.ts';
import { type Constrain, constraints } from '../model/constrain.ts';
import { nearest } from '../nearest.ts';
import type { Variant } from './results.ts';
import type { MatrixLists, ModelEntry } from './task.ts';

/** A variant with what it says, read. */
export interface MatrixVariant extends Variant {
  readonly entry: ModelEntry;
  readonly turns: { readonly answerTurn: AnswerTurn | typeof auto; readonly rounds: Rounds | typeof auto };
  readonly constrain: Constrain;
  readonly schemaForm: SchemaForm;
}

/** @throws RawcallError `bad_matrix` */
export function matrixOf(lists: MatrixLists & { readonly models: readonly ModelEntry[] }): MatrixVariant[] {
  const {
    models,
    formats = [auto],
    policies = [auto],
    constrain = ['off'],
    schemaForms: forms = ['native'],
  } = lists;
  const held = constrain.map(name => known('constraint', name, constraints));
  const written = forms.map(name => known('schema form', name, schemaForms));
  const turns = policies.map(name => ({ policy: name, turns: policyOf(name) }));
  const names = modelNames(models);
  const variants = models.flatMap((entry, at) => {
    // An endpoint that writes its own prompts and reads its own completions has nothing of these to vary.
    const foreign = 'endpoints' in entry && entry.api === 'chat';
    return (foreign ? ['chat'] : formats).flatMap(format =>
      turns.flatMap(one =>
        (foreign ? (['off'] as const) : held).flatMap(constrain =>
          (foreign ? (['native'] as const) : written).map((schemaForm): MatrixVariant => {
            const model = names[at] ?? '';
            const id = [model, formatName(format), one.policy, constrain, schemaForm].join(':');
            return { id, model, format, ...one, constrain, schemaForm, entry };
          }),
        ),
      ),
    );
  });
  return [...new Map(variants.map(variant => [variant.id, variant])).values()];
}

/** `auto`, or `ANSWER-TURN[/once]`, as docs/small-models.md names them. */
function policyOf(name: string): MatrixVariant['turns'] {
  if (name === auto) return { answerTurn: auto, rounds: auto };
  const [answer = '', rounds, ...more] = name.split('/');
  if (more.length > 0 || (rounds !== undefined && rounds !== 'once'))
    throw refusal('policy', name, [auto, ...answerTurns.flatMap(one => [one, `${one}/once`])]);
  return {
    answerTurn: known('policy', answer, answerTurns),
    rounds: rounds === undefined ? 'until-done' : 'once',
  };
}

function known<Name extends string>(what: string, name: string, names: readonly Name[]): Name {
  const found = names.find(one => one === name);
  if (found !== undefined) return found;
  throw refusal(what, name, names);
}

function refusal(what: string, name: string, names: readonly string[]): RawcallError {
  const meant = nearest(name, names);
  const hint = meant === undefined ? '' : ` Is it ${meant}?`;
  return new RawcallError(
    'bad_matrix',
    `There is no ${what} "${name}".${hint} There are: ${names.join(', ')}.`,
    {
      name,
    },
  );
}

/** A format may be the path of a module. */
const formatName = (format: string) => (/[\\/]/.test(format) ? path.parse(format).name : format);

/** Two files of one name are told apart by a number. */
function modelNames(models: readonly ModelEntry[]): string[] {
  const taken = new Set<string>();
  return models.map(entry => {
    const name =
      'path' in entry
        ? path.basename(entry.path).replace(/\.gguf$/i, '')
        : (entry.name ?? entry.endpoints[0]?.replace(/^https?:\/\//, '').replace(/\/.*$/, '') ?? 'endpoint');
    const plain = name.replace(/[\s:]+/g, '-');
    let unique = plain;
    for (let count = 2; taken.has(unique); count++) unique = `${plain}_${count}`;
    taken.add(unique);
    return unique;
  });
}
