/**
 * Gemma 4: turns in `<|turn>ROLE\n…<turn|>`, declarations at the end of the system turn, results in the model's own turn, thoughts
 * in a channel. Source: the chat template that Google publishes with the models. By default the model does not think.
 *
 * Where it differs from that template: text beside calls stands before them, as the model writes it (theirs puts it behind the
 * results); arguments keep their order (theirs sorts them) and `null` is `null`; a type that is a list is its first that is
 * not null; an argument called `type` or `description` is declared (theirs leaves it out); a turn of the model's is closed before
 * another one begins, and a second reply in a row gets a turn of its own; a `<channel|>` in a reply's content splits nothing.
 */
import { gemma4 as parser } from '../parsers/gemma4.ts';
import { createGemma } from './gemma.ts';

export const gemma4 = createGemma({
  name: 'gemma4',
  parser,
  stops: ['<turn|>', '<|tool_response>', '<eos>'],
  controlTokens: [
    ...['<bos>', '<eos>', '<|turn>', '<turn|>', '<|think|>', '<|channel>', '<channel|>'],
    ...[
      '<|tool>',
      '<tool|>',
      '<|tool_call>',
      '<tool_call|>',
      '<|tool_response>',
      '<tool_response|>',
      '<|"|>',
    ],
  ],
  turn: ['<|turn>', '<turn|>\n'],
  systemRole: 'system',
  declaration: ['<|tool>', '<tool|>'],
  response: ['<|tool_response>', '<tool_response|>'],
  style: { quote: '<|"|>', describesAll: false, nullable: true },
  thinking: { on: '<|think|>\n', open: '<|channel>thought\n', close: '<channel|>' },
});
