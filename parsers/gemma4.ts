/** `<|tool_call>call:f{k:<|"|>text<|"|>,n:3}<tool_call|>`: Gemma 4, with its thoughts in `<|channel>thought\n…<channel|>`. */
import { gemmaGrammar, gemmaParser } from './gemma-call.ts';
import type { GemmaMarks } from './gemma-value.ts';

const marks: GemmaMarks = { open: '<|tool_call>', close: '<tool_call|>', quote: '<|"|>' };

export const gemma4Grammar = gemmaGrammar(marks);

/** The model asks for a result by opening it, which is where it has to be stopped. */
export const gemma4 = gemmaParser(marks, {
  name: 'gemma4',
  stops: ['<turn|>', '<|tool_response>', '<eos>'],
  results: ['<|turn>'],
  thinking: { open: '<|channel>', label: 'thought', close: '<channel|>' },
});
