/** The lab over HTTP: completions read, messages rendered, and one prompt under two settings on the practice model. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ParseEvent, Piece } from '../../parsers/parser.ts';
import { type LlamaEngine, openLlamaEngine } from '../../src/engine/llama.ts';
import { formatNamed } from '../../src/format.ts';
import type { LabParsed, LabRendered, LabRunLine } from '../../src/playground/lab/lab-protocol.ts';
import { practiceModel } from '../engine/practice.ts';
import { type ApiServer, labServer } from './api.ts';

let engine: LlamaEngine;
/** No model is loaded. */
let empty: ApiServer;
let loaded: ApiServer;

beforeAll(async () => {
  engine = await openLlamaEngine({ model: practiceModel, contextSize: 2048, gpu: 'off' });
  empty = await labServer();
  loaded = await labServer({ engine, format: formatNamed('qwen') });
});
afterAll(async () => {
  await Promise.all([empty.close(), loaded.close()]);
  await engine.close();
});

const parse = (body: object) => empty.ask<LabParsed>('lab/parse', { cuts: 'whole', ...body });
const eventsOf = ({ readings }: LabParsed, at = 0): readonly ParseEvent[] =>
  readings[at]?.steps.flatMap(({ events }) => events) ?? [];
const typesOf = (parsed: LabParsed) => eventsOf(parsed).map(({ type }) => type);

