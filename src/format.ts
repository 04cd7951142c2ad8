/** A format is what one family of models was trained on: a chat template, and a parser for its calls. */

import { bracket } from '../parsers/bracket.ts';
import { deepseek, deepseekV31 } from '../parsers/deepseek.ts';
import { RawcallError } from '../parsers/error.ts';
import { functiongemma } from '../parsers/functiongemma.ts';
import { gemma4 } from '../parsers/gemma4.ts';
import { glm47 as glm47Parser, glm as glmParser } from '../parsers/glm.ts';
import { granite } from '../parsers/granite.ts';
import { harmony } from '../parsers/harmony.ts';
import { kimiK2 } from '../parsers/kimi-k2.ts';
import { lfm2 } from '../parsers/lfm2.ts';
import { llamaJson } from '../parsers/llama-json.ts';
import { llama4 } from '../parsers/llama4.ts';
import { mistral, mistralV3, mistralV11 } from '../parsers/mistral.ts';
import type { Parser } from '../parsers/parser.ts';
import { phi4 } from '../parsers/phi4.ts';
import { qwenXml } from '../parsers/qwen-xml.ts';
import { toolCallJson } from '../parsers/tool-call-json.ts';
import { deepseek as deepseekTemplate, deepseekV31 as deepseekV31Template } from '../templates/deepseek.ts';
import { functiongemma as functiongemmaTemplate } from '../templates/functiongemma.ts';
import { gemma4 as gemma4Template } from '../templates/gemma4.ts';
import { glm, glm47 } from '../templates/glm.ts';
import { gptOss } from '../templates/gpt-oss.ts';
import { granite3 } from '../templates/granite.ts';
import { granite4, granite41 } from '../templates/granite4.ts';
import { hermes } from '../templates/hermes.ts';
import { kimiK2 as kimiK2Template, kimiK2Thinking } from '../templates/kimi-k2.ts';
import { lfm2 as lfm2Template, lfm25 } from '../templates/lfm2.ts';
import { llama3, llama3Json } from '../templates/llama3.ts';
import { llama4 as llama4Template } from '../templates/llama4.ts';
import {
  mistral as mistralTemplate,
  mistralV3 as mistralV3Template,
  mistralV11 as mistralV11Template,
} from '../templates/mistral.ts';
import { phi4Mini } from '../templates/phi4.ts';
import { qwen, qwen25 } from '../templates/qwen.ts';
import { qwen35 } from '../templates/qwen3.5.ts';
import { qwen3Coder } from '../templates/qwen3-coder.ts';
import type { Template } from '../templates/template.ts';

export interface Format {
  readonly name: string;
  /** Other names that people look for it under, and those of the parsers of vLLM, SGLang and candle-vllm that read the same calls. */
  readonly aliases?: readonly string[];
  readonly template: Template;
  readonly parser: Parser;
}

export const formats: readonly Format[] = [
  { name: 'llama3', aliases: ['pythonic'], template: llama3, parser: bracket },
  {
    name: 'llama3-json',
    aliases: ['llama3.1', 'llama3.2', 'llama3.3', 'llama3_json', 'llama'],
    template: llama3Json,
    parser: llamaJson,
  },
  { name: 'hermes', aliases: ['chatml'], template: hermes, parser: toolCallJson },
  { name: 'qwen', aliases: ['qwen3', 'qwen_json'], template: qwen, parser: toolCallJson },
  { name: 'qwen2.5', aliases: ['qwen2', 'qwen25'], template: qwen25, parser: toolCallJson },
  { name: 'gpt-oss', aliases: ['harmony', 'openai'], template: gptOss, parser: harmony },
  { name: 'granite3', aliases: ['granite'], template: granite3, parser: granite },
  { name: 'granite4', template: granite4, parser: toolCallJson },
  { name: 'granite4.1', template: granite41, parser: toolCallJson },
  { name: 'phi4-mini', aliases: ['phi4', 'phi4_mini_json'], template: phi4Mini, parser: phi4 },
  {
    name: 'qwen3-coder',
    aliases: ['qwen3_coder', 'qwen3_xml', 'qwen_coder', 'qwen_xml'],
    template: qwen3Coder,
    parser: qwenXml,
  },
  { name: 'qwen3.5', template: qwen35, parser: qwenXml },
  { name: 'glm', aliases: ['glm4.5', 'glm4.6', 'glm45', 'glm45_moe'], template: glm, parser: glmParser },
  { name: 'glm4.7', aliases: ['glm47', 'glm47_moe'], template: glm47, parser: glm47Parser },
  { name: 'llama4', aliases: ['llama4_pythonic'], template: llama4Template, parser: llama4 },
  { name: 'functiongemma', template: functiongemmaTemplate, parser: functiongemma },
  { name: 'gemma4', template: gemma4Template, parser: gemma4 },
  { name: 'lfm2', template: lfm2Template, parser: lfm2 },
  { name: 'lfm2.5', template: lfm25, parser: lfm2 },
  { name: 'mistral-v3', template: mistralV3Template, parser: mistralV3 },
  { name: 'mistral-v11', template: mistralV11Template, parser: mistralV11 },
  { name: 'mistral', aliases: ['mistral-v13'], template: mistralTemplate, parser: mistral },
  {
    name: 'deepseek',
    aliases: ['deepseek-v3', 'deepseek-r1', 'deepseek_v3', 'deepseekv3'],
    template: deepseekTemplate,
    parser: deepseek,
  },
  {
    name: 'deepseek-v3.1',
    aliases: ['deepseek_v31', 'deepseekv31'],
    template: deepseekV31Template,
    parser: deepseekV31,
  },
  { name: 'kimi-k2', aliases: ['kimi_k2', 'kimik2', 'kimi'], template: kimiK2Template, parser: kimiK2 },
  { name: 'kimi-k2-thinking', template: kimiK2Thinking, parser: kimiK2 },
];

/** Control tokens that end a turn in any format. */
export const turnEnds: ReadonlySet<string> = new Set(formats.flatMap(({ template }) => template.stops));

/** By its name or one of its aliases. @throws RawcallError `unknown_format` */
export function formatNamed(name: string): Format {
  const format = formats.find(one => one.name === name || one.aliases?.includes(name));
  if (format) return format;
  const names = formats.map(one => one.name).join(', ');
  throw new RawcallError('unknown_format', `There is no format "${name}". Formats: ${names}.`, { name });
}
