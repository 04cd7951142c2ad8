import { harmony, harmonyGrammar } from '../../../parsers/harmony.ts';
import { commonFragments, identifiers, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'harmony',
  parser: harmony,
  grammar: harmonyGrammar,
  names: identifiers,
  fragments: [
    ...commonFragments,
    ...['<|start|>', '<|channel|>', '<|constrain|>', '<|message|>', '<|end|>', '<|call|>', '<|return|>'],
    ...[
      'assistant',
      'analysis',
      'commentary',
      'final',
      'json',
      ' to=functions.get_weather',
      ' to=python code',
    ],
    ...[
      '<|start|>assistant',
      '<|start|>user',
      '<|channel|>final<|message|>',
      '<|channel|>analysis<|message|>',
    ],
    '<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>',
    '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Oslo"}<|call|>',
  ],
  markers: [
    ...['<|start|>', '<|channel|>', '<|constrain|>', '<|message|>', '<|end|>', '<|call|>', '<|return|>'],
    ...['<|endoftext|>', '<think>', '</think>'],
  ],
  frames:
    /(?:<\|start\|>assistant)?\s*<\|channel\|>(?:analysis|commentary|final)\s*(?:<\|constrain\|>)?\s*\w*<\|message\|>/g,
};