describe('parse', () => {
  /** A Python dict, and no closing tag. */
  const broken = "So: <tool_call>\n{'name': 'add', 'arguments': {'a': 12345678901234567890, 'b': 1}}";

  test('tells of a broken completion what was mended, with every digit', async () => {
    const parsed = await parse({ completion: broken, formats: ['hermes'] });
    expect(parsed.pieces).toEqual([{ text: broken }]);
    const end = eventsOf(parsed).find(event => event.type === 'call-end');
    expect(end?.call.name).toBe('add');
    expect(end?.call.argumentsText).toContain('12345678901234567890');
    const repairs = eventsOf(parsed).flatMap(event => (event.type === 'repaired' ? [event.repair] : []));
    expect(repairs.length).toBeGreaterThan(1);
  });

  test('goes through it by the character: each step has what its character led to', async () => {
    const { pieces, readings } = await parse({ completion: broken, formats: ['hermes'], cuts: 'characters' });
    expect(pieces.map(({ text }) => text)).toEqual([...broken]);
    const steps = readings[0]!.steps;
    const started = steps.find(({ events }) => events.some(({ type }) => type === 'call-start'));
    // The name is known when its quote is closed, and not before.
    const upToName = pieces
      .slice(0, started!.piece + 1)
      .map(({ text }) => text)
      .join('');
    expect(upToName).toMatch(/'name': 'add',?$/);
    expect(steps.at(-1)?.piece).toBe(pieces.length);
    expect(steps.map(({ piece }) => piece)).toEqual(
      steps.map(({ piece }) => piece).toSorted((one, other) => one - other),
    );
  });

  test('cuts where it is told, and never in the middle of a character', async () => {
    const completion = 'ab😀cd';
    const texts = async (cuts: unknown) =>
      (await parse({ completion, formats: ['hermes'], cuts })).pieces.map(({ text }) => text);
    expect(await texts([5, 1, 3, 1])).toEqual(['a', 'b😀c', 'd']);
    expect(await texts('characters')).toEqual(['a', 'b', '😀', 'c', 'd']);
    expect(await texts('whole')).toEqual([completion]);
  });

  test('formats that tell the same stand together, those that read calls first', async () => {
    const { readings } = await parse({
      completion: '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>',
      formats: ['llama3', 'qwen', 'hermes', 'mistral'],
    });
    expect(readings[0]?.formats).toEqual(['qwen', 'hermes']);
    expect(readings.flatMap(({ formats }) => formats).toSorted()).toEqual(
      ['hermes', 'llama3', 'mistral', 'qwen'].toSorted(),
    );
    expect(readings.length).toBeGreaterThan(1);
  });

  test('control words are control tokens where that is said, and pieces of their own', async () => {
    const completion = 'I write <tool_call> so.<|im_end|>';
    const flat = await parse({ completion, formats: ['qwen'] });
    expect(flat.pieces).toEqual([{ text: completion }]);
    const marked = await parse({ completion, formats: ['qwen'], cuts: 'pieces', controlTokens: 'formats' });
    expect(marked.pieces).toEqual([
      { text: 'I write ' },
      { text: '<tool_call>', control: true },
      { text: ' so.' },
      { text: '<|im_end|>', control: true },
    ]);
    // Letters that spell the token are prose where the vocabulary has it.
    const prose = await parse({
      completion,
      formats: ['qwen'],
      controlTokens: ['<tool_call>', '<|im_end|>'],
    });
    expect([...new Set(typesOf(prose))]).toEqual(['text-delta']);
    expect(typesOf(marked)).toContain('call-failed');
  });

  test('letters are no token to the model that is open, and are without one', async () => {
    const body = {
      completion: '<tool_call>{"name": "add", "arguments": {}}</tool_call>',
      ...{ formats: ['qwen'], cuts: 'whole', controlTokens: 'model' },
    };
    const typesAt = async (server: ApiServer) => typesOf(await server.ask<LabParsed>('lab/parse', body));
    expect(await typesAt(loaded)).not.toContain('call-end');
    expect(await typesAt(empty)).toContain('call-end');
    expect(loaded.borrowed()).toBe(0);
  });

  test('given pieces are read as they are', async () => {
    const completion: Piece[] = [
      { text: '<tool_call>', control: true, tokens: [7] },
      { text: '{"name": "add", ' },
      { text: '"arguments": {}}' },
      { text: '</tool_call>', control: true },
    ];
    const body = { completion, formats: ['qwen'], controlTokens: ['<tool_call>', '</tool_call>'] };
    const parsed = await parse({ ...body, cuts: 'pieces' });
    expect(parsed.pieces).toEqual(completion);
    expect(typesOf(parsed)).toContain('call-end');
    expect((await parse({ ...body, cuts: 'characters' })).pieces).toHaveLength(2 + 32);
  });

  test('tools, a prefill and a cut end count', async () => {
    const completion = 'Hm.</think><tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>';
    const whole = await parse({ completion, formats: ['qwen'], prefill: '<think>' });
    expect(typesOf(whole)).toEqual(expect.arrayContaining(['reasoning-delta', 'call-end']));
    const tools = [{ name: 'other', parameters: { type: 'object' } }];
    const other = await parse({ completion, formats: ['qwen'], prefill: '<think>', tools });
    expect(eventsOf(other)).toContainEqual(expect.objectContaining({ problem: 'unknown_tool' }));
    const cut = await parse({
      completion: completion.slice(0, -14),
      formats: ['qwen'],
      stop: 'length',
      prefill: '<think>',
    });
    expect(eventsOf(cut)).toContainEqual(expect.objectContaining({ problem: 'truncated' }));
  });

  test('what of the prompt belongs to the completion is each format’s own', async () => {
    const completion = 'Hm.</think>Yes.';
    const read = (promptEnd: string) => parse({ completion, formats: ['qwen3.5', 'llama3'], promptEnd });
    const opened = await read('<|im_start|>assistant\n<think>\n');
    const [thought] = opened.readings.filter(({ formats }) => formats.includes('qwen3.5'));
    expect(thought?.steps.flatMap(({ events }) => events)).toContainEqual({
      type: 'reasoning-delta',
      text: 'Hm.',
    });
    expect(thought?.formats).not.toContain('llama3');
    expect(typesOf(await read('assistant'))).not.toContain('reasoning-delta');
  });

  test.each([
    [{ completion: 'a', formats: [], cuts: 'whole' }, 400, /format/],
    [{ completion: 'a', formats: ['nonsense'], cuts: 'whole' }, 400, /no format "nonsense"/],
    [{ completion: 'a', formats: ['./evil.mjs'], cuts: 'whole' }, 400, /no format/],
    [{ completion: 'a', formats: ['qwen'], cuts: 'nowhere' }, 400, /whole, characters/],
    [{ completion: 'a', formats: ['qwen'], cuts: 'whole', tools: [{}] }, 400, /tools\[0\]/],
    [
      { completion: 'a'.repeat(1_000_001), formats: ['qwen'], cuts: 'characters' },
      400,
      /fewer formats, or cut less/,
    ],
  ])('what cannot be meant is refused (%#)', async (body, status, message) => {
    const answer = await empty.fetch('lab/parse', body);
    expect(answer.status).toBe(status);
    expect(((await answer.json()) as { error: { message: string } }).error.message).toMatch(message);
  });
});

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is 31 plus 11?' },
];
const number = { type: 'number' };
const tools = [
  {
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
  },
];

