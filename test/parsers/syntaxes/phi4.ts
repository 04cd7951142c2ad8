import fc from 'fast-check';
import { phi4, phi4Grammar } from '../../../parsers/phi4.ts';
import { commonFragments, identifiers, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'phi4',
  parser: phi4,
  grammar: phi4Grammar,
  names: fc.oneof(identifiers, fc.string({ minLength: 1, unit: 'grapheme' })),
  fragments: [
    ...commonFragments,
    ...['<|tool_call|>', '<|/tool_call|>', 'functools', 'functools[', 'functools[{', '}]', '}}]', '}, {'],
    ...['<|end|>', '<|tool_response|>', '<|user|>'],
    '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]<|/tool_call|>',
    'functools[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
  ],
  markers: ['<|tool_call|>', '<|/tool_call|>', '<|end|>', '<|endoftext|>', '<think>', '</think>'],
};
