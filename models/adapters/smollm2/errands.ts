/** Tools that nobody has, questions for them, and what their calls give. */
import type { JsonSchema, JsonValue, ToolDefinition } from '../../../parsers/parser.ts';
import { hash, type Random } from '../../practice/random.ts';
import { type Domain, domains } from './domains.ts';
import { type Frame, filled, frameOf } from './frames.ts';
import { kinds, type Parameter, parameterOf } from './parameters.ts';
import * as say from './phrases.ts';
import { capital, type Share, type Words } from './values.ts';

export interface MadeTool {
  readonly definition: ToolDefinition;
  readonly verb: string;
  readonly noun: string;
  readonly reads: boolean;
  readonly parameters: readonly Parameter[];
  readonly frame?: Frame;
}

/** One call that is wanted, and how the question says each of its values. */
export interface Errand {
  readonly tool: MadeTool;
  readonly args: Readonly<Record<string, JsonValue>>;
  readonly said: Readonly<Record<string, string>>;
}

const heldOut = (word: string) => hash(word) % 8 === 0;

/** An eighth of the nouns belong to evaluation; names of tools hold a noun. */
function nounsOf({ nouns }: Domain, share: Share): readonly string[] {
  return nouns.filter(noun => heldOut(noun) === (share === 'evaluation'));
}

export function makeTools(random: Random, share: Share, count: number): MadeTool[] {
  const tools: MadeTool[] = [];
  const style = random.next();
  // Tools of one domain are harder to tell apart.
  const [first, second] = random.sample(domains, 2) as [Domain, Domain];
  while (tools.length < count) {
    const tool = random.chance(0.3)
      ? framedTool(random, share, style)
      : makeTool(
          random,
          share,
          random.chance(0.7) ? first : random.chance(0.5) ? second : random.pick(domains),
          style,
        );
    if (!tools.some(one => one.definition.name === tool.definition.name)) tools.push(tool);
  }
  return tools;
}

function makeTool(random: Random, share: Share, domain: Domain, style: number): MadeTool {
  const reads = domain.acts.length === 0 || random.chance(0.6);
  const verb = random.pick(reads ? domain.reads : domain.acts);
  const noun = random.pick(nounsOf(domain, share));
  const wanted = random.pick([0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 5]);
  const parameters: Parameter[] = [];
  const taken = new Set<string>();
  for (const kindName of random.sample(domain.parameters, wanted)) {
    const made = parameterOf(random, kinds[kindName], taken);
    if (made === undefined || parameters.some(one => one.kind === made.kind)) continue;
    taken.add(made.key);
    parameters.push(made);
  }
  const ordered = parameters.map((one, index) => ({
    ...one,
    required: index === 0 ? random.chance(0.93) : random.chance(0.6),
  }));
  ordered.sort((left, right) => Number(right.required) - Number(left.required));
  return {
    definition: definitionOf(random, { verb, noun, parameters: ordered, style }),
    verb,
    noun,
    reads,
    parameters: ordered,
  };
}

/** Under a name in the style of the others. */
function framedTool(random: Random, share: Share, style: number): MadeTool {
  const frame = frameOf(random, share);
  const [verb = '', ...rest] = frame.name.split('_');
  const noun = rest.join(' ') || verb;
  const { parameters, description } = frame;
  const name = random.chance(0.6) ? frame.name : nameOf(random, verb, noun, style);
  const definition = { name, description, inputSchema: schemaOf(random, parameters) };
  return { definition, verb, noun, reads: frame.questions.length > 0, parameters, frame };
}

function definitionOf(
  random: Random,
  { verb, noun, parameters, style }: Pick<MadeTool, 'verb' | 'noun' | 'parameters'> & { style: number },
): ToolDefinition {
  const keys =
    parameters
      .map(one => words(one.key))
      .join(', ')
      .replace(/, ([^,]*)$/, ' and $1') || 'name';
  const does = verb.replace(/^\w+/, third);
  const description = fill(random.pick(say.descriptions), {
    does,
    Does: capital(does),
    do: verb,
    Do: capital(verb),
    noun,
    keys,
  });
  return { name: nameOf(random, verb, noun, style), description, inputSchema: schemaOf(random, parameters) };
}

function schemaOf(random: Random, parameters: readonly Parameter[]): JsonSchema {
  const described = random.chance(0.95);
  const properties = parameters.map(({ key, kind, about }) => [
    key,
    { ...kind.schema, ...(described ? { description: about } : {}) },
  ]);
  const required = parameters.filter(one => one.required).map(one => one.key);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(parameters.length > 0 || random.chance(0.5) ? { required } : {}),
  };
}

