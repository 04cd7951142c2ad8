import { mistral, mistralGrammar } from '../../../parsers/mistral.ts';
import { commonFragments, headerNames, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'mistral',
  parser: mistral,
  grammar: mistralGrammar,
  names: headerNames,
  fragments: [
    ...commonFragments,
    ...[
      '[TOOL_CALLS]',
      '[/TOOL_CALLS]',
      '[ARGS]',
      '[CALL_ID]',
      '[TOOL_RESULTS]',
      '[THINK]',
      '[/THINK]',
      '</s>',
      '[TOOL_',
      'get_weather',
    ],
    '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}',
    '[TOOL_CALLS]get_weather[CALL_ID]aB3dE6gH9[ARGS]{"city": "Oslo"}',
    '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Oslo"}, "id": "aB3dE6gH9"}]',
  ],
  markers: ['[THINK]', '[/THINK]', '</s>'],
};
