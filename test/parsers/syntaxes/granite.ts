import fc from 'fast-check';
import { granite, graniteGrammar } from '../../../parsers/granite.ts';
import { commonFragments, identifiers, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'granite',
  parser: granite,
  grammar: graniteGrammar,
  names: fc.oneof(identifiers, fc.string({ minLength: 1, unit: 'grapheme' })),
  fragments: [
    ...commonFragments,
    ...['<|tool_call|>', '<tool_call>', '</tool_call>', '<response>', '</response>', '<|end_of_text|>'],
    ...['<|tool_call|>[', '<|tool_call|>{', '}]', '}}]', '}, {', '<|start_of_role|>'],
    '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
  ],
  markers: [
    ...['<|tool_call|>', '<|/tool_call|>', '</tool_call>', '<response>', '</response>'],
    ...['<|end_of_text|>', '<think>', '</think>'],
  ],
};
