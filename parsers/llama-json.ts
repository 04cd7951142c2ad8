/**
 * `{"name": …, "parameters": …}`: Llama 3.1, 3.2 and 3.3. Several calls are joined by `; `. Its oddities: `<|python_tag|>` before
 * a call or before bare code, built-in tools as `NAME.call(…)`, and the custom form `<function=NAME>{…}</function>`.
 */

import Parsimmon, { type Parser } from 'parsimmon';
import { createParser } from './create-parser.ts';
import { jsonCalls } from './gbnf/notations.ts';
import { callObject, type StrictCall, space } from './grammar.ts';
import { spacedJson } from './json-text.ts';
import { functionTagBlock, pythonTagBlock } from './llama-blocks.ts';

/** The reply to the letter. */
export const llamaJsonGrammar: Parser<StrictCall[]> = callObject('parameters').sepBy1(
  Parsimmon.string(';').trim(space),
);

export const llamaJson = createParser(
  {
    name: 'llama-json',
    blocks: [pythonTagBlock('object'), functionTagBlock],
    unmarked: 'object',
    argumentsKey: 'parameters',
    stops: ['<|eot_id|>', '<|eom_id|>', '<|end_of_text|>'],
    results: ['<|start_header_id|>'],
    thinking: { open: '<think>', close: '</think>' },
  },
  calls => [
    {
      text: calls
        .map(
          call => `{"name": ${JSON.stringify(call.name)}, "parameters": ${spacedJson(call.argumentsText)}}`,
        )
        .join('; '),
    },
  ],
  jsonCalls({ between: '; ', argumentsKey: 'parameters' }),
);
