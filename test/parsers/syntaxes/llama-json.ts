import fc from 'fast-check';
import { llamaJson, llamaJsonGrammar } from '../../../parsers/llama-json.ts';
import { commonFragments, identifiers, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'llama-json',
  parser: llamaJson,
  grammar: llamaJsonGrammar,
  names: fc.oneof(identifiers, fc.string({ minLength: 1, unit: 'grapheme' })),
  fragments: [
    ...commonFragments,
    ...['<|python_tag|>', '<function=get_weather>', '</function>', '<|eot_id|>', '; ', 'get_weather.call('],
    '{"name": "get_weather", "parameters": {"city": "Oslo"}}',
  ],
  markers: ['<think>', '</think>', '<|eot_id|>', '<|eom_id|>', '<|end_of_text|>', '<|python_tag|>'],
};
