/** What the recorder writes, read back: whole, right by the schema, and without what must not get in. */
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/agent/events.ts';
import { openTranscript } from '../../src/transcript/read-transcript.ts';
import { redactPattern } from '../../src/transcript/redact.ts';
import schema from '../../src/transcript/transcript.schema.json' with { type: 'json' };
import { call, scriptedTools } from '../agent/harness.ts';
import { eventsOf, linesOf, record } from './harness.ts';

const tools = () => scriptedTools({ get_weather: () => 'Sunny, 24 °C.', get_time: () => '12:00' });
const weather = call('get_weather', { city: 'Paris' });

const pieces = (text: string) => text.match(/\s?\w+|\W/g)!.map((one, at) => ({ text: one, tokens: [at] }));

describe('a transcript', () => {
  test('holds what the run told as it was, each prompt whole', async () => {
    const { file, events } = await record([pieces(weather), 'It is sunny.', 'You are welcome.'], tools(), [
      'The weather in Paris?',
      'Thanks!',
    ]);
    const told = (await eventsOf(file)).filter(({ type }) => type !== 'measure' && type !== 'tools');
    expect(told.map(({ at: _, ...event }) => event)).toEqual(
      events.map(event => (event.type === 'turn-start' ? { ...event, lane: '' } : event)),
    );
  });

  test('is right by the schema that ships, line by line', async () => {
    const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
    const valid = ajv.compile(schema);
    const { file } = await record(
      [pieces(weather), weather, call('nothing', {}), 'Sunny.'],
      scriptedTools({
        get_weather: () => ({ content: 'Sunny.', isError: false, forUser: 'Enjoy!', warnings: ['odd'] }),
        get_time: () => '12:00',
      }),
      ['The weather?', '/reset', 'And now?'],
      { system: 'Be brief.', sampling: { seed: 3 }, limits: { runSeconds: 100 } },
    );
    const lines = linesOf(file).map(line => JSON.parse(line));
    for (const line of lines)
      expect([line.type, valid(line), ajv.errorsText(valid.errors)]).toMatchObject({ 1: true });
    expect(new Set(lines.map(({ type }) => type))).toContain('run-failed');
    expect(valid({ type: 'usage', at: 1, prompt: 1, reused: 0, evaluated: 'one', generated: 1 })).toBe(false);
    expect(valid({ type: 'usages', at: 1 })).toBe(false);
  });

  test('grows with what is new, not with the dialogue', async () => {
    const size = async (count: number) => {
      const questions = Array.from({ length: count }, (_, at) => `Question ${at}, which is of some length.`);
      const { file } = await record(
        questions.map(() => 'An answer.'),
        tools(),
        questions,
      );
      return readFileSync(file).length;
    };
    const [ten, twenty, forty] = [await size(10), await size(20), await size(40)];
    expect(Math.abs((forty - twenty) / (twenty - ten) - 2)).toBeLessThan(0.1);
  });

  test('is not written over, and a run goes on where it cannot be written', async () => {
    const told: string[] = [];
    const { file } = await record(['Hello.'], tools(), ['Hi']);
    const before = readFileSync(file, 'utf8');
    const { openRecorder } = await import('../../src/transcript/recorder.ts');
    const recorder = openRecorder({ file, onFailure: message => told.push(message) });
    recorder.begin({
      versions: { rawcall: '', node: '' },
      model: { name: '', format: '' },
      settings: {},
      messages: [],
      tools: [],
    });
    recorder.write({ type: 'abort', by: 'user' });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`${file}: the run is not recorded any further`);
  });
});

