/** Small chat templates in the manner of families of models, written for these tests. */

/** ChatML: tools and calls as JSON, results in a user's turn, a thought that can be turned off. */
export const chatml = `
{%- if tools %}
  {{- '<|im_start|>system\\nTools:' }}
  {%- for tool in tools or [] %}{{- '\\n' + (tool | tojson) }}{%- endfor %}
  {{- '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
  {%- if message.role == 'tool' %}
    {{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
  {%- else %}
    {{- '<|im_start|>' + message.role + '\\n' }}
    {%- if message.reasoning_content %}{{- '<think>\\n' + message.reasoning_content + '\\n</think>\\n\\n' }}{%- endif %}
    {{- message.content }}
    {%- for call in message.tool_calls or [] %}
      {{- '\\n<tool_call>\\n{"name": ' + (call.function.name | tojson) + ', "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}
    {%- endfor %}
    {{- '<|im_end|>\\n' }}
  {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
  {{- '<|im_start|>assistant\\n' }}
  {%- if enable_thinking is defined and not enable_thinking %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- else %}{{- '<think>\\n' }}{%- endif %}
{%- endif %}`;

/** Instructions between brackets: no opening of a reply, an end-of-sequence token that it is told, and much that it refuses. */
export const brackets = `
{{- bos_token }}
{%- for message in messages %}
  {%- if message.role == 'system' and not loop.first %}{{- raise_exception('A system message comes first.') }}{%- endif %}
  {%- if message.role == 'user' %}
    {%- if tools and loop.last %}{{- '[AVAILABLE_TOOLS]' + (tools | tojson) + '[/AVAILABLE_TOOLS]' }}{%- endif %}
    {{- '[INST]' + message.content + '[/INST]' }}
  {%- elif message.tool_calls %}
    {%- if message.tool_calls | length > 1 %}{{- raise_exception('One call at a time.') }}{%- endif %}
    {%- set call = message.tool_calls[0] %}
    {%- if call.id | length != 9 %}{{- raise_exception('An id has nine letters.') }}{%- endif %}
    {{- '[TOOL_CALLS][{"name": "' + call.function.name + '", "arguments": ' + call.function.arguments + ', "id": "' + call.id + '"}]' + eos_token }}
  {%- elif message.role == 'tool' %}
    {{- '[TOOL_RESULTS]{"content": ' + (message.content | tojson) + ', "call_id": "' + message.tool_call_id + '"}[/TOOL_RESULTS]' }}
  {%- else %}{{- message.content | trim + eos_token }}{%- endif %}
{%- endfor %}`;

/** No end of a turn, and calls whose arguments are tags. */
export const tags = `
{{- '[gMASK]<sop>' }}
{%- for tool in tools or [] %}{{- '<|system|>\\n' + tool.function.name + ': ' + tool.function.description + '\\n' }}{%- endfor %}
{%- for message in messages %}
  {%- if message.role == 'tool' %}{{- '<|observation|>\\n<tool_response>\\n' + message.content + '\\n</tool_response>' }}
  {%- else %}
    {{- '<|' + message.role + '|>\\n' + message.content | trim }}
    {%- for call in message.tool_calls or [] %}
      {{- '\\n<tool_call>' + call.function.name }}
      {%- for key, value in call.function.arguments | items %}
        {{- '\\n<arg_key>' + key + '</arg_key>\\n<arg_value>' }}{{- value if value is string else value | tojson }}{{- '</arg_value>' }}
      {%- endfor %}
      {{- '\\n</tool_call>' }}
    {%- endfor %}
  {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|assistant|>\\n' }}{%- endif %}`;

/** A tool's name stands again before its result, and a call ends otherwise than a reply. */
export const channels = `
{%- set last = namespace(name='') %}
{%- for message in messages %}
  {%- if message.tool_calls %}
    {%- set call = message.tool_calls[0].function %}{%- set last.name = call.name %}
    {{- '<|start|>assistant to=functions.' + call.name + '<|channel|>commentary json<|message|>' + (call.arguments | tojson) + '<|call|>' }}
  {%- elif message.role == 'tool' %}
    {{- '<|start|>functions.' + last.name + ' to=assistant<|channel|>commentary<|message|>' + (message.content | tojson) + '<|end|>' }}
  {%- elif message.role == 'assistant' %}{{- '<|start|>assistant<|channel|>final<|message|>' + message.content + '<|end|>' }}
  {%- else %}{{- '<|start|>' + message.role + '<|message|>' + message.content + '<|end|>' }}{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start|>assistant' }}{%- endif %}`;

export const chatmlTokens = [
  ...['<|im_start|>', '<|im_end|>', '<|endoftext|>', '<tool_call>', '</tool_call>'],
  ...['<tool_response>', '</tool_response>', '<think>', '</think>'],
];
