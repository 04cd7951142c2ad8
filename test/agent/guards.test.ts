import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/agent/events.ts';
import { announcesCall, isCall, likeNamed, strangeCall } from '../../src/agent/guards.ts';
import { repetitionWatch } from '../../src/agent/repetition.ts';
import { recordedEngine } from '../../src/engine/recorded.ts';
import { formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';
import { call, clock, scripted, scriptedTools, weather } from './harness.ts';

const oslo = call('get_weather', { city: 'Oslo' });
const weatherTools = () => scriptedTools({ get_weather: ({ city }) => `weather of ${city}` });
const guards = (events: readonly AgentEvent[]) =>
  events.flatMap(event => (event.type === 'guard' ? [event.guard] : []));
const pieces = (text: string) => text.match(/.{1,3}/gs)!.map(one => ({ text: one }));

test('a repeated call and a loop of calls are told', async () => {
  const lima = call('get_weather', { city: 'Lima' });
  const { ask } = scripted([oslo, lima, oslo, lima, 'Cold and warm.'], weatherTools());
  const { result, events } = await ask('Both?');
  expect(result).toMatchObject({ answer: 'Cold and warm.', toolRuns: 2, repeats: 2 });
  expect(guards(events)).toEqual(['repeated_call', 'repeated_call', 'call_loop']);
});

describe('a call that is announced and not made', () => {
  test('is asked for, once', async () => {
    const tools = weatherTools();
    const { ask, prompts } = scripted(["I'll call get_weather for Oslo.", oslo, 'Cold.'], tools);
    const { result, events } = await ask('Weather in Oslo?');
    expect(result).toMatchObject({ answer: 'Cold.', toolRuns: 1, turns: 3 });
    expect(guards(events)).toEqual(['announced_call']);
    expect(prompts()[1]!.startsWith(prompts()[0]!)).toBe(true);
  });

  test('and is the answer when it stays away', async () => {
    const words = 'Let me use get_weather.';
    const { result } = await scripted([words, words], weatherTools()).ask('Weather in Oslo?');
    expect(result).toMatchObject({ reason: 'answered', answer: words, turns: 2 });
  });

  test.each([
    ['I will check get_weather for you.', true],
    ['Calling `get_time`.', true],
    ['I will think about it.', false],
    ['I can use get_weather. Shall I call get_weather?', false],
    ['The tool my_get_weather_2 is one that I will not call.', false],
    ['get_weather gives the weather of a city.', false],
  ])('%s', (text, expected) => {
    expect(announcesCall(text, [weather, clock])).toBe(expected);
  });
});

describe('a call of a tool that is not there, written as words', () => {
  const strange = '{"name": "read_weather", "arguments": {"city": "Oslo"}}';

  test('is told what is there, once', async () => {
    const { ask, prompts } = scripted([strange, oslo, 'Cold.'], weatherTools());
    const { result, events } = await ask('Weather in Oslo?');
    expect(result).toMatchObject({ answer: 'Cold.', toolRuns: 1, turns: 3 });
    expect(guards(events)).toEqual(['unknown_call']);
    expect(prompts()[1]).toContain('There is no tool "read_weather". The tools are: get_weather, get_time.');
    const again = await scripted([strange, strange], weatherTools()).ask('Weather in Oslo?');
    expect(again.result).toMatchObject({ answer: strange, turns: 2 });
  });

  test('is taken again where calls are held to the tools on offer, and leaves no trace', async () => {
    const { ask, prompts, grammars } = scripted([strange, oslo, 'Cold.'], weatherTools(), {
      constrain: 'calls',
    });
    const { result, events } = await ask('Weather in Oslo?');
    expect(result).toMatchObject({ answer: 'Cold.', toolRuns: 1, turns: 3 });
    expect(guards(events)).toEqual(['unknown_call']);
    expect(prompts()[1]).toBe(prompts()[0]);
    expect(grammars).toEqual([false, true, false]);
    const again = await scripted([strange, strange], weatherTools(), { constrain: 'calls' }).ask('Weather?');
    expect(again.result).toMatchObject({ answer: strange, turns: 2 });
  });

  test('is not made one of a tool that was not meant', async () => {
    const song = '{"name": "play_song", "arguments": {}}';
    const { ask, prompts, grammars } = scripted([song, 'I can’t.'], weatherTools(), { constrain: 'calls' });
    await ask('Play a song.');
    expect(grammars).toEqual([false, false]);
    expect(prompts()[1]).toContain('There is no tool "play_song".');
  });

  test.each([
    ['read_weather', ['get_weather']],
    ['getWeatherNow', ['get_weather']],
    ['get_sun', ['get_weather', 'get_time']],
    ['play_song', []],
  ])('%s may mean %j', (name, expected) => {
    expect(likeNamed(name, [weather, clock])).toEqual(expected);
  });

  test('is not what the answer is written to', async () => {
    const { ask, prompts } = scripted([strange, oslo, 'Cold.'], weatherTools(), {
      policy: { answerTurn: 'question-and-data', rounds: 'once' },
    });
    await ask('Weather in Oslo?');
    expect(prompts()[2]).toContain('Question: Weather in Oslo?\nData: weather of Oslo');
  });

  test.each([
    [strange, 'read_weather'],
    [`\`\`\`json\n[${strange}]\n\`\`\``, 'read_weather'],
    ['{"name": "get_time", "arguments": {}}', undefined],
    ['{"name": "Oslo", "sky": "clear"}', undefined],
    [`A call looks so: ${strange}`, undefined],
  ])('%s', (text, expected) => {
    expect(strangeCall(text, [weather, clock])).toBe(expected);
    expect(strangeCall(text, [])).toBe(undefined);
  });
});

describe('a call where words are due', () => {
  const bare = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';

  test.each([bare, `\`\`\`json\n${bare}\n\`\`\``])('is no answer: %s', async words => {
    const { ask } = scripted([oslo, words], weatherTools(), {
      policy: { answerTurn: 'without-schema', rounds: 'once' },
    });
    const { result, events } = await ask('Weather in Oslo?');
    expect(result).toMatchObject({ reason: 'no_answer', toolRuns: 1 });
    expect(result.answer).toContain('weather of Oslo');
    expect(guards(events)).toEqual(['empty_answer']);
  });

  test('and the results that are shown instead stand there once', async () => {
    const { ask } = scripted([oslo, oslo, oslo, bare], weatherTools());
    const { result } = await ask('Weather in Oslo?');
    expect(result).toMatchObject({ reason: 'no_answer', toolRuns: 1, repeats: 2 });
    expect(result.answer).toBe('The model gave no answer. Its tools returned:\nget_weather: weather of Oslo');
  });

  test.each([
    [bare, true],
    ['[{"name":"get_time","parameters":{}}]', true],
    ['{"name": "Oslo", "sky": "clear"}', false],
    [`It answers ${bare}.`, false],
    ['{"city": "Oslo"}', false],
  ])('%s', (text, expected) => {
    expect(isCall(text, [weather, clock])).toBe(expected);
  });
});

describe('output that repeats itself', () => {
  const loop = `The tide is ${'high and low and '.repeat(60)}`;

  test('is stopped, kept, and told', async () => {
    const { ask, agent } = scripted([pieces(loop)], weatherTools());
    const { result, events } = await ask('Tide?');
    expect(result.reason).toBe('repetition');
    expect(guards(events)).toEqual(['repetition']);
    expect(result.answer.length).toBeLessThan(500);
    expect(loop.startsWith(result.answer)).toBe(true);
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: result.answer });
  });

  test('in a call never runs it', async () => {
    const tools = weatherTools();
    const text = `<tool_call>\n{"name": "get_weather", "arguments": {"city": "${'la '.repeat(300)}"}}\n</tool_call>`;
    const { ask } = scripted([pieces(text), 'Sorry.'], tools);
    const { result, events } = await ask('Sing');
    expect(tools.ran).toEqual([]);
    expect(guards(events)).toEqual(['repetition']);
    expect(events).toContainEqual(expect.objectContaining({ type: 'call-failed', problem: 'truncated' }));
    expect(result.answer).toBe('Sorry.');
  });

  test.each([
    ['one character', 'a'.repeat(300), true],
    ['a sentence', 'I do not know what to say about this. '.repeat(9), true],
    ['a ruler', `${'-'.repeat(80)}\n`, false],
    ['a table', Array.from({ length: 30 }, (_, row) => `| ${row} | ${row * 7} |\n`).join(''), false],
    ['a refrain', `${'Row, row, row your boat. '.repeat(5)}Merrily.`, false],
  ])('%s', (_name, text, expected) => {
    const watch = repetitionWatch();
    expect(pieces(text).some(piece => watch.push(piece.text))).toBe(expected);
  });
});