const third = (verb: string) =>
  /(?:s|sh|ch|x|o)$/.test(verb)
    ? `${verb}es`
    : /[^aeou]y$/.test(verb)
      ? `${verb.slice(0, -1)}ies`
      : `${verb}s`;
export const words = (key: string) => key.replaceAll('_', ' ');
export const fill = (phrase: string, parts: Readonly<Record<string, string>>) =>
  phrase.replace(/\{(\w+)\}/g, (_, key: string) => parts[key] ?? '');

function nameOf(random: Random, verb: string, noun: string, style: number): string {
  const parts = `${verb} ${noun}`
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const nounFirst = [...noun.toLowerCase().split(/[^a-z0-9]+/), ...verb.toLowerCase().split(/[^a-z0-9]+/)];
  if (style < 0.62) return parts.join('_');
  if (style < 0.75) return parts.map((part, index) => (index === 0 ? part : capital(part))).join('');
  if (style < 0.83) return nounFirst.join('_');
  if (style < 0.88) return parts.map(capital).join('');
  if (style < 0.94)
    return `${random.pick(['api', 'tools', 'my', 'service', 'math', 'home'])}_${parts.join('_')}`;
  return noun.toLowerCase().replace(/[^a-z0-9]+/g, '_');
}

/** Values for what the tool needs and some of what it may be given. */
export function errandFor(random: Random, from: Words, tool: MadeTool): Errand {
  const args: Record<string, JsonValue> = {};
  const said: Record<string, string> = {};
  for (const { key, kind, required } of tool.parameters) {
    if (!required && random.chance(0.55)) continue;
    const made = kind.make(random, from);
    args[key] = made.value;
    said[key] = made.said;
  }
  return { tool, args, said };
}

/** What stands behind the noun: the values, each behind what brings it in. */
function tailOf(random: Random, { tool, said }: Errand): string {
  const given = tool.parameters.filter(({ key }) => said[key] !== undefined);
  if (given.length > 1 && random.chance(0.07))
    return `: ${given.map(({ key }) => `${words(key)}: ${said[key]}`).join(', ')}`;
  const phrases = given.map(({ key, kind }) =>
    fill((random.chance(0.12) ? 'with {key} {}' : random.pick(kind.phrases)).replace('{}', '{value}'), {
      key: words(key),
      value: said[key] ?? '',
    }),
  );
  // The first is what the errand is about; the others come in any order.
  const [head, ...rest] = phrases;
  return head === undefined
    ? ''
    : ` ${[head, ...random.sample(rest, rest.length)].join(random.pick([' ', ' ', ' ', ', ']))}`;
}

const article = (random: Random, noun: string, reads: boolean) => {
  if (/s$/.test(noun)) return random.chance(0.7) ? 'the ' : '';
  if (reads) return random.chance(0.85) ? 'the ' : 'a ';
  return random.pick(['the ', 'a ', 'a ', '']).replace(/^a $/, /^[aeiou]/i.test(noun) ? 'an ' : 'a ');
};

/** "book a table for 4 people" */
export function imperative(random: Random, errand: Errand): string {
  const { tool, said } = errand;
  const order = tool.frame && fitting(random, tool.frame.orders, said);
  return (
    order ?? `${tool.verb} ${article(random, tool.noun, tool.reads)}${tool.noun}${tailOf(random, errand)}`
  );
}

function fitting(random: Random, texts: readonly string[], said: Errand['said']): string | undefined {
  const all = texts.map(text => filled(text, said)).filter(text => text !== undefined);
  return all.length === 0 ? undefined : random.pick(all);
}

export function question(random: Random, from: Words, errand: Errand): string {
  const asked = asking(random, errand);
  if (random.chance(0.85)) return asked;
  const preamble = fill(random.pick(say.preambles), { thing: from.invented(random) });
  return random.chance(0.8) ? `${preamble} ${asked}` : `${asked} ${preamble}`;
}

function asking(random: Random, errand: Errand): string {
  const { tool, said } = errand;
  if (tool.reads && random.chance(tool.frame ? 0.6 : 0.4)) {
    const direct = tool.frame && fitting(random, tool.frame.questions, said);
    if (direct !== undefined)
      return random.chance(0.85)
        ? direct
        : direct.toLowerCase() === direct
          ? direct
          : direct.charAt(0).toLowerCase() + direct.slice(1);
    const tail = tailOf(random, errand);
    if (!tool.frame && !tail.startsWith(':'))
      return fill(random.pick(say.questions), { what: `${tool.noun}${tail}` });
  }
  const order = imperative(random, errand);
  return ended(fill(random.pick(say.asks), { do: order, Do: capital(order) }));
}

/** A full stop that belongs to a value is not doubled. */
const ended = (text: string) => text.replace(/([.!?])(["']?)\.$/, '$1$2');

export { ended };
