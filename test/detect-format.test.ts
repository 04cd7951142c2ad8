/** Detection goes by what a chat template renders: the same words elsewhere in it mean nothing. */
import { expect, test } from 'vitest';
import { detectFormat } from '../src/detect-format.ts';
import { qwen3Config } from './formats/qwen3.ts';

const detected = async (chatTemplate: string) => (await detectFormat({ chatTemplate })).format?.name;

const turnsWith = (opening: string, end: string, roles: { call: string; results: string }) => `
{%- for message in messages %}
  {%- if message.role == 'tool' %}{{- "${roles.results}" }}
  {%- elif message.tool_calls %}
    {%- set call = message.tool_calls[0].function %}{{- "${roles.call}" }}
  {%- else %}{{- "${opening}" + message.content + "${end}" }}{%- endif %}
{%- endfor %}`;

const chatml = (call: string, results: string) =>
  turnsWith('<|im_start|>" + message.role + "\\n', '<|im_end|>\\n', { call, results });
const xmlCall =
  '<|im_start|>assistant\\n<tool_call>\\n{\\"name\\": \\"" + call.name + "\\", \\"arguments\\": " + call.arguments | tojson + "}\\n</tool_call><|im_end|>\\n';
const results = (role: string) =>
  `<|im_start|>${role}\\n<tool_response>\\n" + message.content + "\\n</tool_response><|im_end|>\\n`;

const llama = (key: string) =>
  turnsWith('<|start_header_id|>" + message.role + "<|end_header_id|>\\n\\n', '<|eot_id|>', {
    call: `<|start_header_id|>assistant<|end_header_id|>\\n\\n{\\"name\\": \\"" + call.name + "\\", \\"${key}\\": " + call.arguments | tojson + "}<|eot_id|>`,
    results: '<|start_header_id|>ipython<|end_header_id|>\\n\\n" + message.content + "<|eot_id|>',
  });

const opens = (text: string) =>
  `{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n${text}' }}{%- endif %}`;
const thinkingSwitch = `{%- if add_generation_prompt and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}`;
const qwenDefault = `{{- '<|im_start|>system\\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\\n' }}`;

const plainChatml = `{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}`;

test.each<[string, string, string | undefined]>([
  ['Qwen 3’s own', qwen3Config().chat_template, 'qwen'],
  [
    'Qwen that can be told not to think',
    chatml(xmlCall, results('user')) + opens('') + thinkingSwitch,
    'qwen',
  ],
  [
    'Qwen with the default system text',
    qwenDefault + chatml(xmlCall, results('user')) + opens(''),
    'qwen2.5',
  ],
  ['Hermes', chatml(xmlCall, results('tool')) + opens(''), 'hermes'],
  ['ChatML without tools', plainChatml, 'hermes'],
  [
    'ChatML that raises on tools',
    `{%- if tools %}{{ raise_exception('none') }}{%- endif %}${plainChatml}`,
    'hermes',
  ],
  [
    'ChatML that opens every reply with a thought',
    chatml(xmlCall, results('user')) + opens('<think>\\n'),
    undefined,
  ],
  [
    'ChatML with other calls',
    chatml('<|im_start|>assistant\\n[" + call.name + "()]<|im_end|>\\n', results('user')),
    undefined,
  ],
  [
    'ChatML with other results',
    chatml(xmlCall, '<|im_start|>tool\\n" + message.content + "<|im_end|>\\n'),
    undefined,
  ],
  ['Llama 3', llama('parameters'), 'llama3-json'],
  ['Llama 3 turns with other calls', llama('arguments'), undefined],
  [
    'the words in a comment',
    `{# <|im_start|>user <tool_call> <|start_header_id|> #}${'{{ messages[0].content }}'}`,
    undefined,
  ],
  ['no template at all', 'nothing', undefined],
  ['a template that is broken', '{% if %}', undefined],
  ['a template that always raises', `{{ raise_exception('no') }}`, undefined],
])('%s', async (_, template, name) => {
  expect(await detected(template)).toBe(name);
});

const tools = (before: string, after: string) =>
  `{%- if tools %}{{- '${before}' + (tools | tojson) + '${after}' }}{%- endif %}`;
