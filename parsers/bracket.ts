/** `[f(a=1, b="x"), g()]`: Python calls in a list, as Llama 3.2 writes them ("pythonic"). */
import { jsonMembers, pythonLiteral } from './json-text.ts';
import type { Parser, ToolCall } from './parser.ts';

export const bracket: Parser = {
  name: 'bracket',
  write: calls => [{ text: `[${calls.map(writeCall).join(', ')}]` }],
  start() {
    throw new Error('not here yet');
  },
};

function writeCall(call: ToolCall): string {
  const members = jsonMembers(call.argumentsText);
  return `${call.name}(${members.map(([key, value]) => `${key}=${pythonLiteral(value)}`).join(', ')})`;
}