describe('reading', () => {
  const lastType = async (file: string) => (await eventsOf(file)).at(-1)?.type;

  test('a last line that is not whole is said, and all before it is read', async () => {
    const { file } = await record(['Hello.'], tools(), ['Hi']);
    const { length } = linesOf(file);
    truncateSync(file, readFileSync(file).length - 20);
    const transcript = await openTranscript(file);
    const types = [];
    for await (const { type } of transcript.events) types.push(type);
    expect(transcript.cut).toEqual({ line: length });
    expect(types.at(-1)).toBe('usage');
  });

  test('a whole last line needs no line break', async () => {
    const { file } = await record(['Hello.'], tools(), ['Hi']);
    truncateSync(file, readFileSync(file).length - 1);
    expect(await lastType(file)).toBe('run-end');
  });

  test('a text with any kind of line break stays on its line', async () => {
    const odd = 'a\u2028b\u2029c\rd\ne\u0085f';
    const { file } = await record([odd], tools(), [odd]);
    expect((await eventsOf(file)).at(-1)).toMatchObject({ type: 'run-end', answer: odd });
  });

  test.each([
    ['{"type":"usage"', /:3: not JSON: .* at column 16/],
    ['{"type":"usage","at":1}', /:3: "usage" must have required property 'prompt'/],
    ['{"type":"usages","at":1}', /:3: its type "usages" is none of a transcript's. Is "usage" meant\?/],
    ['[]', /:3: it is no object with a "type"/],
    [
      '{"type":"turn-start","at":1,"purpose":"answer","lane":"x","prompt":{"keep":3,"add":[]}}',
      /:3: its prompt continues one that no earlier line has/,
    ],
  ])('%s is refused with its line', async (line, message) => {
    const { file } = await record(['Hello.'], tools(), ['Hi']);
    const [header, first, ...rest] = linesOf(file);
    writeFileSync(file, [header, first, line, ...rest, ''].join('\n'));
    await expect(eventsOf(file)).rejects.toMatchObject({
      code: 'bad_transcript',
      message: expect.stringMatching(message),
      details: { line: 3 },
    });
  });

  test('what is newer, empty, or no transcript is said', async () => {
    const { file } = await record(['Hello.'], tools(), ['Hi']);
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.replace('"version":2', '"version":3'));
    await expect(openTranscript(file)).rejects.toMatchObject({
      code: 'newer_transcript',
      message: `${file}: it is a transcript of version 3, written by rawcall 0.0.0, and this rawcall reads versions up to 2. Read it with a newer rawcall.`,
    });
    writeFileSync(file, '');
    await expect(openTranscript(file)).rejects.toThrow(`${file}:1: it is empty`);
    writeFileSync(file, '{"messages":[]}\n');
    await expect(openTranscript(file)).rejects.toThrow(`${file}:1: it is no transcript`);
    await expect(openTranscript(`${file}.none`)).rejects.toMatchObject({ code: 'bad_file' });
  });
});

describe('redaction', () => {
  const secret = 'sk-"quoted"-4711';
  /** In pieces that cut it, as a model writes it. */
  const said = (text: string) => [...text].map((character, at) => ({ text: character, tokens: [1000 + at] }));
  const leaking = () =>
    scriptedTools({ get_weather: () => `The key is ${secret}.`, get_time: () => '12:00' });
  const completions = [said(call('get_weather', { city: secret })), said(`The key is ${secret}, as I said.`)];
  const ask = (recorder: object) =>
    record(completions, leaking(), [`Is the key ${secret}?`], { recorder, system: `Hide ${secret}.` });

  test.each([
    ['a secret', { secrets: [secret] }],
    ['a pattern', { redact: [redactPattern('sk-\\S*4711')] }],
  ])('%s gets in nowhere, however it is cut up', async (_, recorder) => {
    const { file } = await ask(recorder);
    const text = readFileSync(file, 'utf8');
    const spelled = (events: readonly object[]) => JSON.stringify(events);
    expect(text).not.toContain('4711');
    expect(text).toContain('█'.repeat(secret.length));
    const events = await eventsOf(file);
    expect(spelled(events)).not.toContain('4711');
    for (const kind of ['text-delta', 'call-delta'] as const) {
      const joined = events
        .flatMap(event =>
          event.type === kind ? [event.type === 'text-delta' ? event.text : event.argumentsText] : [],
        )
        .join('');
      expect(joined).toContain('█');
      expect(joined).not.toContain('4711');
    }
    const completion = events.flatMap(event => (event.type === 'completion-end' ? event.pieces : []));
    expect(completion.map(({ text: piece }) => piece).join('')).not.toContain('4711');
    for (const { text: piece, tokens } of completion) if (piece.includes('█')) expect(tokens).toBeUndefined();
  });

  test('what is not redacted is written as without it', async () => {
    const plain = await record(['Hello there.'], tools(), ['Hi']);
    const kept = await record(['Hello there.'], tools(), ['Hi'], { recorder: { secrets: [secret] } });
    const untimed = async (file: string) =>
      (await eventsOf(file)).map(({ at: _, ...event }) => event as AgentEvent);
    expect(await untimed(kept.file)).toEqual(await untimed(plain.file));
  });

  test('a pattern that is none, or matches nothing at all, is refused', () => {
    expect(() => redactPattern('(')).toThrow(/--redact \(: it is no regular expression/);
    expect(() => redactPattern('x*')).toThrow(/--redact x\*: it matches an empty text/);
  });
});

test('a line that somebody else appended does not go unseen', async () => {
  const { file } = await record(['Hello.'], tools(), ['Hi']);
  appendFileSync(file, '{"type":"measure","at":1,"of":"bill"}\n');
  await expect(eventsOf(file)).rejects.toThrow(/"measure" must have required property 'bill'/);
});
