import { expect, test } from 'vitest';
import { call, scripted, scriptedTools } from './harness.ts';

const oslo = call('get_weather', { city: 'Oslo' });
const tools = () => scriptedTools({ get_weather: ({ city }) => `weather of ${city}` });

test.each([
  ['off', [false, false]],
  ['calls', [true, true]],
  ['required', [true, true]],
] as const)('%s steers decisions and no answer', async (constrain, expected) => {
  const { ask, steered } = scripted([oslo, '', 'Cold.'], tools(), { constrain });
  await ask('Oslo?');
  expect(steered).toEqual([...expected, false]);
});

test('required is the first turn’s alone: the answer must be possible', async () => {
  const { ask, grammars } = scripted([oslo, 'Cold.'], tools(), { constrain: 'required' });
  await ask('Oslo?');
  expect(grammars).toEqual([true, false]);
});