describe('render', () => {
  const render = (server: ApiServer, body: object) =>
    server.ask<LabRendered>('lab/render', { messages, tools, ...body });

  test('needs no model, and then gives no tokens', async () => {
    const { tokenizer, prompts } = await render(empty, { formats: ['llama3', 'qwen'] });
    expect(tokenizer).toBeUndefined();
    for (const one of prompts) {
      if (!('prompt' in one)) throw new Error(one.failed.message);
      const { template } = formatNamed(one.format);
      expect(one.prompt).toEqual(template.render({ messages: messages as never, tools }, {}));
      expect(one.tokens).toBeUndefined();
    }
  });

  test('gives the tokens of the model that is loaded', async () => {
    const { tokenizer, prompts } = await render(loaded, { formats: ['qwen', 'llama3'] });
    expect(tokenizer).toBe(engine.name);
    for (const one of prompts) {
      if (!('prompt' in one)) throw new Error(one.failed.message);
      expect(one.tokens).toEqual(engine.tokenize(one.prompt));
      expect(one.tokens!.filter(({ origin }) => origin === 'tools').length).toBeGreaterThan(20);
    }
  });

  test('settings change what is rendered', async () => {
    const text = async (more: object) => {
      const { prompts } = await render(empty, { formats: ['qwen'], ...more });
      const [one] = prompts;
      if (!one || !('prompt' in one)) throw new Error('not rendered');
      return one.prompt.map(piece => ('control' in piece ? piece.control : piece.text)).join('');
    };
    expect(await text({})).toContain('"description": "Adds two numbers."');
    expect(await text({ schema: 'none' })).not.toContain('Adds');
    expect(await text({ schemaForm: 'python' })).toContain('def add(');
    expect(await text({ thinking: false })).toMatch(/<think>\n\n<\/think>\n\n$/);
    expect(await text({ generationPrompt: false })).toMatch(/<\|im_end\|>\n$/);
  });

  test("the model's own chat template is one of them, where there is a model", async () => {
    const [own] = (await render(loaded, { formats: ['jinja'] })).prompts;
    expect(own).toHaveProperty('prompt');
    const [none] = (await render(empty, { formats: ['jinja'] })).prompts;
    expect(none).toMatchObject({ failed: { code: 'bad_chat_template' } });
  });

  test('what a template cannot say fails for it alone; what no template can is refused', async () => {
    const orphan = [...messages, { role: 'tool', tool_call_id: 'x', content: '42' }];
    const answer = await empty.fetch('lab/render', { messages: orphan, formats: ['qwen'] });
    expect(answer.status).toBe(400);
    const wrong = await empty.fetch('lab/render', {
      messages: [{ role: 'king', content: '' }],
      formats: ['qwen'],
    });
    expect(wrong.status).toBe(400);
    expect(JSON.stringify(await wrong.json())).toContain('messages[0].role');
  });
});

describe('run', () => {
  const run = async (body: object) => {
    const answer = await loaded.fetch('lab/run', { messages, tools, ...body });
    expect(answer.status).toBe(200);
    const lines = (await answer.text()).split('\n').filter(line => line !== '');
    return lines.map(line => JSON.parse(line) as LabRunLine);
  };
  const of = (lines: readonly LabRunLine[], side: number) => lines.filter(line => line.side === side);
  const textOf = (lines: readonly LabRunLine[]) => {
    const end = lines.find(line => line.type === 'completion-end');
    return end?.pieces.map(({ text }) => text).join('') ?? '';
  };

  test('asks the model under both settings, one after the other', async () => {
    const lines = await run({ sides: [{ temperature: 0 }, { format: 'llama3', maxTokens: 4 }] });
    expect(lines.map(({ side }) => side)).toEqual([...of(lines, 0), ...of(lines, 1)].map(({ side }) => side));
    const [left, right] = [of(lines, 0), of(lines, 1)];
    expect(left[0]).toMatchObject({ type: 'side-start', format: 'qwen', model: engine.name });
    expect(right[0]).toMatchObject({ type: 'side-start', format: 'llama3' });
    const end = left.find(line => line.type === 'call-end');
    expect(end?.call).toMatchObject({ name: 'add', arguments: { a: 31, b: 11 } });
    expect(right.find(line => line.type === 'completion-end')).toMatchObject({ reason: 'length' });
    const usage = right.find(line => line.type === 'usage');
    expect(usage?.generated).toBe(4);
    expect(left.find(line => line.type === 'turn-start')?.tokens).toBeGreaterThan(50);
  });

  test('sampling and constraints are those of the side', async () => {
    const hot = { temperature: 2, topP: 1, topK: 200, seed: 3, maxTokens: 24 };
    const lines = await run({ sides: [hot, { ...hot, seed: 4 }] });
    const again = await run({ sides: [hot] });
    expect(textOf(of(lines, 0))).toBe(textOf(of(again, 0)));
    expect(textOf(of(lines, 0))).not.toBe(textOf(of(lines, 1)));
    const small = { messages: [{ role: 'user', content: 'Hello!' }] };
    const held = await run({ ...small, sides: [{}, { constrain: 'required' }] });
    expect(of(held, 0).some(line => line.type === 'call-end')).toBe(false);
    expect(of(held, 1).some(line => line.type === 'call-end')).toBe(true);
  });

  test('a side that fails leaves the other one', async () => {
    const long = [{ role: 'user', content: 'so '.repeat(4000) }];
    const lines = await run({ messages: long, sides: [{}, { format: 'nonsense' }] });
    expect(of(lines, 0)).toContainEqual(
      expect.objectContaining({ type: 'side-failed', code: 'prompt_too_long' }),
    );
    expect(of(lines, 1)).toContainEqual(expect.objectContaining({ type: 'side-failed' }));
    expect((await loaded.fetch('lab/run', { messages, sides: [{ topP: 2 }] })).status).toBe(400);
    expect((await loaded.fetch('lab/run', { messages, sides: [] })).status).toBe(400);
  });

  test('who goes away stops it, and gives the model back', async () => {
    const gone = new AbortController();
    const answer = await loaded.fetch(
      'lab/run',
      { messages, tools, sides: [{ maxTokens: 1000, temperature: 2 }, {}] },
      gone.signal,
    );
    await answer.body!.getReader().read();
    gone.abort();
    await expect.poll(() => loaded.borrowed(), { timeout: 30_000 }).toBe(0);
  });
});
