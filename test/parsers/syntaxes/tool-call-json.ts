import fc from 'fast-check';
import { toolCallJson, toolCallJsonGrammar } from '../../../parsers/tool-call-json.ts';
import { commonFragments, identifiers, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'tool-call-json',
  parser: toolCallJson,
  grammar: toolCallJsonGrammar,
  names: fc.oneof(identifiers, fc.string({ minLength: 1, unit: 'grapheme' })),
  fragments: [
    ...commonFragments,
    ...['<tool_call>', '</tool_call>', '\n</tool_call>\n', '<tool_response>', '<|im_end|>', '<tool'],
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
  ],
  markers: ['<think>', '</think>', '<|im_end|>', '<|endoftext|>', '<|end_of_text|>'],
};
