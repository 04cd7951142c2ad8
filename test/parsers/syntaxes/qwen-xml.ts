import { qwenXml, qwenXmlGrammar } from '../../../parsers/qwen-xml.ts';
import { commonFragments, headerNames, type SyntaxUnderTest } from '../syntax.ts';

export const syntax: SyntaxUnderTest = {
  name: 'qwen-xml',
  parser: qwenXml,
  grammar: qwenXmlGrammar,
  names: headerNames,
  keys: /^[^\s<>]{1,8}$/,
  typed: true,
  end: '</function>',
  fragments: [
    ...commonFragments,
    ...['<tool_call>', '</tool_call>', '<function=get_weather>', '</function>', '<function=', '<parameter='],
    ...['\n<tool_call>\n', '\n</tool_call>\n', '\n<function=get_weather>\n', '\n</function>\n'],
    ...[
      '<parameter=city>',
      '<parameter=days>\n',
      '\n<parameter=hours>\n',
      '\n</parameter>\n',
      '</parameter>',
    ],
    ...[
      '<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo',
      '\n</parameter>\n</function>\n</tool_call>',
    ],
    ...['<tool_response>', '<|im_end|>', '<tool', '</para', 'Oslo', '[1, 2]', '  '],
  ],
  markers: ['<think>', '</think>', '<|im_end|>', '<|endoftext|>', '</tool_call>', '<tool_response>'],
};
