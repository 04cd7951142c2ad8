/** The dialogues that every template is compared with its official counterpart over. */
import type { ToolCall, ToolDefinition } from '../../parsers/parser.ts';
import type { AssistantMessage, Message, RenderOptions } from '../../templates/template.ts';

export interface Dialogue {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[];
  readonly options?: RenderOptions;
}

const system = (content = 'You are terse.'): Message => ({ role: 'system', content });
const user = (content = 'How warm is Oslo?'): Message => ({ role: 'user', content });
const says = (content: string, more: Partial<AssistantMessage> = {}): Message => ({
  role: 'assistant',
  content,
  ...more,
});
const call = (id: string, name: string, argumentsText: string): ToolCall => ({
  id,
  name,
  arguments: JSON.parse(argumentsText),
  argumentsText,
});
const calls = (...toolCalls: ToolCall[]): Message => says('', { toolCalls });
const result = (callId: string, content: string, name = 'weather'): Message => ({
  role: 'tool',
  callId,
  name,
  content,
});

const oslo = call('a', 'weather', '{"city": "Oslo"}');
const rome = call('b', 'weather', '{"city": "Rome", "days": 3}');
const sum = call('c', 'add', '{"a":1,"b":2}');

const weather: ToolDefinition = {
  name: 'weather',
  description: 'The weather of a city.',
  inputSchema: {
    type: 'object',
    properties: {
      city: { type: 'string', description: ' The city. ' },
      days: { type: 'integer', minimum: 1, default: 1 },
    },
    required: ['city'],
  },
};
const add: ToolDefinition = {
  name: 'add',
  description: 'Adds "two" numbers.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
};
const tools = [weather, add];

const nested: ToolDefinition = {
  name: 'plan_trip',
  description: 'Plans a trip: Zürich → 東京.',
  inputSchema: {
    type: 'object',
    properties: {
      unit: { type: 'string', enum: ['km', 'mi', 'långt'], description: 'Unit of length' },
      stops: {
        type: 'array',
        items: { type: 'object', properties: { at: { type: 'string' }, nights: { type: 'integer' } } },
        description: 'The stops',
      },
      limit: { type: ['number', 'null'], description: 'A limit' },
      labels: { type: 'object', additionalProperties: { type: 'boolean' } },
      tags: { type: 'array', items: { type: 'string' } },
      free: { description: 'Anything' },
      options: { type: 'object', properties: {}, required: [] },
    },
  },
};
const bare: ToolDefinition[] = [
  { name: 'now', inputSchema: { type: 'object', properties: {} } },
  { name: 'reboot', description: 'Restarts.', inputSchema: { type: 'object' } },
];
const returning: ToolDefinition = {
  ...weather,
  outputSchema: { type: 'object', description: 'Degrees and wind', additionalProperties: { type: 'number' } },
};

/** Plain turns, without tools and calls. */
export const plain: readonly Dialogue[] = [
  { id: 'user', messages: [user()] },
  { id: 'system', messages: [system(), user()] },
  { id: 'system-empty', messages: [system(''), user()] },
  {
    id: 'several-turns',
    messages: [system(), user('Hi'), says('Hello.'), user('Bye'), says('So long.'), user('?')],
  },
  { id: 'ends-with-reply', messages: [user('Hi'), says('Hello.')], options: { generationPrompt: false } },
  { id: 'late-system', messages: [user('Hi'), says('Hello.'), system('Now in verse.'), user('Go on')] },
  { id: 'non-ascii', messages: [system('Svara på svenska.'), user('Väder i 東京? 🌧️ é\u0301')] },
  { id: 'blanks', messages: [system('  s \n'), user('\n\n two\n\nlines \t\n'), says(' x '), user(' ')] },
  { id: 'newlines-first', messages: [user('Hi'), says('\n\nHello.\n'), user('\n')] },
  { id: 'date', messages: [user()], options: { date: '01 Feb 2026' } },
];

