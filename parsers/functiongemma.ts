/** `<start_function_call>call:f{k:<escape>text<escape>,n:3}<end_function_call>`: FunctionGemma. */
import { gemmaGrammar, gemmaParser } from './gemma-call.ts';
import type { GemmaMarks } from './gemma-value.ts';

const marks: GemmaMarks = {
  open: '<start_function_call>',
  close: '<end_function_call>',
  quote: '<escape>',
};

export const functiongemmaGrammar = gemmaGrammar(marks);

/** The model asks for a result by opening it, which is where it has to be stopped. */
export const functiongemma = gemmaParser(marks, {
  name: 'functiongemma',
  stops: ['<end_of_turn>', '<start_function_response>', '<eos>'],
  results: ['<start_of_turn>'],
  thinking: { open: '<think>', close: '</think>' },
});
