/**
 * FunctionGemma (270M): Gemma 3's turns, declarations in a `developer` turn, results in the model's own turn.
 *
 * Source: the chat template that Google keeps with the tests of LiteRT-LM (google-function-gemma-hf.jinja), and the model's
 * documentation ("Formatting and best practices", "Full function calling sequence"). Read there: the declarations, the sentence
 * before them, without which the model does not call, `<start_function_response>` as a stop, and the results' place. The
 * template that the model's own files carry could not be read.
 *
 * Where it differs from that template: the sentence is written wherever tools are declared (there it is for the caller to bring);
 * arguments keep their order (theirs sorts them); a result is text under `value` (theirs takes an object of the caller's); a
 * list's item type is a word (theirs spells it letter by letter); a type that is a list is its first that is not null; a
 * late system message is a `developer` turn too; a turn of the model's is closed before another one begins.
 */
import { functiongemma as parser } from '../parsers/functiongemma.ts';
import { createGemma } from './gemma.ts';

export const functiongemma = createGemma({
  name: 'functiongemma',
  parser,
  stops: ['<end_of_turn>', '<start_function_response>', '<eos>'],
  controlTokens: [
    '<bos>',
    '<eos>',
    '<start_of_turn>',
    '<end_of_turn>',
    '<start_function_declaration>',
    '<end_function_declaration>',
    '<start_function_call>',
    '<end_function_call>',
    '<start_function_response>',
    '<end_function_response>',
    '<escape>',
  ],
  turn: ['<start_of_turn>', '<end_of_turn>\n'],
  systemRole: 'developer',
  declaration: ['<start_function_declaration>', '<end_function_declaration>'],
  response: ['<start_function_response>', '<end_function_response>'],
  style: { quote: '<escape>', describesAll: true, nullable: false },
  instruction: 'You are a model that can do function calling with the following functions',
});
