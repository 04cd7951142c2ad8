/** `<tool_call>\n{"name": …, "arguments": …}\n</tool_call>`: Hermes 2 Pro and 3, Qwen 2.5 and 3. */
import { spacedJson } from './json-text.ts';
import type { Parser, Piece } from './parser.ts';

export const toolCallJson: Parser = {
  name: 'tool-call-json',
  write: calls =>
    calls.flatMap((call, index): Piece[] => [
      ...(index === 0 ? [] : [{ text: '\n' }]),
      { text: '<tool_call>', control: true },
      { text: `\n{"name": ${JSON.stringify(call.name)}, "arguments": ${spacedJson(call.argumentsText)}}\n` },
      { text: '</tool_call>', control: true },
    ]),
  start() {
    throw new Error('not here yet');
  },
};
