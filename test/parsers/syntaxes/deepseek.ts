import { deepseek, deepseekGrammar } from '../../../parsers/deepseek.ts';
import { commonFragments, headerNames, type SyntaxUnderTest } from '../syntax.ts';

const section = ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'];

export const syntax: SyntaxUnderTest = {
  name: 'deepseek',
  parser: deepseek,
  grammar: deepseekGrammar,
  names: headerNames,
  fragments: [
    ...commonFragments,
    ...section,
    ...[
      '<｜tool▁call▁begin｜>',
      '<｜tool▁call▁end｜>',
      '<｜tool▁sep｜>',
      '<｜tool▁outputs▁begin｜>',
      '<｜end▁of▁sentence｜>',
    ],
    ...['function', 'get_weather', '<|tool_calls_begin|>', '<｜tool▁', '\n```<｜tool▁call▁end｜>'],
    '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜>',
    '<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜>',
  ],
  markers: [...section, '<｜end▁of▁sentence｜>', '<think>', '</think>'],
};
