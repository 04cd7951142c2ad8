/** `{"name": …, "parameters": …}`: Llama 3.1, 3.2 and 3.3. Several calls are joined by `; `. */
import { spacedJson } from './json-text.ts';
import type { Parser } from './parser.ts';

export const llamaJson: Parser = {
  name: 'llama-json',
  write: calls => [
    {
      text: calls
        .map(
          call => `{"name": ${JSON.stringify(call.name)}, "parameters": ${spacedJson(call.argumentsText)}}`,
        )
        .join('; '),
    },
  ],
  start() {
    throw new Error('not here yet');
  },
};
