/** A recorded run gone through again: the same events to the last bit, and the first place where something is another way. */
import { readFileSync, writeFileSync } from 'node:fs';
import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import type { ParseEvent } from '../../parsers/parser.ts';
import type { AgentOptions } from '../../src/agent/agent.ts';
import { approval } from '../../src/agent/approval.ts';
import { type RecordedCompletion, recordedEngine } from '../../src/engine/recorded.ts';
import { type Format, formatNamed } from '../../src/format.ts';
import { rawModel } from '../../src/model/raw.ts';
import { explain } from '../../src/replay/explain.ts';
import type { ToolSource } from '../../src/tools.ts';
import { call, scriptedTools } from '../agent/harness.ts';
import { type RecordOptions, record, replayed } from '../transcript/harness.ts';

const oslo = call('get_weather', { city: 'Oslo' });
const lima = call('get_weather', { city: 'Lima' });
const tools = () =>
  scriptedTools({
    get_weather: ({ city }) => `It is ${city === 'Oslo' ? 4 : 20} degrees.`,
    get_time: () => '12:00',
  });
const pieces = (text: string) => text.match(/\s?\w+|\W/g)!.map((one, at) => ({ text: one, tokens: [at] }));
const plain = pc.createColors(false);

async function same(
  completions: readonly RecordedCompletion[],
  questions: readonly string[],
  options: RecordOptions = {},
  source: ToolSource = tools(),
) {
  const recorded = await record(completions, source, questions, options);
  const { events, difference, runs } = await replayed(recorded.file);
  expect(difference && explain(difference, plain)).toBeUndefined();
  expect(events).toEqual(recorded.events);
  return { ...recorded, runs };
}

/** Gives its result when it is told to, with news before. */
function slowTools(onCall: (name: string, signal: AbortSignal | undefined) => void): ToolSource {
  return {
    tools: tools().tools,
    async call(name, args, { signal, onProgress } = {}) {
      onCall(name, signal);
      for (let progress = 1; progress <= 3; progress++) {
        onProgress?.({ progress, total: 3, message: `${String(args.city)} ${progress}` });
        await new Promise(resolve => setTimeout(resolve, args.city === 'Oslo' ? 15 : 4));
        signal?.throwIfAborted();
      }
      return { content: `${String(args.city)} done`, isError: false };
    },
  };
}

describe('a replay tells what was told, to the last bit', () => {
  test('a dialogue with calls, a repeat, a problem and a reset', async () => {
    const { runs } = await same(
      [pieces(oslo), pieces(oslo), 'Cold.', call('fly', {}), 'I can not.', pieces(lima), 'Warm.'],
      ['Oslo?', 'Fly!', '/reset', 'Lima?'],
      { system: 'Be brief.', sampling: { seed: 4 } },
    );
    expect(runs.map(({ turns }) => turns)).toEqual([3, 2, 2]);
  });

  test('a turn that was had to write on, and what it wrote that nobody was told', async () => {
    const { events } = await same(
      [pieces(oslo), pieces(lima), pieces('That is all.'), 'Cold and warm.'],
      ['Oslo and Lima?'],
      {
        policy: { furtherCalls: true, rounds: 'once', answerTurn: 'question-and-data' },
      },
    );
    expect(events.filter(({ type }) => type === 'turn-start')).toHaveLength(4);
    expect(events.filter(({ type }) => type === 'call-end')).toHaveLength(2);
  });

  test('calls side by side, their news as they came', async () => {
    const { events } = await same(
      [`${oslo}${lima}`, 'Done.'],
      ['Both?'],
      {},
      slowTools(() => {}),
    );
    expect(events.filter(({ type }) => type === 'tool-progress').length).toBeGreaterThan(1);
  });

  test('what the user allowed, refused and gave reasons for', async () => {
    const answers = [{ allowed: true }, { allowed: false, reason: 'not today' }] as const;
    let asked = 0;
    const { events } = await same([`${oslo}${lima}`, 'One of two.'], ['Both?'], {
      approve: approval({ ask: async () => answers[asked++]! }),
    });
    expect(events.filter(({ type }) => type === 'approval-end')).toMatchObject(answers);
  });

  test('a run that was stopped amid its calls', async () => {
    const stop = new AbortController();
    const source = slowTools(name => name && setTimeout(() => stop.abort(), 6));
    const { results } = await same(
      [oslo, 'Never.', 'Hello.'],
      ['Oslo?', 'Hi'],
      { signals: [stop.signal] },
      source,
    );
    expect(results[0]).toMatchObject({ reason: 'aborted' });
  });

  test('a run whose time was up', async () => {
    const { results } = await same(
      [oslo, 'Never.'],
      ['Oslo?'],
      { limits: { runSeconds: 0.02 } },
      slowTools(() => {}),
    );
    expect(results[0]).toMatchObject({ reason: 'limit' });
  });

  test('a model that repeats itself, an answer turn in a lane of its own, and an error', async () => {
    await same([pieces('again and '.repeat(200))], ['Say it.']);
    await same([oslo, 'It is cold.'], ['Oslo?'], {
      policy: { answerTurn: 'question-and-data', rounds: 'once' },
    });
    const { results } = await same([oslo], ['Oslo?']);
    expect(results[0]).toMatchObject({ failed: { code: 'recording_ended' } });
  });

  test('results that were cut to what the context holds', async () => {
    const long = scriptedTools({ get_weather: () => 'word '.repeat(5000), get_time: () => '' });
    const { events } = await same([oslo, 'Long.'], ['Oslo?'], { contextSize: 2000 }, long);
    expect(events.find(({ type }) => type === 'tool-end')).toHaveProperty('leftOut');
  });

  test('what was redacted, where it leaves what is read as it was', async () => {
    const { file } = await record([pieces(oslo), 'Cold in Oslo.'], tools(), ['Oslo?'], {
      recorder: { secrets: ['Oslo'] },
    });
    const { difference } = await replayed(file);
    expect(difference && explain(difference, plain)).toBeUndefined();
  });
});