describe('a call that the turn’s tokens would cut', () => {
  test('goes on, once', async () => {
    const cut = { pieces: pieces(oslo).slice(0, 20), reason: 'length' } as const;
    const rest = pieces(oslo).slice(20);
    const tools = weatherTools();
    const { ask, prompts } = scripted([cut, rest, 'Cold.'], tools);
    const { result, events } = await ask('Weather in Oslo?');
    expect(tools.ran).toEqual([{ name: 'get_weather', args: { city: 'Oslo' } }]);
    expect(result).toMatchObject({ answer: 'Cold.', turns: 2 });
    expect(events.filter(event => event.type === 'call-extended')).toHaveLength(1);
    expect(prompts()[1]).toBe(`${prompts()[0]}${cut.pieces.map(piece => piece.text).join('')}`);
  });

  test('and fails when it is cut again', async () => {
    const cut = (from: number) =>
      ({ pieces: pieces(oslo).slice(from, from + 10), reason: 'length' }) as const;
    const tools = weatherTools();
    const { ask } = scripted([cut(0), cut(10), 'Sorry.'], tools);
    const { events } = await ask('Weather in Oslo?');
    expect(events.filter(event => event.type === 'call-extended')).toHaveLength(0);
    expect(tools.ran).toEqual([]);
  });
});

