/** A question with everything that is known of it beforehand: which calls are right, what they give, and what an answer has to hold. */
import type { JsonObject, JsonValue, ToolDefinition } from '../../parsers/parser.ts';
import type { ToolSource } from '../../src/tools.ts';

export interface Step {
  readonly name: string;
  readonly arguments: JsonObject;
  /** What the tool gives; an error where it begins with `Error: `. */
  readonly result: string;
}

export interface Question {
  readonly id: string;
  /** What sort of question it is, to see which sort fails. */
  readonly kind: string;
  readonly text: string;
  readonly tools: readonly ToolDefinition[];
  /** Of each round of calls; no round where no tool is needed. */
  readonly rounds: readonly (readonly Step[])[];
  /** Texts that an answer holds where it holds the results. */
  readonly facts: readonly string[];
}

export type Call = Pick<Step, 'name' | 'arguments'>;

/** Same name and same arguments, whatever the order of the keys and the case of the texts. */
export function sameCall(left: Call, right: Call): boolean {
  return left.name === right.name && plain(left.arguments) === plain(right.arguments);
}

function plain(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(plain).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).toLowerCase();
  const keys = Object.keys(value).sort();
  return `{${keys.map(key => `${JSON.stringify(key)}:${plain(value[key] ?? null)}`).join(',')}}`;
}

/** Tools that know the question's own calls and refuse all others. */
export function stubTools({ tools, rounds }: Question): ToolSource {
  return {
    tools,
    async call(name, args) {
      const step = rounds.flat().find(one => sameCall(one, { name, arguments: args }));
      const content = step?.result ?? 'Error: Nothing was found for these arguments.';
      return { content, isError: content.startsWith('Error: ') };
    },
  };
}

/** Whether an answer says what the results do, in words: JSON that was copied is no answer. */
export function holds({ facts }: Question, answer: string): boolean {
  const text = answer.trim().toLowerCase();
  return !/^(?:[{[]|```)/.test(text) && facts.every(fact => text.includes(fact.toLowerCase()));
}