/** hermes, but for what a test changes in it. */
function changed(change: (format: Format) => Partial<Format>): Format {
  const format = formatNamed('hermes');
  return { ...format, ...change(format) };
}

const shouting = changed(({ template }) => ({
  template: {
    ...template,
    render: (conversation, options) =>
      template
        .render(conversation, options)
        .map(piece =>
          'text' in piece && piece.origin === 'tool' ? { ...piece, text: piece.text.toUpperCase() } : piece,
        ),
  },
}));

describe('the first difference', () => {
  const recorded = (options: Partial<AgentOptions> = {}) =>
    record([oslo, 'It is cold.', 'You are welcome.'], tools(), ['Oslo?', 'Thanks!'], options);

  test('of a template is shown in the prompt where it shows first', async () => {
    const { file } = await recorded();
    const { difference, runs } = await replayed(file, { format: shouting });
    expect(runs).toHaveLength(1);
    expect(difference).toMatchObject({
      turn: 2,
      recorded: { type: 'turn-start' },
      now: { type: 'turn-start' },
    });
    expect(JSON.parse(readFileSync(file, 'utf8').split('\n')[difference!.line! - 1]!)).toMatchObject({
      type: 'turn-start',
      at: difference!.recorded!.at,
    });
    expect(
      explain(difference!, plain),
    ).toBe(`The prompt of the decision turn is another one, from its piece 25 of 29, a result:
  ⟦<|im_start|>⟧tool
  <tool_response>
- It is 4 degrees.
+ IT IS 4 DEGREES.
  </tool_response>⟦<|im_end|>⟧⟦<|im_start|>⟧assistant
  `);
  });

  test('of a parser is shown as what was read, with the completion', async () => {
    const { file } = await recorded();
    const deaf = changed(({ parser }) => ({
      parser: {
        ...parser,
        start: () => {
          let text = '';
          return {
            push(piece) {
              text += piece.text;
              return [];
            },
            end: (): ParseEvent[] => [{ type: 'text-delta', text }],
          };
        },
      },
    }));
    const { difference } = await replayed(file, { format: deaf });
    expect(difference).toMatchObject({ turn: 1 });
    const told = explain(difference!, plain);
    expect(told).toContain(
      'The completion is read differently:\n- call of get_weather\n+ text: <tool_call>\n',
    );
    expect(told).toContain(`The completion:\n${oslo}`);
  });

  test('of what a file says a tool gave is the prompt that follows; of the order of calls, the call', async () => {
    const { file } = await record([`${oslo}${lima}`, 'Both.'], tools(), ['Both?']);
    const lines = readFileSync(file, 'utf8').split('\n');
    const starts = lines.flatMap((line, at) => (line.includes('"tool-start"') ? [at] : []));
    const [first = 0, second = 0] = starts;
    [lines[first], lines[second]] = [lines[second]!, lines[first]!];
    writeFileSync(file, lines.join('\n'));
    const { difference } = await replayed(file);
    expect(difference?.line).toBe(first + 1);
    expect(explain(difference!, plain)).toBe(
      'Another call is run:\n- tool-start: get_weather {"city":"Lima"}\n+ tool-start: get_weather {"city":"Oslo"}',
    );
  });

  test('is none where the recording was cut: what is whole is replayed', async () => {
    const { file } = await recorded();
    const lines = readFileSync(file, 'utf8').split('\n');
    const cut = lines.findIndex(line => line.includes('"tool-end"'));
    writeFileSync(file, `${lines.slice(0, cut).join('\n')}\n${lines[cut]!.slice(0, 30)}`);
    const { difference, runs, events } = await replayed(file);
    expect(difference).toBeUndefined();
    expect(runs).toMatchObject([{ recorded: { finished: false } }]);
    expect(events.at(-1)).toMatchObject({ type: 'tool-start' });
  });

  test('counts from a turn on', async () => {
    const { file } = await recorded();
    const { difference } = await replayed(file, { format: shouting, from: 3 });
    expect(difference).toMatchObject({ turn: 3 });
  });
});

