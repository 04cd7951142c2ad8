import { functiongemma, functiongemmaGrammar } from '../../../parsers/functiongemma.ts';
import { commonFragments, headerNames, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'functiongemma',
  parser: functiongemma,
  grammar: functiongemmaGrammar,
  names: headerNames,
  fragments: [
    ...commonFragments,
    ...[
      '<start_function_call>',
      '<end_function_call>',
      '<escape>',
      '<esc',
      '<e',
      '<start_function_response>',
    ],
    ...[
      'call:',
      'call:get_weather{',
      'city:<escape>Oslo<escape>',
      'city:Oslo, Rome',
      'days:',
      'hours:[',
      '<end_of_turn>',
    ],
    '<start_function_call>call:get_weather{city:<escape>Oslo<escape>,days:3}<end_function_call>',
  ],
  markers: ['<think>', '</think>', '<end_of_turn>', '<start_function_response>', '<eos>'],
};
