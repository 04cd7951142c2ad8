/**
 * Rendering against @huggingface/jinja with Qwen3's published chat template, byte for byte equal, and what one more message costs.
 *
 *   npx tsx bench/render.ts
 */
import { pathToFileURL } from 'node:url';
import { Template } from '@huggingface/jinja';
import type { ToolDefinition } from '../parsers/parser.ts';
import { continuation } from '../templates/continuation.ts';
import { promptText } from '../templates/prompt.ts';
import { qwen } from '../templates/qwen.ts';
import { functionTool } from '../templates/schema.ts';
import type { Message } from '../templates/template.ts';
import { qwen3Config } from '../test/formats/qwen3.ts';
import { best } from './best.ts';
import type { Row } from './row.ts';

const tools: readonly ToolDefinition[] = Array.from({ length: 10 }, (_, index) => ({
  name: `tool_${index}`,
  description: 'Looks something up in a table and says what it found there.',
  inputSchema: {
    type: 'object',
    properties: { key: { type: 'string', description: 'What to look up.' }, limit: { type: 'integer' } },
    required: ['key'],
  },
}));

export function renderRows(): Row[] {
  const { chat_template } = qwen3Config();
  const peer = new Template(chat_template);
  const whole = [100, 1000].map(count => {
    const conversation = { messages: dialogue(count), tools };
    const official = {
      messages: conversation.messages.map(officialMessage),
      tools: tools.map(functionTool),
      add_generation_prompt: true,
    };
    if (promptText(qwen.render(conversation)) !== peer.render(official))
      throw new Error('The two render differently.');
    const ours = best(() => promptText(qwen.render(conversation)), 300);
    const theirs = best(() => peer.render(official), 60);
    return {
      name: `a dialogue of ${count} messages rendered whole, @huggingface/jinja against ours`,
      value: theirs / ours,
      unit: '×',
      note: `${theirs.toFixed(2)} ms against ${ours.toFixed(3)} ms, byte for byte equal; target ≥ 30`,
    };
  });
  const [short, long] = [10, 1000].map(count => oneMore(count)) as [number, number];
  return [
    ...whole,
    {
      name: 'one more message after 1,000, against one more after 10',
      value: long / short,
      unit: '×',
      note: `${(long * 1000).toFixed(1)} µs against ${(short * 1000).toFixed(1)} µs; independent of the length is 1`,
    },
  ];
}

/** A tool's result and the opening of the next reply, behind a completion. In ms. */
function oneMore(count: number): number {
  const messages = dialogue(count).map(message =>
    message.role === 'assistant' ? { ...message, completion: [{ text: message.content }] } : message,
  );
  const conversation = { messages: [...messages, { role: 'user', content: 'And then?' } as const], tools };
  const repeats = 200;
  const run = () => {
    for (let repeat = 0; repeat < repeats; repeat++) continuation(qwen, conversation);
  };
  return best(run, 15) / repeats;
}

/** Question, call, result, answer, over and over; it ends with an answer. */
function dialogue(count: number): Message[] {
  return Array.from({ length: count }, (_, index): Message => {
    const turn = index % 4;
    const id = `call_${Math.floor(index / 4)}`;
    const args = { key: `entry ${index}`, limit: 3 };
    if (turn === 0) return { role: 'user', content: `What does entry ${index + 1} say?` };
    if (turn === 2)
      return { role: 'tool', callId: id, name: 'tool_3', content: `It says that ${index} is enough.` };
    if (turn === 3) return { role: 'assistant', content: `Entry ${index} says that it is enough.` };
    const call = { id, name: 'tool_3', arguments: args, argumentsText: JSON.stringify(args) };
    return { role: 'assistant', content: '', toolCalls: [call] };
  });
}

function officialMessage(message: Message) {
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  return {
    role: 'assistant',
    content: message.content,
    ...(message.toolCalls
      ? {
          tool_calls: message.toolCalls.map(({ name, arguments: args }) => ({
            function: { name, arguments: args },
          })),
        }
      : {}),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(renderRows());
