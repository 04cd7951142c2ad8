/** The leaderboard's questions as a task file of ours: the same tools, as stubs, and the same possible answers. */
import { stringify } from 'yaml';
import type { JsonValue, ToolDefinition } from '../../../parsers/parser.ts';
import { matcherProblem } from '../match.ts';
import { toTask } from './matching.ts';
import type { BfclQuestion } from './questions.ts';

const head = `# Questions of the Berkeley Function-Calling Leaderboard (https://gorilla.cs.berkeley.edu, Apache 2.0), one turn each, as rawcall eval
# asks them. "matching: bfcl" compares calls by the leaderboard's own rules, and a run's first round is all that counts there.
`;

/** What every tool gives: theirs are not there to be run. */
const result = 'ok';

export function taskFileOf(questions: readonly BfclQuestion[]): string {
  const file = { matching: 'bfcl', max_rounds: 1, tasks: questions.map(taskOf) };
  return head + stringify(file, { lineWidth: 0, aliasDuplicateObjects: false });
}

function taskOf({ id, category, messages, tools, expected }: BfclQuestion): object {
  const [first] = messages;
  const calls = expected.map(({ name, arguments: args }) => ({
    tool: name,
    arguments: Object.fromEntries([...args].map(([key, values]) => [key, argumentOf(values.map(toTask))])),
  }));
  return {
    id,
    tags: [category],
    ...(messages.length === 1 && first?.role === 'user' ? { query: first.content } : { dialogue: messages }),
    ...(calls.length === 0
      ? { should_call_tool: !category.endsWith('irrelevance') }
      : { expected_calls: calls }),
    ...(tools.length === 0 ? {} : { tools: tools.map(stubOf) }),
  };
}

function stubOf({ name, description, inputSchema }: ToolDefinition): object {
  return { name, ...(description === undefined ? {} : { description }), inputSchema, result };
}

/** A dict that has a key like a matcher's is no matcher. */
function argumentOf(values: readonly JsonValue[]): JsonValue {
  return matcherProblem([...values]) ? { exact: [...values] } : [...values];
}