describe('limits', () => {
  test('of the tokens of a run: no further turn is taken, and what is there is shown', async () => {
    const { ask } = scripted([oslo, 'never asked for'], weatherTools(), { limits: { runTokens: 1 } });
    const { result, events } = await ask('Weather in Oslo?');
    expect(result).toMatchObject({ reason: 'limit', toolRuns: 0, turns: 1 });
    expect(guards(events)).toEqual(['limit']);
  });

  test.each([{ turnSeconds: 0.02 }, { runSeconds: 0.02 }])(
    'of time, %o: the turn is stopped, and its words are kept',
    async limits => {
      const engine = recordedEngine([pieces('Once upon a time there was a king. '.repeat(9))]);
      const model = rawModel(
        {
          ...engine,
          generate(prompt, options) {
            const generation = engine.generate(prompt, options);
            return {
              async *[Symbol.asyncIterator]() {
                for await (const piece of generation) {
                  await setTimeout(1);
                  yield piece;
                }
              },
              get usage() {
                return generation.usage;
              },
              get reason() {
                return generation.reason;
              },
            };
          },
        },
        formatNamed('hermes'),
      );
      const { ask } = scripted([], weatherTools(), { limits, model });
      const { result } = await ask('Tell a story');
      expect(result).toMatchObject({ reason: 'limit', answer: expect.stringMatching(/^Once/) });
      expect(result.answer.length).toBeLessThan(315);
    },
  );

  test('of time: a tool that takes longer is stopped', async () => {
    let stopped = false;
    const tools = scriptedTools({
      get_weather: (_args, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            stopped = true;
            reject(signal.reason as Error);
          });
        }),
    });
    const { result } = await scripted([oslo], tools, { limits: { runSeconds: 0.05 } }).ask('Weather?');
    expect(stopped).toBe(true);
    expect(result).toMatchObject({ reason: 'limit' });
  });
});
