/** Which format a model speaks, by what its chat template renders and not by its name. */
import { type Format, formatNamed } from './format.ts';

export interface ModelMetadata {
  /** GGUF's `tokenizer.chat_template`. */
  readonly chatTemplate?: string;
  /** The texts of the vocabulary's control tokens. */
  readonly tokens?: ReadonlySet<string>;
}

/** `reason` is for people: what was seen, or why nothing was recognised. */
export interface Detection {
  readonly format: Format | undefined;
  readonly reason: string;
}

export async function detectFormat({ chatTemplate, tokens }: ModelMetadata): Promise<Detection> {
  if (!chatTemplate) return unknown('the model brings no chat template');
  const rendered = await renderProbes(chatTemplate);
  if (!rendered) return unknown('its chat template does not render even one user message');
  const { name, reason } = recognise(rendered);
  if (name === undefined) return unknown(reason);
  const format = formatNamed(name);
  const [stop = ''] = format.template.stops;
  if (tokens && !tokens.has(stop)) return unknown(`${reason}, but ${stop} is no token of its vocabulary`);
  return { format, reason };
}

const unknown = (reason: string): Detection => ({ format: undefined, reason });

interface Rendered {
  /** The largest probe that the template renders. */
  readonly text: string;
  /** What the template adds to open a reply, and what it adds with thinking turned off. */
  readonly opening: string;
  readonly openingWithoutThinking: string;
}

const asked = { role: 'user', content: 'probe-question' };
const answered = { role: 'tool', tool_call_id: 'probecall', name: 'probe_tool', content: 'probe-result' };
const called = (args: unknown) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'probecall', type: 'function', function: { name: 'probe_tool', arguments: args } }],
});
const tools = [
  {
    type: 'function',
    function: {
      name: 'probe_tool',
      description: 'probe-description',
      parameters: { type: 'object', properties: { word: { type: 'string', description: 'A word' } } },
    },
  },
];

/** From the whole exchange to one message, since a template raises on what its model does not know. */
const probes = [
  { tools, messages: [asked, called({ word: 'probe-word' }), answered, asked] },
  { tools, messages: [asked, called('{"word": "probe-word"}'), answered, asked] },
  { tools, messages: [asked, called({ word: 'probe-word' }), answered] },
  { tools, messages: [asked] },
  { messages: [asked] },
];

async function renderProbes(chatTemplate: string): Promise<Rendered | undefined> {
  // Loaded here alone: rendering and parsing do without it.
  const { Template } = await import('@huggingface/jinja');
  for (const probe of probes) {
    try {
      const template = new Template(chatTemplate);
      const render = (more: object) => template.render({ bos_token: '', eos_token: '', ...probe, ...more });
      const text = render({ add_generation_prompt: false });
      const opening = render({ add_generation_prompt: true }).slice(text.length);
      const quiet = render({ add_generation_prompt: true, enable_thinking: false }).slice(text.length);
      return { text, opening, openingWithoutThinking: quiet };
    } catch {
      // The next probe asks for less.
    }
  }
  return undefined;
}

function recognise({ text, opening, openingWithoutThinking }: Rendered): { name?: string; reason: string } {
  const turn = (before: string, after: string) => text.includes(`${before}probe-question${after}`);

  if (turn('<|start_header_id|>user<|end_header_id|>\n\n', '<|eot_id|>')) {
    if (!text.includes('{"name": "probe_tool", "parameters": {"word": "probe-word"}}'))
      return { reason: 'its turns are those of Llama 3, but it does not write calls as Llama 3.1 does' };
    if (!/<\|start_header_id\|>ipython<\|end_header_id\|>\n\n"?probe-result"?<\|eot_id\|>/.test(text))
      return { reason: 'its turns and calls are those of Llama 3, but its results are not' };
    return { name: 'llama3-json', reason: 'its template writes turns, calls and results as Llama 3 does' };
  }

  if (!turn('<|im_start|>user\n', '<|im_end|>'))
    return { reason: 'its template writes turns in a way that no format here knows' };
  if (!text.includes('probe_tool'))
    return {
      name: 'hermes',
      reason: 'its template writes ChatML and knows no tools; tools are shown as Hermes does',
    };
  if (
    !text.includes('<tool_call>\n{"name": "probe_tool", "arguments": {"word": "probe-word"}}\n</tool_call>')
  )
    return { reason: 'its template writes ChatML, but calls in a way that no format here knows' };
  if (opening.includes('<think>'))
    return { reason: 'its template opens each reply with <think>, which no format here does' };
  const [, results] =
    /<\|im_start\|>(\w+)\n<tool_response>\nprobe-result\n<\/tool_response>/.exec(text) ?? [];
  if (results === 'tool')
    return { name: 'hermes', reason: 'its template writes calls and results as Hermes does' };
  if (results !== 'user') return { reason: 'its template writes calls as Qwen does, but not their results' };
  const thinks = openingWithoutThinking.includes('<think>');
  if (thinks || !text.includes('You are Qwen, created by Alibaba Cloud.'))
    return {
      name: 'qwen',
      reason: `its template writes calls and results as Qwen 3 does${thinks ? '; it thinks' : ''}`,
    };
  return { name: 'qwen2.5', reason: 'its template writes calls and results as Qwen 2.5 does' };
}
