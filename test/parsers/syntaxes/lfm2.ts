import fc from 'fast-check';
import { lfm2, lfm2Grammar } from '../../../parsers/lfm2.ts';
import { commonFragments, identifiers, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'lfm2',
  parser: lfm2,
  grammar: lfm2Grammar,
  end: ')',
  names: fc.array(identifiers, { minLength: 1, maxLength: 3 }).map(parts => parts.join('.')),
  fragments: [
    ...commonFragments,
    ...['<|tool_call_start|>', '<|tool_call_end|>', '<|im_end|>', '<|tool_response_start|>'],
    ...[
      '[get_weather(',
      'city=',
      '[get_weather(city="Oslo")]',
      '[get_weather(city="Oslo")]<|tool_call_end|>',
    ],
    '<|tool_call_start|>[get_weather(city="Oslo")]<|tool_call_end|>',
  ],
  markers: ['<think>', '</think>', '<|im_end|>', '<|endoftext|>'],
};
