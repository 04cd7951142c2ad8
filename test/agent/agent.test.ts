import { describe, expect, test } from 'vitest';
import { approval } from '../../src/agent/approval.ts';
import { call, scripted, scriptedTools } from './harness.ts';

const oslo = call('get_weather', { city: 'Oslo' });
const lima = call('get_weather', { city: 'Lima' });
const temperatures: Record<string, string> = { Oslo: '4 degrees', Lima: '20 degrees' };
const weatherTools = () =>
  scriptedTools({
    get_weather: ({ city }) => temperatures[String(city)] ?? 'unknown',
    get_time: () => '12:00',
  });

describe('a run', () => {
  test('decides, calls, and answers from the result', async () => {
    const tools = weatherTools();
    const { ask, prompts } = scripted([oslo, 'It is 4 degrees in Oslo.'], tools);
    const { result, events } = await ask('Weather in Oslo?');
    expect(result).toEqual({
      reason: 'answered',
      answer: 'It is 4 degrees in Oslo.',
      turns: 2,
      toolRuns: 1,
      repeats: 0,
      unasked: 0,
    });
    expect(tools.ran).toEqual([{ name: 'get_weather', args: { city: 'Oslo' } }]);
    expect(prompts()[1]).toContain('<tool_response>\n4 degrees\n</tool_response>');
    expect(events.map(event => event.type)).toEqual([
      'run-start',
      ...['turn-start', 'call-start', 'call-delta', 'call-end', 'completion-end', 'usage'],
      ...['approval-end', 'tool-start', 'tool-end'],
      ...['turn-start', 'text-delta', 'completion-end', 'usage'],
      'run-end',
    ]);
  });

  test('each prompt begins with the one before and what was generated', async () => {
    const { ask, prompts } = scripted(
      [`Let me see.\n${oslo}`, lima, 'Done.', 'You are welcome.'],
      weatherTools(),
    );
    await ask('Oslo, then Lima?');
    await ask('Thanks!');
    const [first = '', second = '', third = '', fourth = ''] = prompts();
    expect(second.startsWith(`${first}Let me see.\n${oslo}`)).toBe(true);
    expect(third.startsWith(`${second}${lima}`)).toBe(true);
    expect(fourth.startsWith(`${third}Done.`)).toBe(true);
  });

  test('runs the calls of a turn side by side and ties each result to its call', async () => {
    const finished: unknown[] = [];
    let release = () => {};
    const limaIsDone = new Promise<void>(resolve => {
      release = resolve;
    });
    const tools = scriptedTools({
      async get_weather({ city }) {
        if (city === 'Oslo') await limaIsDone;
        else release();
        finished.push(city);
        return temperatures[String(city)]!;
      },
    });
    const { ask, agent } = scripted([`${oslo}\n${lima}`, 'Done.'], tools);
    await ask('Oslo and Lima?');
    expect(finished).toEqual(['Lima', 'Oslo']);
    const results = agent.messages.filter(message => message.role === 'tool');
    expect(results.map(({ callId, content }) => [callId, content])).toEqual([
      ['call_1', '4 degrees'],
      ['call_2', '20 degrees'],
    ]);
  });

  test('without a call is the answer, and says that no tool ran', async () => {
    const { result } = await scripted(['Hello!'], weatherTools()).ask('Hi');
    expect(result).toMatchObject({ reason: 'answered', answer: 'Hello!', toolRuns: 0 });
  });
});

