import { kimiCallId, kimiK2, kimiK2Grammar } from '../../../parsers/kimi-k2.ts';
import { commonFragments, headerNames, type SyntaxUnderTest } from '../syntax.ts';

const section = [
  ...['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
  ...['<|tool_call_section_begin|>', '<|tool_call_section_end|>'],
];

export const syntax: SyntaxUnderTest = {
  name: 'kimi-k2',
  parser: kimiK2,
  grammar: kimiK2Grammar,
  names: headerNames,
  fragments: [
    ...commonFragments,
    ...section,
    ...[
      '<|tool_call_begin|>',
      '<|tool_call_end|>',
      '<|tool_call_argument_begin|>',
      '<|im_end|>',
      '<|im_system|>',
    ],
    ...['functions.', 'get_weather', ':0', '<|tool_call', 'functions.get_weather:1'],
    '<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|>',
    '<|tool_call_begin|>0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|>',
  ],
  markers: [...section, '<|im_end|>', '[EOS]', '<think>', '</think>'],
  asRead(call, index) {
    const id = kimiCallId(call, index);
    return { ...call, id, writtenId: id };
  },
};
