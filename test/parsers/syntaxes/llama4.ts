import fc from 'fast-check';
import { llama4, llama4Grammar } from '../../../parsers/llama4.ts';
import { commonFragments, identifiers, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'llama4',
  parser: llama4,
  grammar: llama4Grammar,
  end: ')',
  names: fc.array(identifiers, { minLength: 1, maxLength: 3 }).map(parts => parts.join('.')),
  fragments: [
    ...commonFragments,
    ...['<|python_start|>', '<|python_end|>', '<|eot|>', '<|header_start|>user<|header_end|>'],
    ...[
      '[get_weather(',
      'city=',
      '[get_weather(city="Oslo"), ',
      '<|python_start|>[get_weather(city="Oslo")]',
    ],
  ],
  markers: [
    '<|python_start|>',
    '<|python_end|>',
    '<think>',
    '</think>',
    '<|eot|>',
    '<|eom|>',
    '<|end_of_text|>',
  ],
};
