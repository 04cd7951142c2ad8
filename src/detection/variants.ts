/**
 * Where a published template renders the probes otherwise than the format does, on purpose or because templates of one model
 * differ. Each says in what; the rest of it is as the format has it.
 */
import type { Errand, Talk } from './parts.ts';

export interface Variant {
  readonly talk?: Partial<Talk>;
  readonly errand?: Partial<Errand>;
}

const called =
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>probe_tool\n```json\n{"word": "';
const reply4 = '<|eot|><|header_start|>assistant<|header_end|>\n\n';

export const variants: Readonly<Record<string, readonly Variant[]>> = {
  deepseek: [
    // llama.cpp's template for R1 and V3 ends a user's turn and opens the next reply behind results.
    {
      talk: {
        reply: '<｜end▁of▁sentence｜><｜Assistant｜>',
        opening: '<｜end▁of▁sentence｜><｜Assistant｜><think>\n',
      },
      errand: {
        call: `<｜end▁of▁sentence｜><｜Assistant｜>${called}`,
        after: '<｜tool▁output▁end｜><｜tool▁outputs▁end｜><｜end▁of▁sentence｜><｜Assistant｜><think>\n',
      },
    },
    // The template of R1's distillations closes a single call only.
    { errand: { result: '"}\n```<｜tool▁call▁end｜><｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>' } },
  ],
  // A template that keeps results in turns of their own.
  gemma4: [
    {
      errand: {
        result: '<|"|>}<tool_call|><turn|>\n<|turn>tool\n',
        after: '<turn|>\n<|turn>model\n<|channel>thought\n<channel|>',
      },
    },
  ],
  // The first template: its results do not name the tool, and its line break is two characters.
  'kimi-k2': [
    {
      errand: {
        result:
          '"}<|tool_call_end|><|tool_calls_section_end|><|im_end|><|im_system|>tool<|im_middle|>## Return of probecall\\n',
      },
    },
  ],
  // Meta's template shows calls as JSON, which its prompt formats do not know.
  llama4: [
    {
      errand: {
        call: `${reply4}<|python_start|><|python_end|>{"name": "probe_tool", "parameters": {"word": "`,
        result: '"}}<|eot|><|header_start|>ipython<|header_end|>\n\n',
      },
    },
  ],
  // Microsoft's template writes results in the turn that the tools stand in.
  'phi4-mini': [{ errand: { result: '<|end|><|tool|>' } }],
};
