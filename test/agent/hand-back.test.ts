/** Calls that are left to whoever asked. */
import { expect, test } from 'vitest';
import type { Message } from '../../templates/template.ts';
import { call, scripted, scriptedTools } from './harness.ts';

const oslo = call('get_weather', { city: 'Oslo' });
const time = call('get_time', {});
const tools = () => scriptedTools({ get_weather: () => '4 degrees', get_time: () => '12:00' });
const handBack = (name: string) => name === 'get_time';

test('a turn with such a call ends the run, and its other calls have run', async () => {
  const source = tools();
  const { ask, agent } = scripted([`Both.\n${oslo}\n${time}`], source, { handBack });
  const { result, events } = await ask('Weather and time?');
  expect(result).toMatchObject({ reason: 'calls', answer: 'Both.', turns: 1, toolRuns: 1 });
  expect(source.ran).toEqual([{ name: 'get_weather', args: { city: 'Oslo' } }]);
  expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'calls' });
  const [, assistant, ...results] = agent.messages;
  expect(assistant).toMatchObject({ toolCalls: [{ name: 'get_weather' }, { name: 'get_time' }] });
  expect(results).toMatchObject([{ role: 'tool', name: 'get_weather', content: '4 degrees' }]);
});

test('the dialogue goes on from its results, without another question', async () => {
  const first = scripted([time], tools(), { handBack });
  await first.ask('What time is it?');
  const asked = first.agent.messages;
  const callId = (asked.at(-1) as Extract<Message, { role: 'assistant' }>).toolCalls![0]!.id;
  const messages: Message[] = [...asked, { role: 'tool', callId, name: 'get_time', content: '12:00' }];
  const second = scripted([oslo, 'Noon, and 4 degrees.'], tools(), { handBack, messages });
  const run = second.agent.run('What time is it?', { messages: [] });
  for (;;) {
    const step = await run.next();
    if (!step.done) continue;
    expect(step.value).toMatchObject({ reason: 'answered', answer: 'Noon, and 4 degrees.', toolRuns: 1 });
    break;
  }
  expect(second.prompts()[0]!.startsWith(`${first.prompts()[0]}${time}`)).toBe(true);
});

test('the limit of a run does not take such a call back', async () => {
  const { ask } = scripted([[...time].map(text => ({ text }))], tools(), {
    handBack,
    limits: { runTokens: time.length },
  });
  expect((await ask('What time is it?')).result.reason).toBe('calls');
});
