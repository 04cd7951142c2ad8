/** GBNF of JSON that fits a schema: for a reply that must be data. */
import { RawcallError } from '../error.ts';
import type { JsonSchema } from '../parser.ts';
import type { Expression } from './expression.ts';
import { json } from './json.ts';
import { matches, print, productiveRules } from './print.ts';
import { openSchema } from './schema.ts';
import { createCompiler } from './value.ts';

export interface ValueGrammar {
  readonly gbnf: string;
  /** What the schema says and the grammar does not. */
  readonly relaxed: readonly RelaxedValue[];
}

export interface RelaxedValue {
  /** JSON pointer to the schema that has the keyword. */
  readonly path: string;
  readonly keyword: string;
}

/** @throws RawcallError `nothing_fits` where no value at all fits the schema */
export function valueGrammar(schema: JsonSchema): ValueGrammar {
  const { expression, relaxed } = outputOf(schema);
  const productive = productiveRules(expression);
  if (!matches(expression, productive)) throw nothingFits();
  return { gbnf: print(expression, productive), relaxed };
}

/** A value of the schema as a part of another grammar. */
export function outputOf(schema: JsonSchema): { expression: Expression; relaxed: RelaxedValue[] } {
  const relaxed = new Map<string, RelaxedValue>();
  const schemas = openSchema(schema, ({ pointer: path }, keyword) => {
    relaxed.set(`${path} ${keyword}`, { path, keyword });
  });
  const expression = createCompiler('output', schemas).value([schemas.root], json);
  return { expression, relaxed: [...relaxed.values()] };
}

export function nothingFits(): RawcallError {
  return new RawcallError(
    'nothing_fits',
    'No value fits the schema of the output, so a grammar would allow no reply. Change the schema.',
  );
}
