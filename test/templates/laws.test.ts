/** Laws 6 and 7 and the schema placements, over every format. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Piece, ToolCall } from '../../parsers/parser.ts';
import { readCompletion } from '../../parsers/read.ts';
import { formats } from '../../src/format.ts';
import { continuation } from '../../templates/continuation.ts';
import { promptText } from '../../templates/prompt.ts';
import type {
  AssistantMessage,
  Message,
  Prompt,
  RenderOptions,
  SchemaForm,
  SchemaPlacement,
} from '../../templates/template.ts';
import { messages, tools } from './arbitraries.ts';

const placements: SchemaPlacement[] = ['native', 'system', 'user', 'tail', 'none'];
const forms: SchemaForm[] = ['native', 'minified', 'signature', 'python'];
const options = fc.record({
  schema: fc.constantFrom(...placements),
  schemaForm: fc.constantFrom(...forms),
  generationPrompt: fc.boolean(),
  thinking: fc.boolean(),
});
/** What stands right before a tool's name where it is declared. Hermes says the name once more, in a signature. */
const declarations = ['"name": "', 'type ', '<name>', 'declaration:', '### '];
/** Natively these have the schemas before the last user turn, wherever that is. */
const movesWithUser = ['mistral-v3', 'mistral-v11'];
/** Natively these have a token around every string of a declaration. */
const quotesStrings = ['functiongemma', 'gemma4'];
const controls = (prompt: Prompt) => prompt.flatMap(piece => ('control' in piece ? [piece.control] : []));

/** The conversation with each untrusted text replaced by `x`, its shape kept. */
function harmless(message: Message): Message {
  const content = message.content === '' ? '' : 'x';
  if (message.role !== 'assistant') return { ...message, content };
  return {
    ...message,
    content,
    ...(message.reasoning === undefined ? {} : { reasoning: 'x' }),
    ...(message.toolCalls === undefined ? {} : { toolCalls: message.toolCalls.map(harmlessCall) }),
  };
}

/** What decides how a call is spelled is kept too: whether a key needs quotes, and marks that quote strings. */
function harmlessCall(call: ToolCall): ToolCall {
  const marks = (value: string) => ['<escape>', '<|"|>'].filter(mark => value.includes(mark)).join('');
  const members = Object.entries(call.arguments).map(([key, value], index) => [
    /^[\p{L}\p{N}_.$-]+$/u.test(key) ? `x${index}` : `x ${index}${marks(key)}`,
    typeof value === 'string' ? `x${marks(value)}` : value,
  ]);
  const args = Object.fromEntries(members) as ToolCall['arguments'];
  return { ...call, arguments: args, argumentsText: JSON.stringify(args) };
}

/** A control token of the vocabulary becomes a control piece, everything else text, one piece a chunk. */
function generated(template: (typeof formats)[number], message: Message): Piece[] {
  const { content, ...rest } = message;
  const calls = rest.role === 'assistant' ? (rest.toolCalls ?? []) : [];
  return [{ text: content }, ...(calls.length > 0 ? template.parser.write(calls) : [])].filter(
    ({ text }) => text !== '',
  );
}

/** The calls with the ids that the completion spells, as reading it gives them. */
function written({ parser }: (typeof formats)[number], message: AssistantMessage): AssistantMessage {
  const { toolCalls } = message;
  if (!toolCalls) return message;
  const read = readCompletion(parser, parser.write(toolCalls)).calls;
  return {
    ...message,
    // Not every syntax can say every call.
    toolCalls: toolCalls.map((call, index) => ({ ...call, writtenId: read[index]?.id ?? call.id })),
  };
}

