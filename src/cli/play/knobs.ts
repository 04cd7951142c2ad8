/** The settings that the playground turns, by the names that they have everywhere, and checked as flags are. */
import { isFields } from '../../../templates/check.ts';
import type { KnobSetting, Knobs } from '../../playground/protocol.ts';
import { badRequest } from '../../server/api-error.ts';
import { practiceModel } from '../package.ts';
import { flagOf, problemOf, type Setting, settings, type Values } from '../settings.ts';

/** In the order in which the page shows them. */
const names = [
  ...(['model', 'format', 'system', 'thinking', 'schema', 'schemaForm', 'toolSchemas'] as const),
  ...(['answerTurn', 'rounds', 'decisionHistory', 'constrain', 'maxRounds'] as const),
  ...(['temperature', 'topK', 'topP', 'minP', 'repeatPenalty', 'seed', 'maxTokens'] as const),
] satisfies readonly KnobSetting['name'][];

export const knobSettings: readonly KnobSetting[] = names.map(name => {
  const setting: Setting = settings[name];
  const shared = { name, flag: flagOf(name), help: setting.help };
  if (name === 'model' || name === 'format') return { ...shared, kind: name };
  switch (setting.kind) {
    case 'choice':
      return { ...shared, kind: 'choice', choices: setting.choices };
    case 'number': {
      const { minimum, maximum, whole } = setting;
      return {
        ...shared,
        kind: 'number',
        minimum,
        ...(maximum === undefined ? {} : { maximum }),
        ...(whole ? { whole } : {}),
      };
    }
    case 'boolean':
      return { ...shared, kind: 'boolean' };
    default:
      return { ...shared, kind: 'text' };
  }
});

/** What of the flags and the config file is a knob. */
export function defaultKnobs(values: Values): Knobs {
  return Object.fromEntries(
    names.filter(name => values[name] !== undefined).map(name => [name, values[name]]),
  );
}

/** @throws RawcallError `api_error` (400), which names the knob */
export function checkKnobs(given: unknown): Knobs {
  if (!isFields(given)) badRequest('"knobs" must be an object.', 'knobs');
  for (const [name, value] of Object.entries(given)) {
    const problem = name === 'toolsOff' ? namesProblem(value) : knobProblem(name, value);
    if (problem !== undefined) badRequest(`"knobs.${name}" ${problem}.`, `knobs.${name}`);
  }
  return given as Knobs;
}

function namesProblem(value: unknown): string | undefined {
  const isList = Array.isArray(value) && value.every(one => typeof one === 'string');
  return isList ? undefined : 'must be a list of names of tools';
}

function knobProblem(given: string, value: unknown): string | undefined {
  const name = names.find(one => one === given);
  if (!name) return `is no knob: there are ${names.join(', ')} and toolsOff`;
  return problemOf(settings[name], value);
}

/** The settings of a question: its knobs, and where it has none what the program was started with. */
export function valuesWith(values: Values, { toolsOff: _, model, ...knobs }: Knobs): Values {
  if (model === undefined || model === modelOf(values)) return { ...values, ...knobs };
  // What was said of the model of the start, or of the endpoint in its place, holds for no other one.
  const { format, chatTemplate, lora, endpoint, api, endpointModel, endpointKey, untrusted, ...others } =
    values;
  return { ...others, ...knobs, model };
}

/** What a model is called, in `Knobs.model` too. */
export function modelOf({ endpoint, model = practiceModel }: Values): string {
  return endpoint?.[0] ?? model;
}
