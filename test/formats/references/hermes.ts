import type { ToolCall } from '../../../parsers/parser.ts';
import { printed, type Reference, whole } from '../reference.ts';

/**
 * What the Hermes template means and no Jinja renders: the macro reads a list's items with the filter of that name and takes
 * any string for a list of types (`null` recurses for ever); the rest are members that may be missing, which Python prints
 * as nothing and @huggingface/jinja refuses.
 */
const hermesCorrections = [
  ['json_to_python_type(json_spec|items)', 'json_to_python_type(json_spec["items"])'],
  ['elif json_spec.type is iterable', 'elif json_spec.type is iterable and json_spec.type is not string'],
  [
    'if basic_type_map[json_spec.type] is defined',
    'if json_spec.type is string and basic_type_map[json_spec.type] is defined',
  ],
  ['param_fields.description|trim', '(param_fields.description or "")|trim'],
  ['tool.parameters.properties', '(tool.parameters.properties or {})'],
] as const;

const hermesCall = (call: ToolCall) =>
  `<tool_call>\n{"name": "${call.name}", "arguments": ${printed(call)}}\n</tool_call>`;

export const reference: Reference = {
  format: 'hermes',
  files: [
    'NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use.jinja',
    'NousResearch-Hermes-3-Llama-3.1-8B-tool_use.jinja',
  ],
  covers: whole,
  describesReturn: true,
  corrections: hermesCorrections,
  // Theirs drops the content.
  callsAsContent: ({ content, toolCalls = [] }) =>
    content === '' ? undefined : `${content}\n${toolCalls.map(hermesCall).join('\n')}`,
  mend(text, { tools }) {
    // Theirs prints its tool prompt without tools too, and adds a line break to a results turn once another turn follows.
    const untooledText = tools ? text : text.slice(text.indexOf('<|im_end|>\n') + '<|im_end|>\n'.length);
    return untooledText.replaceAll('\n</tool_response>\n<|im_end|>', '\n</tool_response><|im_end|>');
  },
};