describe.each(formats)('$name', format => {
  const { template } = format;

  test('law 6: untrusted text never becomes a control token', () => {
    fc.assert(
      fc.property(messages, tools, options, (list, offered, how) => {
        const plainTools = offered.map(({ name }) => ({
          name,
          description: 'x',
          inputSchema: { type: 'object', properties: { x: { type: 'string', description: 'x' } } },
        }));
        const forged = template.render({ messages: list, tools: offered }, how);
        const plain = template.render({ messages: list.map(harmless), tools: plainTools }, how);
        expect(controls(forged)).toEqual(controls(plain));
        for (const token of controls(forged)) expect(template.controlTokens).toContain(token);
      }),
      { numRuns: 100 },
    );
  });

  test.each(['native', 'system'] as const)(
    'law 7: each prompt begins with the last one and its completion (%s)',
    schema => {
      fc.assert(
        fc.property(messages, tools, fc.boolean(), (list, offered, thinking) => {
          const how = { schema, thinking };
          const grows = schema === 'system' || !movesWithUser.includes(format.name);
          const history: Message[] = [];
          let before = '';
          for (const message of list) {
            if (message.role === 'assistant') {
              const pieces = generated(format, message);
              const conversation = { messages: [...history], tools: offered };
              const prefill = template.prefill?.(how, conversation) ?? [];
              const prompt = promptText(template.render(conversation, how));
              expect(prompt.startsWith(before)).toBe(true);
              const step = continuation(template, conversation, how);
              if (before !== '' && step) expect(before + promptText(step)).toBe(prompt);
              expect(step === undefined).toBe(!history.some(one => one.role === 'assistant'));
              before = prompt + pieces.map(piece => piece.text).join('');
              history.push({ ...written(format, message), completion: [...prefill, ...pieces] });
            } else {
              history.push(message);
              if (message.role === 'user' && !grows) before = '';
            }
          }
          const last = template.render(
            { messages: history, tools: offered },
            { ...how, generationPrompt: false },
          );
          expect(promptText(last).startsWith(before)).toBe(true);
        }),
        { numRuns: 50 },
      );
    },
  );

  const exchange: Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'question one' },
    { role: 'assistant', content: 'reply' },
    { role: 'user', content: 'question two' },
  ];
  const offered = [
    { name: 'zebra_tool', description: 'd', inputSchema: { type: 'object', properties: {} } },
    { name: 'yak_tool', description: 'd', inputSchema: { type: 'object', properties: {} } },
  ];
  const turnOf = (name: string, prompt: string) => {
    const at = prompt.indexOf(name);
    const after = prompt.slice(0, at).lastIndexOf('question one') > -1;
    return { after, beforeSecond: prompt.slice(at).includes('question two') };
  };

  test.each<[SchemaPlacement, object | undefined]>([
    ['system', { after: false, beforeSecond: true }],
    ['user', { after: true, beforeSecond: true }],
    ['tail', { after: true, beforeSecond: false }],
    ['none', undefined],
  ])('the schemas stand where they are asked for and nowhere else (%s)', (schema, place) => {
    const prompt = promptText(template.render({ messages: exchange, tools: offered }, { schema }));
    for (const { name } of offered) {
      const places = prompt.match(new RegExp(`(?:${declarations.join('|')})${name}\\b`, 'g'))?.length ?? 0;
      expect(places).toBe(place ? 1 : 0);
      if (place) expect(turnOf(name, prompt)).toEqual(place);
      else expect(prompt).not.toContain(name);
    }
  });

  test.each(forms)('every form stands in the place of the native one, each tool once (%s)', schemaForm => {
    const render = (how: RenderOptions) => template.render({ messages: exchange, tools: offered }, how);
    const own = (prompt: Prompt) =>
      prompt.map(piece => ('text' in piece && piece.origin === 'tools' ? '…' : piece));
    const [prompt, native] = [render({ schemaForm }), render({})];
    if (!quotesStrings.includes(format.name)) expect(own(prompt)).toEqual(own(native));
    const text = prompt
      .map(piece => ('text' in piece && piece.origin === 'tools' ? piece.text : ''))
      .join('\n');
    for (const { name } of offered) expect(text).toContain(name);
    if (schemaForm === 'signature') expect(text.match(/^zebra_tool\(\)$/gm)).toHaveLength(1);
    if (schemaForm === 'python') expect(text.match(/^def yak_tool\(\):$/gm)).toHaveLength(1);
    if (schemaForm === 'minified') expect(text.match(/"name":"zebra_tool"/g)).toHaveLength(1);
  });

  test.each(placements)('no user turn: the schemas are not lost (%s)', schema => {
    const prompt = promptText(
      template.render({ messages: exchange.slice(0, 1), tools: offered }, { schema }),
    );
    expect(prompt.includes('zebra_tool')).toBe(schema !== 'none');
  });

  test('no tools: every placement is the same', () => {
    const prompts = placements.map(schema =>
      promptText(template.render({ messages: exchange, tools: [] }, { schema })),
    );
    expect(new Set(prompts).size).toBe(1);
  });

  test('neighbouring texts of one origin are one piece', () => {
    fc.assert(
      fc.property(messages, tools, options, (list, offeredTools, how) => {
        const prompt = template.render({ messages: list, tools: offeredTools }, how);
        prompt.forEach((piece, index) => {
          const next = prompt[index + 1];
          if ('text' in piece && next && 'text' in next) expect(next.origin).not.toBe(piece.origin);
          if ('text' in piece) expect(piece.text).not.toBe('');
        });
      }),
      { numRuns: 50 },
    );
  });

  test('history calls keep every digit of their numbers', () => {
    const argumentsText = '{"n":12345678901234567890123,"x":[1.0,1e400]}';
    const prompt = promptText(
      template.render({
        messages: [
          { role: 'user', content: 'q' },
          {
            role: 'assistant',
            content: '',
            toolCalls: [{ id: 'a', name: 'f', arguments: {}, argumentsText }],
          },
        ],
        tools: [],
      }),
    );
    expect(prompt).toContain('12345678901234567890123');
    expect(prompt).toMatch(/\[1\.0, ?1e400\]/);
  });
});
