/** What a format can do, found by using it. */
import type { ToolCall } from '../parsers/parser.ts';
import { readCompletion } from '../parsers/read.ts';
import { promptText } from '../templates/prompt.ts';
import type { Message } from '../templates/template.ts';
import type { Format } from './format.ts';

export interface FormatFeatures {
  /** It has a form for thoughts. */
  readonly reasoning: boolean;
  /** A model can be told to think or not to. */
  readonly thinkingSwitch: boolean;
  /** Several calls in one reply. */
  readonly parallelCalls: boolean;
  /** Calls can be held to the tools' schemas while they are generated. */
  readonly grammar: boolean;
}

export function featuresOf({ template, parser }: Format): FormatFeatures {
  const render = (messages: readonly Message[], thinking?: boolean) =>
    promptText(template.render({ messages, tools: [] }, thinking === undefined ? {} : { thinking }));
  const asked: Message = { role: 'user', content: 'question' };
  const [first, second] = [call('one'), call('two')];
  const reply: Message = { role: 'assistant', content: '', reasoning: 'a-thought', toolCalls: [first] };
  const result: Message = { role: 'tool', callId: first.id, name: first.name, content: 'result' };

  const thinkingSwitch = render([asked], true) !== render([asked], false);
  const shown = render([asked, reply, result]).includes('a-thought');
  const { calls } = readCompletion(parser, [...parser.write([first, second])]);
  return {
    reasoning: shown || thinkingSwitch,
    thinkingSwitch,
    parallelCalls: calls.length === 2,
    grammar: parser.grammar !== undefined,
  };
}

function call(name: string): ToolCall {
  return { id: `functions.${name}:0`, name, arguments: { x: 1 }, argumentsText: '{"x": 1}' };
}