/** In the manner of the templates of these families, as far as detection looks. */
const families: readonly [string, string, string | undefined][] = [
  [
    'Mistral, whose end of a turn is what it is told',
    `{%- for message in messages %}
      {%- if message.role == 'user' %}{{- '[INST]' + message.content + '[/INST]' }}
      {%- elif message.tool_calls %}{{- '[TOOL_CALLS]' + message.tool_calls[0].function.name + '[ARGS]' + (message.tool_calls[0].function.arguments | tojson) + eos_token }}
      {%- elif message.role == 'tool' %}{{- '[TOOL_RESULTS]' + message.content + '[/TOOL_RESULTS]' }}
      {%- else %}{{- message.content + eos_token }}{%- endif %}
    {%- endfor %}`,
    'mistral',
  ],
  [
    'Llama 4 as Meta publishes it, with calls as JSON',
    `${turnsWith('<|header_start|>" + message.role + "<|header_end|>\\n\\n', '<|eot|>', {
      call: '<|header_start|>assistant<|header_end|>\\n\\n<|python_start|><|python_end|>{\\"name\\": \\"" + call.name + "\\", \\"parameters\\": " + call.arguments | tojson + "}<|eot|>',
      results: '<|header_start|>ipython<|header_end|>\\n\\n" + (message.content | tojson) + "<|eot|>',
    })}{%- if add_generation_prompt %}{{- '<|header_start|>assistant<|header_end|>\\n\\n' }}{%- endif %}`,
    'llama4',
  ],
  [
    'LFM2.5, which leaves calls out',
    tools('<|im_start|>system\\nList of tools: ', '<|im_end|>\\n') +
      `{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endfor %}` +
      opens(''),
    'lfm2.5',
  ],
  [
    'Phi-4-mini, which has its tools in the system message',
    `{%- for message in messages %}
      {%- if message.role == 'system' and message.tools %}{{- '<|system|>' + message.content + '<|tool|>' + message.tools + '<|/tool|><|end|>' }}
      {%- else %}{{- '<|' + message.role + '|>' + message.content + '<|end|>' }}{%- endif %}
    {%- endfor %}{%- if add_generation_prompt %}{{- '<|assistant|>' }}{%- endif %}`,
    'phi4-mini',
  ],
  [
    'Gemma without tools, whose turns FunctionGemma has',
    `{%- for message in messages %}
      {%- if message.role == 'tool' or message.tool_calls %}{{- raise_exception('no tools here') }}{%- endif %}
      {{- '<start_of_turn>' + ('model' if message.role == 'assistant' else message.role) + '\\n' + message.content + '<end_of_turn>\\n' }}
    {%- endfor %}{%- if add_generation_prompt %}{{- '<start_of_turn>model\\n' }}{%- endif %}`,
    undefined,
  ],
  [
    'ChatML with a filter that the library does not have, where there are tools',
    `{%- if tools %}{{- tools | shout }}{%- endif %}${plainChatml}${opens('')}`,
    undefined,
  ],
  [
    'calls that are shown only where the content is none',
    chatml(xmlCall, results('user'))
      .replace('elif message.tool_calls', 'elif message.tool_calls and message.content is none')
      .concat(opens(''), thinkingSwitch),
    'qwen',
  ],
];

test.each(families)('%s', async (_, template, name) => {
  expect(await detected(template)).toBe(name);
});

test('nothing known is told with a reason', async () => {
  expect(await detectFormat({})).toEqual({ format: undefined, reason: 'the model brings no chat template' });
  expect((await detectFormat({ chatTemplate: plainChatml })).reason).toContain('knows no tools');
});

test('the vocabulary must hold the token that ends a turn', async () => {
  const chatTemplate = plainChatml;
  expect((await detectFormat({ chatTemplate, tokens: new Set(['<|im_end|>']) })).format?.name).toBe('hermes');
  const { format, reason } = await detectFormat({ chatTemplate, tokens: new Set(['</s>']) });
  expect(format).toBeUndefined();
  expect(reason).toContain('<|im_end|> is no token');
});