describe('what goes wrong is told to the model', () => {
  test('an error of the tool', async () => {
    const tools = scriptedTools({ get_weather: () => ({ content: 'no such city', isError: true }) });
    const { ask, prompts } = scripted([oslo, 'I could not find it.'], tools);
    expect((await ask('Weather in Oslo?')).result.answer).toBe('I could not find it.');
    expect(prompts()[1]).toContain('Error: no such city');
  });

  test('a refusal, with its reason', async () => {
    const tools = weatherTools();
    const approve = approval({ ask: async () => ({ allowed: false, reason: 'not today' }) });
    const { ask, prompts } = scripted([oslo, 'As you wish.'], tools, { approve });
    const { events } = await ask('Weather in Oslo?');
    expect(tools.ran).toEqual([]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'approval-end', allowed: false, reason: 'not today' }),
    );
    expect(prompts()[1]).toContain('The user did not allow this call: not today');
  });

  test('a call that lacks an argument, beside a good one that runs', async () => {
    const tools = weatherTools();
    const { ask, prompts } = scripted([`${call('get_weather', {})}\n${lima}`, 'Lima has 20 degrees.'], tools);
    const { events } = await ask('Weather?');
    expect(tools.ran).toEqual([{ name: 'get_weather', args: { city: 'Lima' } }]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'call-failed', problem: 'bad_arguments' }));
    expect(prompts()[1]).toMatch(/city[\s\S]*20 degrees/);
  });

  test('a result that would fill the context is cut, and the model sees where', async () => {
    const tools = scriptedTools({ get_weather: () => `cold ${'snow '.repeat(20_000)}end` });
    const { ask, prompts } = scripted([oslo, 'Snow.'], tools, { model: { contextSize: 4096 } as never });
    const { events } = await ask('Weather in Oslo?');
    const end = events.find(event => event.type === 'tool-end');
    expect(end?.leftOut).toBeGreaterThan(90_000);
    expect(prompts()[1]).toMatch(/cold snow[\s\S]*characters left out[\s\S]*snow end/);
    expect(prompts()[1]!.length).toBeLessThan(3 * 3584);
  });
});

describe('a model that goes round in circles', () => {
  test('the same call again is answered from the first result and counted', async () => {
    const tools = weatherTools();
    const { ask, prompts } = scripted([oslo, oslo, 'It is 4 degrees.'], tools);
    const { result } = await ask('Weather in Oslo?');
    expect(tools.ran).toHaveLength(1);
    expect(result).toMatchObject({ reason: 'answered', repeats: 1, toolRuns: 1 });
    expect(prompts()[2]).toContain('The same call was made before');
  });

  test('twice in one turn runs once, and both get the result', async () => {
    const tools = weatherTools();
    const { ask, agent } = scripted([`${oslo}\n${oslo}`, '4 degrees.'], tools);
    await ask('Oslo twice');
    expect(tools.ran).toHaveLength(1);
    expect(agent.messages.filter(message => message.role === 'tool')).toHaveLength(2);
  });

  test('a few repeats end in words, without the schemas before it', async () => {
    const { ask, prompts } = scripted([oslo, oslo, oslo, 'It is 4 degrees.'], weatherTools());
    const { result } = await ask('Weather in Oslo?');
    expect(result).toMatchObject({ reason: 'answered', answer: 'It is 4 degrees.', turns: 4 });
    expect(prompts()[3]).not.toContain('<tools>');
  });

  test('an unknown tool called over and over ends in a message that says why', async () => {
    const unknown = call('web_search', { query: 'tides' });
    const { result } = await scripted([unknown, unknown, unknown], weatherTools()).ask('Find tides');
    expect(result).toMatchObject({ reason: 'no_answer', toolRuns: 0, turns: 3 });
    expect(result.answer).toContain('web_search');
  });

  test('the round limit shows what was found so far', async () => {
    const rounds = ['A', 'B', 'C'].map(city => call('get_weather', { city }));
    const tools = scriptedTools({ get_weather: ({ city }) => `weather of ${city}` });
    const { result } = await scripted(rounds, tools, { maxRounds: 2 }).ask('Keep going');
    expect(result).toMatchObject({ reason: 'round_limit', toolRuns: 2 });
    expect(result.answer).toContain('weather of B');
  });
});

describe('a model that answers with nothing', () => {
  test('is asked once more without the schemas', async () => {
    const { ask, prompts } = scripted([oslo, '', 'It is 4 degrees.'], weatherTools());
    expect((await ask('Weather in Oslo?')).result).toMatchObject({
      reason: 'answered',
      answer: 'It is 4 degrees.',
    });
    expect(prompts()[1]).toContain('<tools>');
    expect(prompts()[2]).not.toContain('<tools>');
    expect(prompts()[2]).toContain('4 degrees');
  });

  test('and then the result itself is shown, saying so', async () => {
    const { result } = await scripted([oslo, '', ' \n'], weatherTools()).ask('Weather in Oslo?');
    expect(result.reason).toBe('no_answer');
    expect(result.answer).toMatch(/gave no answer[\s\S]*get_weather: 4 degrees/);
  });
});

