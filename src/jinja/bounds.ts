/**
 * Bounds on what a chat template may do: whoever wrote a model's file wrote its template too. They are counted, and not timed, so that a
 * slow machine renders what a fast one does.
 */
import type { Interpreter } from '@huggingface/jinja';

type Evaluate = Interpreter['evaluate'];
type Value = ReturnType<Evaluate>;

/** Many times the longest that is known. */
export const longestTemplate = 1024 ** 2;
const longestText = 64 * 1024 ** 2;
const longestList = 1_000_000;

let left = Number.POSITIVE_INFINITY;
let bounded = false;

/** The library has no bounds, and makes its interpreter itself. */
export function boundInterpreter(interpreter: typeof Interpreter): void {
  if (bounded) return;
  bounded = true;
  const evaluate: Evaluate = interpreter.prototype.evaluate;
  interpreter.prototype.evaluate = function (statement, environment) {
    left -= 1;
    if (left < 0) throw new Error('it goes on and on, long after any other would have ended');
    // A list that is too long must not be made first.
    if (isRange(statement)) checkRange(statement.args.map(one => evaluate.call(this, one, environment)));
    const value = evaluate.call(this, statement, environment);
    checkSize(value);
    return value;
  };
}

/** Many times what the longest templates take; a schema that is written part by part takes a few thousand. */
export function withinBounds<T>({ messages, tools }: Readonly<Record<string, unknown>>, render: () => T): T {
  const parts = [messages, tools].reduce<number>(
    (sum, one) => sum + (Array.isArray(one) ? one.length : 0),
    0,
  );
  left = 200_000 + 20_000 * parts;
  try {
    return render();
  } finally {
    left = Number.POSITIVE_INFINITY;
  }
}

type Statement = Parameters<Evaluate>[0];
type Call = NonNullable<Statement> & { readonly args: readonly NonNullable<Statement>[] };

function isRange(statement: Statement): statement is Call {
  if (statement?.type !== 'CallExpression') return false;
  const { callee } = statement as unknown as {
    readonly callee: { readonly type: string; readonly value?: unknown };
  };
  return callee.type === 'Identifier' && callee.value === 'range';
}

function checkRange(values: readonly Value[]): void {
  const [first = 0, second, step = 1] = values.map(({ value }) => (typeof value === 'number' ? value : 0));
  const length = second === undefined ? first : (second - first) / (step || 1);
  if (length > longestList) throw new Error(`it makes a list of ${length} numbers`);
  // A loop over it makes a scope for each of them, before its first step.
  left -= Math.max(0, length);
}

function checkSize({ type, value }: Value): void {
  if (type === 'StringValue' && (value as string).length > longestText)
    throw new Error(`it makes a text of ${(value as string).length} characters`);
  if (type === 'ArrayValue' && (value as readonly unknown[]).length > longestList)
    throw new Error(`it makes a list of ${(value as readonly unknown[]).length} parts`);
}
