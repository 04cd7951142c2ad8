import { gemma4, gemma4Grammar } from '../../../parsers/gemma4.ts';
import { commonFragments, headerNames, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'gemma4',
  parser: gemma4,
  grammar: gemma4Grammar,
  names: headerNames,
  fragments: [
    ...commonFragments,
    ...['<|tool_call>', '<tool_call|>', '<|"|>', '<|"', '<|tool_response>', '<turn|>', '<|turn>user\n'],
    ...['<|channel>thought\n', '<|channel>', '<channel|>', 'thought\n'],
    ...['call:get_weather{', 'city:<|"|>Oslo<|"|>', 'days:', 'hours:[1,', '"city":"Oslo"'],
    '<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>,hours:[1,2]}<tool_call|>',
  ],
  markers: ['<|channel>thought', '<|channel>', '<channel|>', '<turn|>', '<|tool_response>', '<eos>'],
};
