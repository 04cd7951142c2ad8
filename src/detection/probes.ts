/** Two short conversations whose renderings show all that tells one format from another, whoever renders them. */
import type { ToolCall, ToolDefinition } from '../../parsers/parser.ts';
import type { Message } from '../../templates/template.ts';

export interface Probe {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly thinking?: boolean;
}

/** Words that stand nowhere else in a rendering. */
export const words = {
  question: 'probe-question',
  reply: 'probe-reply',
  again: 'probe-again',
  tool: 'probe_tool',
  argument: 'probe-word',
  result: 'probe-result',
} as const;

const asked: Message = { role: 'user', content: words.question };

/** Nine letters: some templates take no other ids. */
const call: ToolCall = {
  id: 'probecall',
  name: words.tool,
  arguments: { word: words.argument },
  argumentsText: `{"word": "${words.argument}"}`,
};

const tool: ToolDefinition = {
  name: words.tool,
  description: 'A probe.',
  inputSchema: {
    type: 'object',
    properties: { word: { type: 'string', description: 'A word.' } },
    required: ['word'],
  },
};

export const talk: Probe = {
  messages: [asked, { role: 'assistant', content: words.reply }, { role: 'user', content: words.again }],
  tools: [],
};

export const errand: Probe = {
  messages: [
    asked,
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', callId: call.id, name: call.name, content: words.result },
  ],
  tools: [tool],
};
