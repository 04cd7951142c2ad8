import { describe, expect, test } from 'vitest';
import { isFurther } from '../../src/agent/further-calls.ts';
import type { TurnPolicy } from '../../src/agent/policy.ts';
import { call, scripted, scriptedTools } from './harness.ts';

const policy: TurnPolicy = { furtherCalls: true, rounds: 'once', answerTurn: 'question-and-data' };
const tools = () => scriptedTools({ get_weather: ({ city }) => `rain in ${city}`, get_time: () => '12:00' });
const bare = (city: string) =>
  `\`\`\`json\n{"name": "get_weather", "arguments": {"city": ${JSON.stringify(city)}}}\n\`\`\``;
const question = 'What is the weather in Paris, and what is it in Oslo?';

test('a model that ends its turn with the first call writes on, and all calls are one round', async () => {
  const host = tools();
  const { ask, prompts } = scripted([bare('Paris'), bare('Oslo'), 'That is all.', 'Rain in both.'], host, {
    policy,
  });
  const { result, events } = await ask(question);
  expect(host.ran.map(({ args }) => args.city)).toEqual(['Paris', 'Oslo']);
  expect(result).toMatchObject({ reason: 'answered', answer: 'Rain in both.', toolRuns: 2 });
  // What it wrote besides calls when it had to write on is told nobody.
  expect(events.filter(event => event.type === 'text-delta').map(event => event.text)).toEqual([
    'Rain in both.',
  ]);
  expect(events.filter(event => event.type === 'call-end')).toHaveLength(2);
  const [first = '', second = '', third = ''] = prompts();
  expect(second).toBe(`${first}${bare('Paris')}\n`);
  expect(third).toBe(`${second}${bare('Oslo')}\n`);
});

test('the reply goes into the dialogue as it was written, with all of its calls', async () => {
  const { ask, agent, prompts } = scripted([bare('Paris'), bare('Oslo'), 'No.', 'Rain in both.'], tools(), {
    policy: { furtherCalls: true },
  });
  await ask(question);
  const reply = agent.messages.find(message => message.role === 'assistant');
  expect(reply).toMatchObject({
    toolCalls: [{ arguments: { city: 'Paris' } }, { arguments: { city: 'Oslo' } }],
  });
  expect(prompts()[3]).toContain(`${bare('Paris')}\n${bare('Oslo')}`);
});

test.each([
  ['the same call again', bare('Paris')],
  ['a call with a value that nobody spoke of', bare('Rome')],
  ['a call that cannot be read', '```json\n{"name": "get_weather", "arguments": {"city": 5}}\n```'],
  ['a call and words', `${bare('Oslo')}\nThat is all.`],
  ['nothing', ''],
])('%s is no further call, and nothing is told of it', async (_, written) => {
  const host = tools();
  const { ask } = scripted([bare('Paris'), written, 'Rain.'], host, { policy });
  const { result, events } = await ask(question);
  expect(host.ran.map(({ args }) => args.city)).toEqual(['Paris']);
  expect(events.filter(event => event.type === 'call-end')).toHaveLength(1);
  expect(events.filter(event => event.type === 'call-failed')).toEqual([]);
  expect(result).toMatchObject({ reason: 'answered', answer: 'Rain.' });
});

test.each([
  ['the policy does not say so', bare('Paris'), {}],
  ['words stand beside the call', `Let me see.\n${call('get_weather', { city: 'Paris' })}`, policy],
  ['the turn made no call', 'It rains.', policy],
])('a turn ends as it ended where %s', async (_, written, own) => {
  const { ask, prompts } = scripted([written, 'Rain.'], tools(), { policy: own });
  await ask(question);
  expect(prompts().some(prompt => prompt.endsWith(`${written}\n`))).toBe(false);
});

describe('a further call', () => {
  const made = [{ id: '1', name: 'f', arguments: { a: 5, b: 'x' }, argumentsText: '' }];
  const further = (args: Record<string, string | number | boolean>, asked: string, name = 'f') =>
    isFurther({ id: '2', name, arguments: args, argumentsText: '' }, made, asked);

  test.each([
    [{ a: 7, b: 'x' }, 'with 5 and with 7', true],
    [{ a: 7, b: 'x' }, 'with 5 and with 17', false],
    [{ a: 1500, b: 'x' }, 'with 5 and with 1,500', true],
    [{ a: 5, b: 'The Dark Knight' }, 'of x and of the dark knight', true],
    [{ a: 5, b: 'Rome, Italy' }, 'of x and of Rome', false],
    [{ a: 5, b: 'x' }, 'with 5 and x, and 5 and x', false],
    [{ a: 5 }, 'with 5, and 5', false],
    [{ a: 5, b: 'x', c: true }, 'with 5, x and true', false],
  ])('has a new value that was asked for: %j, %s', (args, asked, expected) => {
    expect(further(args, asked)).toBe(expected);
  });

  test.each([
    [{ a: 6 }, 'with 5 and with 6', 'g', true],
    [{ a: 6 }, 'with 5', 'g', false],
    [{ a: 5 }, 'with 5', 'g', false],
    [{ a: 5 }, 'the perimeter with 5 as well', 'perimeter_of', true],
    [{ a: 5 }, 'The Perimeter with 5 as well', 'findPerimeter', true],
    [{ a: 9 }, 'the perimeter with 5 as well', 'perimeter_of', false],
    [{ a: 5 }, 'the f with 5', 'f_again', false],
  ])(
    'of another tool has one too, or the question names the tool: %j, %s, %s',
    (args, asked, name, expected) => {
      expect(further(args, asked, name)).toBe(expected);
    },
  );
});
