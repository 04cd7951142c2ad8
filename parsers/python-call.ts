/** Reads `name(argument=…, …)` and streams the arguments. */
import type { Call } from './calls.ts';
import { fill, type Steps } from './input.ts';
import { literalReader } from './literal.ts';
import { type CallOptions, cutMessage, type Outcome } from './object-call.ts';
import type { ToolDefinition } from './parser.ts';
import { readInto, type Session, skipBrackets } from './session.ts';

/** Reads a dotted name that an opening parenthesis follows at once, and the parenthesis. */
export function* callName(session: Session): Steps<string | undefined> {
  const { input } = session;
  let name = '';
  while (yield* fill(input)) {
    const start = input.at;
    while (input.at < input.text.length && /[\w.\-$]/.test(input.text[input.at] ?? '')) input.at++;
    name += input.text.slice(start, input.at);
    if (input.at === input.text.length) continue;
    if (input.text[input.at] !== '(' || name === '') return undefined;
    input.at++;
    return name;
  }
  return undefined;
}

/** Reads from behind the opening parenthesis. */
export function* pythonCall(
  session: Session,
  call: Call,
  name: string,
  options: CallOptions,
): Steps<Outcome> {
  const { input, calls } = session;
  let decided = false;
  let waiting = '';
  const decide = () => {
    if (decided) return;
    decided = true;
    options.decided();
    call.named(name);
  };
  if (options.tentative && (calls.none || !(options.strangers || calls.known(name)))) return 'not-a-call';
  if (!options.tentative || (!calls.any && calls.known(name))) decide();

  const tool = calls.tool(name);
  const reader = literalReader({
    read: 'arguments',
    dialect: 'python',
    guide: decided ? call.guide : undefined,
    positional: index => onlyArgument(tool, index),
    repaired: call.repaired,
  });
  yield* readInto(session, reader, json => {
    if (!decided && reader.members > 0) decide();
    waiting += json;
    if (!decided) return;
    call.add(waiting);
    waiting = '';
  });
  if (reader.state === 'done') {
    decide();
    call.add(waiting);
    return call.failed ? 'failed' : 'read';
  }
  if (!decided) return 'not-a-call';
  if (reader.state === 'open') {
    call.fail('truncated', cutMessage);
    call.cut = true;
    return 'failed';
  }
  const { problem, message } = reader.failure ?? { problem: 'truncated' as const, message: cutMessage };
  call.fail(problem, message);
  if (!(yield* skipBrackets(input, reader.depth))) call.cut = true;
  return 'failed';
}

/** The argument that a first value without a name must be: the only one, or the only one that is required. */
export function onlyArgument(tool: ToolDefinition | undefined, index: number): string | undefined {
  const schema = tool?.inputSchema;
  if (index > 0 || typeof schema !== 'object') return undefined;
  const names = Object.keys((schema.properties ?? {}) as object);
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  return names.length === 1 ? names[0] : required.length === 1 ? required[0] : undefined;
}
