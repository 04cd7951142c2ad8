import fc from 'fast-check';
import { bracket, bracketGrammar } from '../../../parsers/bracket.ts';
import { commonFragments, identifiers, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'bracket',
  parser: bracket,
  grammar: bracketGrammar,
  end: ')',
  names: fc.array(identifiers, { minLength: 1, maxLength: 3 }).map(parts => parts.join('.')),
  fragments: [
    ...commonFragments,
    '<|python_tag|>',
    '<|eot_id|>',
    '[get_weather(',
    'city=',
    '[get_weather(city="Oslo"), ',
    '(1, 2)',
  ],
  markers: [
    '<think>',
    '</think>',
    '<|eot_id|>',
    '<|eom_id|>',
    '<|end_of_text|>',
    '<|eot|>',
    '<|python_tag|>',
  ],
};
