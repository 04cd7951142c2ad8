import { describe, expect, test } from 'vitest';
import { call, scripted, scriptedTools } from './harness.ts';

const oslo = call('get_weather', { city: 'Oslo' });
const lima = call('get_weather', { city: 'Lima' });
const weatherTools = () => scriptedTools({ get_weather: ({ city }) => `weather of ${city}` });

/** Of the prompts of one lane: each begins with the one before. */
function grows(prompts: readonly string[], lanes: readonly string[], lane: string): boolean {
  const own = prompts.filter((_, index) => lanes[index] === lane);
  return own.every((prompt, index) => index === 0 || prompt.startsWith(own[index - 1]!));
}

describe('lanes', () => {
  test('with the schemas there is one', async () => {
    const { ask, lanes, prompts } = scripted([oslo, 'Cold.', lima, 'Warm.'], weatherTools());
    await ask('Oslo?');
    await ask('Lima?');
    expect(new Set(lanes)).toEqual(new Set(['']));
    expect(grows(prompts(), lanes, '')).toBe(true);
  });

  test('answers without the schemas have one of their own, and both only grow', async () => {
    const completions = [oslo, 'dropped', 'Cold.', lima, 'dropped', 'Warm.', 'Bye.'];
    const { ask, lanes, prompts } = scripted(completions, weatherTools(), {
      policy: { answerTurn: 'without-schema' },
    });
    await ask('Oslo?');
    await ask('Lima?');
    await ask('Bye');
    expect(lanes).toEqual(['', '', '/answer', '', '', '/answer', '']);
    expect(grows(prompts(), lanes, '/answer')).toBe(true);
    // What was dropped was generated in the decision lane, and is all that is taken back there.
    const decisions = prompts().filter((_, index) => lanes[index] === '');
    expect(decisions[2]!.startsWith(decisions[1]!)).toBe(true);
    expect(decisions[4]!.startsWith(decisions[3]!)).toBe(true);
  });

  test('another dialogue on the same engine is told apart', async () => {
    const { ask, lanes } = scripted([oslo, 'Cold.', 'Cold.'], weatherTools(), {
      lane: 'second',
      policy: { answerTurn: 'without-schema' },
    });
    await ask('Oslo?');
    expect(lanes).toEqual(['second', 'second', 'second/answer']);
  });
});

describe('rounds: once', () => {
  test('answers after one round, from the schemas’ own prompt', async () => {
    const { ask, prompts, lanes } = scripted([oslo, 'Cold.'], weatherTools(), { policy: { rounds: 'once' } });
    expect((await ask('Oslo?')).result).toMatchObject({ reason: 'answered', answer: 'Cold.', turns: 2 });
    expect(lanes).toEqual(['', '']);
    expect(prompts()[1]).toContain('<tools>');
  });

  test('a call in the answer is no call, and an answer without words is written without the schemas', async () => {
    const tools = weatherTools();
    const { ask, prompts, agent } = scripted([oslo, lima, 'Cold.'], tools, { policy: { rounds: 'once' } });
    const { result, events } = await ask('Oslo?');
    expect(result).toMatchObject({ reason: 'answered', answer: 'Cold.', toolRuns: 1 });
    expect(events).toContainEqual(expect.objectContaining({ type: 'guard', guard: 'empty_answer' }));
    expect(prompts()[2]).not.toContain('<tools>');
    expect(JSON.stringify(agent.messages)).not.toContain('Lima');
  });

  test('without the schemas costs one decision turn', async () => {
    const { ask, lanes } = scripted([oslo, 'Cold.'], weatherTools(), {
      policy: { rounds: 'once', answerTurn: 'without-schema' },
    });
    expect((await ask('Oslo?')).result).toMatchObject({ answer: 'Cold.', turns: 2 });
    expect(lanes).toEqual(['', '/answer']);
  });
});

describe('decisionHistory: calls-only', () => {
  test('leaves earlier results out of decisions and keeps them for answers', async () => {
    const { ask, prompts, lanes } = scripted([oslo, 'Cold.', lima, 'Warm.'], weatherTools(), {
      policy: { rounds: 'once', answerTurn: 'without-schema', decisionHistory: 'calls-only' },
    });
    await ask('Oslo?');
    await ask('Lima?');
    const [, , decision, answer] = prompts();
    expect(decision).not.toContain('weather of Oslo');
    expect(decision).toContain('Cold.');
    expect(answer).toContain('weather of Oslo');
    expect(answer).toContain('weather of Lima');
    expect(grows(prompts(), lanes, '')).toBe(true);
    expect(grows(prompts(), lanes, '/answer')).toBe(true);
  });

  test('keeps the results of the question in progress', async () => {
    const { ask, prompts } = scripted([oslo, 'Cold.'], weatherTools(), {
      policy: { decisionHistory: 'calls-only' },
    });
    await ask('Oslo?');
    expect(prompts()[1]).toContain('weather of Oslo');
  });
});
