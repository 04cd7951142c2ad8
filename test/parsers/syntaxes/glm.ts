import { glm, glmGrammar } from '../../../parsers/glm.ts';
import { commonFragments, headerNames, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'glm',
  parser: glm,
  grammar: glmGrammar,
  names: headerNames,
  keys: /^[^\s<>]{1,8}$/,
  typed: true,
  end: '</tool_call>',
  fragments: [
    ...commonFragments,
    ...['<tool_call>', '</tool_call>', '<arg_key>', '</arg_key>', '<arg_value>', '</arg_value>', '<arg_'],
    ...[
      '<tool_call>get_weather',
      'get_weather',
      '<arg_key>city</arg_key>',
      '<arg_key>days</arg_key>\n',
      '\n',
    ],
    ...['<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo', '</arg_value>\n</tool_call>'],
    ...[
      '<arg_key>hours</arg_key><arg_value>',
      '<|observation|>',
      '<|user|>',
      '<tool_response>',
      'Oslo',
      '[1, 2]',
    ],
  ],
  markers: ['<think>', '</think>', '<|user|>', '<|observation|>', '<|endoftext|>', '</tool_call>'],
};