/** Tools, calls and their results. */
export const withTools: readonly Dialogue[] = [
  { id: 'tools', messages: [user()], tools },
  { id: 'tools-in-system', messages: [system(), user()], tools, options: { schema: 'system' } },
  { id: 'tools-system', messages: [system(), user()], tools },
  { id: 'tools-system-empty', messages: [system(''), user()], tools },
  { id: 'tools-nested', messages: [user('Väg?')], tools: [nested] },
  { id: 'tools-bare', messages: [system(), user()], tools: bare },
  { id: 'tools-returning', messages: [user()], tools: [returning] },
  { id: 'call', messages: [user(), calls(oslo), result('a', '4 °C')], tools },
  {
    id: 'call-answered',
    messages: [user(), calls(oslo), result('a', '4 °C'), says('4 °C.'), user('Thanks')],
    tools,
  },
  { id: 'call-without-tools', messages: [user(), calls(oslo), result('a', '4 °C')] },
  { id: 'call-last', messages: [user(), calls(oslo)], tools, options: { generationPrompt: false } },
  {
    id: 'call-no-arguments',
    messages: [user(), calls(call('d', 'now', '{}')), result('d', 'noon', 'now')],
    tools: bare,
  },
  {
    id: 'parallel',
    messages: [user(), calls(oslo, rome, sum), result('a', '4'), result('b', '20'), result('c', '3', 'add')],
    tools,
  },
  {
    id: 'out-of-order',
    messages: [user(), calls(oslo, rome), result('b', '20'), result('a', '4'), says('4, 20'), user('Ok')],
    tools,
  },
  {
    id: 'content-beside',
    messages: [
      user(),
      says('Let me look.', { toolCalls: [oslo, rome] }),
      result('a', '4'),
      result('b', '20'),
    ],
    tools,
  },
  { id: 'result-empty', messages: [user(), calls(oslo), result('a', '')], tools },
  { id: 'result-lines', messages: [user(), calls(oslo), result('a', '\n a\n\n b \n')], tools },
  { id: 'result-json', messages: [user(), calls(oslo), result('a', '{"t": [4, "ö"], "q": "\\""}')], tools },
  {
    id: 'two-rounds',
    messages: [system(), user(), calls(oslo), result('a', '4'), calls(rome), result('b', '20')],
    tools,
  },
  {
    id: 'two-exchanges',
    messages: [
      user(),
      calls(oslo),
      result('a', '4'),
      says('4'),
      user('Rome?'),
      calls(rome),
      result('b', '20'),
    ],
    tools,
  },
  {
    id: 'numbers',
    messages: [
      user(),
      calls(call('n', 'add', '{"a":12345678901234567890123,"b":[-0.5,1.0,1e3,9007199254740993]}')),
      result('n', '?', 'add'),
    ],
    tools,
  },
  {
    id: 'strings',
    messages: [
      user(),
      calls(call('s', 'weather', '{"city":"Å\\n\\"q\\" \\\\ 東京 </b>\\t😀","null":null,"on":true}')),
      result('s', 'ok'),
    ],
    tools,
  },
  {
    id: 'nested-arguments',
    messages: [
      user(),
      calls(
        call('p', 'plan_trip', '{"stops":[{"at":"x","nights":2},{}],"labels":{},"tags":[],"limit":null}'),
      ),
      result('p', 'ok', 'plan_trip'),
    ],
    tools: [nested],
  },
];

/** Reasoning, in the exchange in progress and in earlier ones. */
export const thinking: readonly Dialogue[] = [
  { id: 'thinking-off', messages: [user()], options: { thinking: false } },
  {
    id: 'thinking-off-tools',
    messages: [system(), user(), calls(oslo), result('a', '4')],
    tools,
    options: { thinking: false },
  },
  {
    id: 'thinking-closed',
    messages: [user('Hi'), says('Hello.', { reasoning: 'A greeting.' }), user('Bye')],
  },
  {
    id: 'thinking-open',
    messages: [
      user(),
      says('', { reasoning: '\nLook it up.\n\nNow.\n', toolCalls: [oslo] }),
      result('a', '4'),
    ],
    tools,
  },
  {
    id: 'thinking-both',
    messages: [
      user('Hi'),
      says('Hello.', { reasoning: 'Old.' }),
      user(),
      says('\nSo:', { reasoning: 'New.', toolCalls: [oslo] }),
      result('a', '4'),
    ],
    tools,
  },
  {
    id: 'thinking-last',
    messages: [user('Hi'), says('\n\nHello.', { reasoning: 'A greeting.' })],
    options: { generationPrompt: false },
  },
  {
    id: 'thinking-newlines',
    messages: [user(), says('\n', { reasoning: '\n', toolCalls: [oslo] }), result('a', '4')],
    tools,
  },
  { id: 'no-user', messages: [system(), says('Hello.', { reasoning: 'Begin.' })] },
];

export const dialogues = [...plain, ...withTools, ...thinking];
