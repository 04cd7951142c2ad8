/** What of a completion is in the file before its end, and what is read and replayed where it has none. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import pc from 'picocolors';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RawcallError } from '../../parsers/error.ts';
import type { ParseEvent, Piece } from '../../parsers/parser.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { formatNamed } from '../../src/format.ts';
import { explain } from '../../src/replay/explain.ts';
import { openRecorder, type RecorderOptions } from '../../src/transcript/recorder.ts';
import { redactPattern } from '../../src/transcript/redact.ts';
import schema from '../../src/transcript/transcript.schema.json' with { type: 'json' };
import { call, scriptedTools } from '../agent/harness.ts';
import { eventsOf, linesOf, record, replayed, temporaryFolder } from './harness.ts';

const pieces = (text: string) => text.match(/\s?\w+|\W/g)!.map((one, at) => ({ text: one, tokens: [at] }));
const tools = () => scriptedTools({ get_weather: () => 'It is 4 degrees.', get_time: () => '12:00' });
const oslo = pieces(call('get_weather', { city: 'Oslo' }));
const cold = pieces(
  'It is very cold in Oslo, so dress warmly and stay inside if you can, as most people do there.',
);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Takes its time for each piece, and fails in front of one. */
function slow(
  milliseconds: number,
  { turn = 0, failsAt = Number.POSITIVE_INFINITY } = {},
): (engine: Engine) => Engine {
  let turns = 0;
  return engine => ({
    ...engine,
    generate(prompt, options) {
      const generation = engine.generate(prompt, options);
      const fails = ++turns === turn;
      return {
        async *[Symbol.asyncIterator]() {
          let count = 0;
          for await (const piece of generation) {
            vi.advanceTimersByTime(milliseconds);
            if (fails && count++ === failsAt) throw new RawcallError('endpoint_failed', 'It went away.');
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
  });
}

const parsed = (file: string) => linesOf(file).map(line => JSON.parse(line));
const inParts = (file: string): Piece[] =>
  parsed(file).flatMap(line => (line.type === 'completion-delta' ? line.pieces : []));

describe('a completion in parts', () => {
  test('is in the file as it comes, each piece once, and whole when it is read', async () => {
    const { file, events } = await record([oslo, cold], tools(), ['Oslo?'], { through: slow(30) });
    const lines = parsed(file);
    const valid = new Ajv2020({ allowUnionTypes: true }).compile(schema);
    for (const line of lines) expect([line.type, valid(line)]).toEqual([line.type, true]);
    const written = lines.flatMap(line => (/^completion-/.test(line.type) ? line.pieces : []));
    expect(written).toEqual([...oslo, ...cold]);
    // 100 ms are four pieces, the newest of which is still read.
    expect(inParts(file).length).toBeGreaterThan(oslo.length + cold.length - 10);
    for (const line of lines)
      if (line.type === 'completion-delta') expect(line.pieces.length).toBeLessThan(5);
    const told = (await eventsOf(file)).filter(({ type }) => type !== 'measure' && type !== 'tools');
    expect(told.map(({ at: _, ...event }) => event)).toEqual(
      events.map(event => (event.type === 'turn-start' ? { ...event, lane: '' } : event)),
    );
  });

  test('is no part where it takes no time', async () => {
    const { file } = await record([oslo, cold], tools(), ['Oslo?'], { through: slow(0) });
    expect(inParts(file)).toEqual([]);
  });

  test('is never ahead of what was read in it', async () => {
    const { file } = await record([cold], tools(), ['Oslo?'], { through: slow(30) });
    let read = '';
    let raw = '';
    for (const line of parsed(file)) {
      if (line.type === 'text-delta') read += line.text;
      if (line.type === 'completion-delta') raw += line.pieces.map(({ text }: Piece) => text).join('');
      expect(read.startsWith(raw)).toBe(true);
    }
    expect(raw).not.toBe('');
  });

  test('of a turn that failed has all of its pieces, and is replayed to the last bit', async () => {
    const { file, events, results } = await record([oslo, cold], tools(), ['Oslo?'], {
      through: slow(30, { turn: 2, failsAt: 10 }),
    });
    expect(results).toMatchObject([{ failed: { code: 'endpoint_failed' } }]);
    const types = (await eventsOf(file)).slice(-3);
    expect(types).toMatchObject([
      { type: 'completion-delta', pieces: cold.slice(0, 10) },
      { type: 'turn-failed' },
      { type: 'run-failed' },
    ]);
    const again = await replayed(file);
    expect(again.difference).toBeUndefined();
    expect(again.events).toEqual(events);
  });

  test('was none in version 1, which is read and replayed as before', async () => {
    const { file, events } = await record([oslo, cold], tools(), ['Oslo?'], { through: slow(0) });
    writeFileSync(file, readFileSync(file, 'utf8').replace('"version":2', '"version":1'));
    const again = await replayed(file);
    expect(again.difference).toBeUndefined();
    expect(again.events).toEqual(events);
  });
});

describe('a completion without an end', () => {
  /** Cut behind its third part, or where a test says. */
  async function cut(completion: readonly Piece[], at = -1): Promise<string> {
    const { file } = await record([completion], tools(), ['Oslo?'], { through: slow(30) });
    const lines = linesOf(file);
    const parts = lines.flatMap((line, place) => (line.includes('"completion-delta"') ? [place] : []));
    writeFileSync(file, `${lines.slice(0, (parts.at(at) ?? 0) + 1).join('\n')}\n`);
    return file;
  }

  test('is read as what there is of it', async () => {
    const file = await cut(cold, 2);
    const last = (await eventsOf(file)).at(-1);
    expect(last).toMatchObject({ type: 'completion-delta', pieces: inParts(file) });
    expect(inParts(file).length).toBeGreaterThan(8);
  });

  test('is gone through to where it ends', async () => {
    const file = await cut(oslo);
    const { difference, runs, events } = await replayed(file);
    expect(difference && explain(difference, pc.createColors(false))).toBeUndefined();
    expect(runs).toMatchObject([{ recorded: { finished: false }, result: undefined, turns: 1 }]);
    expect(events.at(-1)?.type).toMatch(/^call-/);
    expect(await eventsOf(file).then(all => all.map(({ type }) => type))).toEqual(
      expect.arrayContaining([...new Set(events.map(({ type }) => type))]),
    );
  });

  test('may be behind what was read in it', async () => {
    const file = await cut(oslo);
    // All parts but the first one, as if they had not been written.
    const lines = linesOf(file);
    const first = lines.findIndex(line => line.includes('"completion-delta"'));
    const rest = lines.filter((line, at) => at <= first || !line.includes('"completion-delta"'));
    writeFileSync(file, `${rest.join('\n')}\n`);
    const { difference } = await replayed(file);
    expect(difference).toBeUndefined();
  });

  test.each([
    ['a call', oslo],
    ['a text', cold],
  ])('differs where it is read differently: %s', async (_, completion) => {
    const file = await cut(completion);
    const hermes = formatNamed('hermes');
    const shouting = {
      ...hermes,
      parser: {
        ...hermes.parser,
        start: () => ({
          push: ({ text }: Piece): ParseEvent[] => [{ type: 'text-delta', text: text.toUpperCase() }],
          end: (): ParseEvent[] => [],
        }),
      },
    };
    const { difference } = await replayed(file, { format: shouting });
    expect(difference).toMatchObject({ turn: 1 });
    const told = explain(difference!, pc.createColors(false));
    expect(told).toContain('The completion is read differently:');
    expect(told).toContain(
      `The completion:\n${completion
        .map(({ text }) => text)
        .join('')
        .slice(0, 30)}`,
    );
  });
});

describe('what must not get in', () => {
  const secret = 'sk-4711-abcdef';
  const leaking = [...`The key is ${secret}, and ${secret} again.`].map(text => ({ text, tokens: [7] }));

  test.each<[string, Omit<RecorderOptions, 'file'>]>([
    ['a secret', { secrets: [secret] }],
    ['a pattern', { redact: [redactPattern('sk-\\d+-\\w+')] }],
  ])('%s is in no part', async (_, recorder) => {
    const { file } = await record([leaking], tools(), ['The key?'], { recorder, through: slow(30) });
    const text = (all: readonly Piece[]) => all.map(one => one.text).join('');
    const end = (await eventsOf(file)).flatMap(event =>
      event.type === 'completion-end' ? event.pieces : [],
    );
    const blocks = '█'.repeat(secret.length);
    expect(text(end)).toBe(`The key is ${blocks}, and ${blocks} again.`);
    expect(readFileSync(file, 'utf8')).not.toMatch(/sk-|4711|abcdef/);
    expect(text(inParts(file))).not.toMatch(/[sk]-|4|abc/);
    for (const piece of end) if (piece.text === '█') expect(piece.tokens).toBeUndefined();
  });

  test('a secret that was begun when the recorder was closed is left as it is; a whole one is not', () => {
    const file = path.join(temporaryFolder(), 'run.jsonl');
    const recorder = openRecorder({ file, secrets: [secret] });
    recorder.begin({ versions: { rawcall: '0', node: '0' }, model: { name: 'm', format: 'hermes' }, settings: {}, messages: [], tools: [] }); // biome-ignore format: one line
    recorder.write({ type: 'turn-start', purpose: 'decision', prompt: [], lane: '' });
    for (const piece of leaking.slice(0, 30)) recorder.write({ type: 'completion-delta', pieces: [piece] });
    recorder.close();
    const text = inParts(file)
      .map(one => one.text)
      .join('');
    expect(text).toBe(`The key is ${'█'.repeat(secret.length)}, and`);
  });
});