describe('with the real thing in a part', () => {
  const live = (completions: readonly RecordedCompletion[]) =>
    rawModel(recordedEngine(completions), formatNamed('hermes'));

  test('a model that writes the same differs in nothing', async () => {
    const { file } = await record([oslo, 'Cold.'], tools(), ['Oslo?']);
    expect((await replayed(file, { live: { model: live([oslo, 'Cold.']) } })).difference).toBeUndefined();
  });

  test('a model that goes its own way is given the recorded results of the calls that it makes, to the end', async () => {
    const { file } = await record([oslo, lima, 'Cold and warm.'], tools(), ['Both?']);
    const { difference, runs, events } = await replayed(file, {
      live: { model: live([lima, oslo, call('get_time', {}), 'Warm and cold.']) },
    });
    expect(difference).toMatchObject({ turn: 1 });
    expect(runs[0]?.result).toMatchObject({ reason: 'answered', answer: 'Warm and cold.' });
    const results = events.flatMap(event => (event.type === 'tool-end' ? [event.result.content] : []));
    expect(results[0]).toBe('It is 20 degrees.');
    expect(results[1]).toBe('It is 4 degrees.');
    expect(results[2]).toContain('the recording has no answer for this call');
  });

  test('from a turn on: the turns before are as recorded', async () => {
    const { file } = await record([oslo, 'Cold.'], tools(), ['Oslo?']);
    const { runs } = await replayed(file, { live: { model: live(['Chilly.']) }, from: 2 });
    expect(runs[0]).toMatchObject({ difference: { turn: 2 }, result: { answer: 'Chilly.', toolRuns: 1 } });
  });

  test('tools that give something else are seen in their result', async () => {
    const { file } = await record([oslo, 'Cold.'], tools(), ['Oslo?']);
    const warmer = scriptedTools({ get_weather: () => 'It is 5 degrees.', get_time: () => '' });
    const { difference, runs } = await replayed(file, { live: { tools: warmer } });
    expect(explain(difference!, plain)).toBe(
      'The result of get_weather is another one:\n  result (tool) of get_weather:\n- It is 4 degrees.\n+ It is 5 degrees.',
    );
    expect(runs[0]?.result).toMatchObject({ answer: 'Cold.' });
    expect((await replayed(file, { live: { tools: tools() } })).difference).toBeUndefined();
  });
});

test('a turn that is had to write further calls is replayed to the last bit', async () => {
  await same([pieces(oslo), pieces(lima), 'Cold and warm.'], ['Both?'], {
    policy: { answerTurn: 'question-and-data', rounds: 'once', furtherCalls: true },
  });
});