describe('the answer turn', () => {
  test('without-schema keeps the call and its result', async () => {
    const { ask, prompts } = scripted([oslo, 'dropped', 'It is 4 degrees.'], weatherTools(), {
      policy: { answerTurn: 'without-schema' },
    });
    const { result } = await ask('Weather in Oslo?');
    expect(result.answer).toBe('It is 4 degrees.');
    expect(prompts()[2]).not.toContain('<tools>');
    expect(prompts()[2]).not.toContain('dropped');
    expect(prompts()[2]).toContain(oslo);
  });

  test('question-and-data holds the question and the data, and neither schema nor call', async () => {
    const { ask, prompts } = scripted([oslo, oslo, 'It is 4 degrees.'], weatherTools(), {
      system: 'Be brief.',
      policy: { answerTurn: 'question-and-data' },
    });
    const { result } = await ask('Weather in Oslo?');
    expect(result).toMatchObject({ reason: 'answered', turns: 3, repeats: 1 });
    expect(prompts()[2]).toContain('Be brief.');
    expect(prompts()[2]).toContain('Question: Weather in Oslo?\nData: 4 degrees<|im_end|>');
    expect(prompts()[2]).not.toMatch(/<tools>|<tool_call>|get_weather/);
  });

  test('is not taken where no tool was called', async () => {
    const { ask } = scripted(['Hello!'], weatherTools(), { policy: { answerTurn: 'question-and-data' } });
    expect((await ask('Hi')).result).toMatchObject({ answer: 'Hello!', turns: 1 });
  });

  test('the schemas are back at the next question', async () => {
    const { ask, prompts } = scripted([oslo, 'x', '4.', lima, 'x', '20.'], weatherTools(), {
      policy: { answerTurn: 'without-schema', schema: 'tail' },
    });
    await ask('Weather in Oslo?');
    await ask('And Lima?');
    expect(prompts()[3]).toContain('<tools>');
    expect(prompts()[3]!.indexOf('<tools>')).toBeGreaterThan(prompts()[3]!.indexOf('And Lima?'));
  });
});

describe('an abort', () => {
  test('in a tool ends the run, and the next question works', async () => {
    const abort = new AbortController();
    const tools = scriptedTools({
      get_weather: (_args, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
          abort.abort();
        }),
    });
    const { ask, prompts } = scripted([oslo, 'Hello.'], tools);
    expect((await ask('Weather in Oslo?', abort.signal)).result.reason).toBe('aborted');
    expect((await ask('Hi')).result.answer).toBe('Hello.');
    expect(prompts()[1]).toContain('this call was not answered');
  });

  test('before anything was said takes the question back', async () => {
    const { ask, agent } = scripted(['Hello.'], weatherTools());
    expect((await ask('Hi', AbortSignal.abort())).result.reason).toBe('aborted');
    expect(agent.messages).toEqual([]);
  });
});

describe("messages in the question's place", () => {
  const messages = [
    { role: 'user', content: 'I am Ann.' },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'Who am I?\n\nAttached: a list' },
  ] as const;

  test('go into the dialogue as they are, and what was said before stays as it was', async () => {
    const { agent, ask, prompts } = scripted(['Hi.', 'You are Ann.'], weatherTools());
    await ask('Good day!');
    const events = [];
    for await (const event of agent.run('Who am I?', { messages })) events.push(event);
    expect(events[0]).toMatchObject({ type: 'run-start', question: 'Who am I?' });
    expect(agent.messages.slice(2, 5)).toEqual(messages);
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'You are Ann.' });
    const [first = '', second = ''] = prompts();
    expect(second.startsWith(`${first}Hi.`)).toBe(true);
    expect(second).toContain('Attached: a list<|im_end|>');
  });

  test('are taken back, all of them, by an abort before anything was said', async () => {
    const { agent } = scripted(['You are Ann.'], weatherTools());
    const run = agent.run('Who am I?', { messages, signal: AbortSignal.abort() });
    for (let step = await run.next(); !step.done; step = await run.next());
    expect(agent.messages).toEqual([]);
  });
});
