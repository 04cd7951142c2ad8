/** A tool's structured output: whether it is what its schema says, and whether the text says it already. */
import { createContext, Script } from 'node:vm';
import type { JsonSchema } from '../../parsers/parser.ts';
import { faultOf, invalidValue } from '../../parsers/validate.ts';
import { isFields } from '../../templates/check.ts';

const words = { whole: 'the structured content', key: 'in the schema' };

/** Says of each result of a tool what breaks the schema; that the schema itself can't be used it says once. */
export function outputCheck(schema: JsonSchema | undefined): (structured: unknown) => readonly string[] {
  if (schema === undefined) return () => [];
  // A pattern that backtracks without end, with a text made for it, would stop the whole host.
  const mayHang = JSON.stringify(schema).includes('"pattern');
  let told = false;

  function problem(value: unknown): string | undefined {
    try {
      const check = () => invalidValue(schema, value, words);
      const breach = mayHang ? withinTime(check) : check();
      return breach && `The structured content breaks the output schema: ${breach}.`;
    } catch {
      return 'The structured content was not checked: the patterns of the output schema take too long.';
    }
  }

  return structured => {
    const fault = faultOf(schema);
    if (fault !== undefined) {
      const unusable = `The output schema cannot be used (${fault}); results are not checked.`;
      const first = !told;
      told = true;
      return first ? [unusable] : [];
    }
    if (structured === undefined) return ['The tool has an output schema and gave no structured content.'];
    return [problem(structured)].filter(one => one !== undefined);
  };
}

const timeLimit = 500;
const runner = new Script('work()');

/** @throws where the work takes longer than half a second; a regular expression is stopped in its midst */
function withinTime<Result>(work: () => Result): Result {
  return runner.runInContext(createContext({ work }), { timeout: timeLimit }) as Result;
}

/** Characters that are searched, at most; what then is still unknown counts as said. */
const searchLimit = 100_000_000;

/** True where the text holds every value of the structured content, in whatever form: it need not be told twice. */
export function saysAll(text: string, structured: unknown): boolean {
  if (sameJson(text, structured)) return true;
  let searched = 0;
  for (const value of leaves(structured)) {
    if (searched > searchLimit) return true;
    searched += text.length;
    if (!holds(text, value)) return false;
  }
  return true;
}

function sameJson(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

/** Deep structures are walked without recursion: a server may send them as deep as it likes. */
function* leaves(root: unknown): Generator<unknown> {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value) || isFields(value))
      for (const inner of Object.values(value)) waiting.push(inner);
    else yield value;
  }
}

function holds(text: string, value: unknown): boolean {
  if (typeof value === 'string')
    return text.includes(value.trim()) || text.includes(JSON.stringify(value).slice(1, -1));
  const word = String(value);
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    // 5 is not said by 152 or 0.5.
    if (!/[\w.-]/.test(text[at - 1] ?? '') && !/^(\w|\.\d)/.test(text.slice(at + word.length))) return true;
  return false;
}
