/** Saved states: a second start evaluates no prefix again, and takes no file that is not whole and its own. */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clearStates, listStates } from '../../src/engine/llama/states.ts';
import { type LlamaOptions, openLlamaEngine } from '../../src/engine/llama.ts';
import type { Prompt } from '../../templates/template.ts';
import { type Completion, collect, complete, practiceModel, question } from './practice.ts';

let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'rawcall-states-'));
});
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(root, 'case-')), 'states');
});
afterAll(() => rm(root, { recursive: true }));

/** As a template renders what stands at the beginning of every dialogue. */
function system(text: string): Prompt {
  return [
    { control: '<|im_start|>' },
    { text: 'system\n', origin: 'template' },
    { text: `${text} ${'Be kind. '.repeat(40)}`, origin: 'system' },
    { control: '<|im_end|>' },
    { text: '\n', origin: 'template' },
  ];
}
const prefix = system('You have tools.');
const prompt = [...prefix, ...question('Hi')];

interface Start extends Completion {
  readonly notices: readonly string[];
  /** Tokens of the prefix. */
  readonly fixed: number;
}

/** One start of a program: an engine is opened, asked once, and closed. */
async function start(
  asked: Prompt = prompt,
  begins: Prompt = prefix,
  options: Partial<LlamaOptions> = {},
): Promise<Start> {
  const notices: string[] = [];
  const engine = await openLlamaEngine({
    model: practiceModel,
    gpu: 'off',
    contextSize: 512,
    batchSize: 100,
    stateFolder: folder,
    onNotice: notice => notices.push(notice),
    ...options,
  });
  const completion = await complete(engine, asked, { prefix: () => begins, maxTokens: 10 });
  const fixed = engine.tokenize(begins).length;
  await engine.close();
  return { ...completion, notices, fixed };
}

const loaded = ({ usage, fixed, notices }: Start) => usage.reused === fixed && notices.length === 0;
async function onlyFile(): Promise<string> {
  const files = await readdir(folder);
  expect(files).toHaveLength(1);
  return path.join(folder, files[0]!);
}

describe('the second start', () => {
  test('evaluates what comes after the prefix, and writes what the first one wrote', async () => {
    const first = await start();
    expect(first.usage.reused).toBe(0);
    const second = await start();
    expect(second.usage).toMatchObject({ reused: first.fixed, evaluated: first.usage.prompt - first.fixed });
    expect(second.ids).toEqual(first.ids);
    expect(second.notices).toEqual([]);
    expect(await listStates(folder)).toMatchObject([{ tokens: first.fixed, file: await onlyFile() }]);
  });

  test('may ask something else, for no more than the prefix was saved', async () => {
    await start();
    const other = [...prefix, ...question('What is 31 plus 11?')];
    const second = await start(other);
    expect(loaded(second)).toBe(true);
    const alone = await start(other, prefix, { stateFolder: path.join(folder, 'none') });
    expect(second.ids).toEqual(alone.ids);
  });

  test('with another prefix, or another file of the model, has a state of its own', async () => {
    await start();
    const begins = system('You have none.');
    expect((await start([...begins, ...question('Hi')], begins)).usage.reused).toBe(0);
    const model = path.join(root, 'copy.gguf');
    await copyFile(practiceModel, model);
    const dated = new Date(2020, 1, 1);
    await utimes(model, dated, dated);
    const copy = await start(prompt, prefix, { model });
    expect({ reused: copy.usage.reused, notices: copy.notices }).toEqual({ reused: 0, notices: [] });
    expect(await listStates(folder)).toHaveLength(3);
    expect(loaded(await start())).toBe(true);
  });

  test('in another lane', async () => {
    await start();
    const engine = await openLlamaEngine({
      model: practiceModel,
      gpu: 'off',
      contextSize: 512,
      stateFolder: folder,
    });
    await complete(engine, question('Hello'), { maxTokens: 1 });
    const { usage } = await complete(engine, prompt, { lane: 'tools', prefix: () => prefix, maxTokens: 1 });
    const next = await complete(engine, [...prefix, ...question('And now?')], {
      lane: 'tools',
      prefix: () => prefix,
      maxTokens: 1,
    });
    const fixed = engine.tokenize(prefix).length;
    await engine.close();
    expect(usage.reused).toBe(fixed);
    // The frame of the next turn is the same too.
    expect(next.usage.reused).toBeGreaterThanOrEqual(fixed);
  });
});

test.skipIf(process.platform !== 'linux')('a folder that can never be made is told', async () => {
  const stateFolder = '/proc/nowhere/states';
  const { notices, reason } = await start(prompt, prefix, { stateFolder });
  expect(reason).not.toBe('aborted');
  expect(notices).toEqual([expect.stringContaining(`can't be saved in ${stateFolder}: ENOENT`)]);
});

test('an engine that keeps no states asks for no prefix', async () => {
  const engine = await openLlamaEngine({ model: practiceModel, gpu: 'off', contextSize: 512 });
  let asked = 0;
  const begins = () => {
    asked++;
    return prefix;
  };
  await complete(engine, prompt, { prefix: begins, maxTokens: 1 });
  await engine.close();
  expect(asked).toBe(0);
});

describe('a file that is not used, but said to be unusable and written anew', () => {
  const spoilt: readonly [string, (bytes: Buffer) => Buffer][] = [
    ['empty', () => Buffer.alloc(0)],
    ['shorter than a seal', bytes => bytes.subarray(-7)],
    ['cut at the end', bytes => bytes.subarray(0, -1)],
    ['cut in the middle', bytes => bytes.subarray(0, bytes.length >> 1)],
    ['cut before the seal', bytes => bytes.subarray(0, bytes.lastIndexOf('{'))],
    ['with a part left out', bytes => Buffer.concat([bytes.subarray(0, 5000), bytes.subarray(6000)])],
    ['with something behind it', bytes => Buffer.concat([bytes, Buffer.from('x')])],
    ['of something else', () => Buffer.from('GGUF or whatever'.repeat(1000))],
    ...[0, 4, 8, 100, 50_000].map((at): [string, (bytes: Buffer) => Buffer] => [
      `with a bit flipped at ${at}`,
      bytes => flipped(bytes, at),
    ]),
    ['with a bit flipped in the seal', bytes => flipped(bytes, bytes.lastIndexOf('sha256') + 20)],
    ['with a bit flipped in its magic', bytes => flipped(bytes, bytes.length - 3)],
    ['with a seal of absurd length', bytes => flipped(bytes, bytes.length - 9)],
  ];
  let sound: Buffer;
  let file: string;
  beforeAll(async () => {
    folder = path.join(root, 'sound');
    await start();
    file = path.basename(await onlyFile());
    sound = await readFile(path.join(folder, file));
  });

  test.each(spoilt)('%s', async (_, spoil) => {
    const state = path.join(folder, file);
    await mkdir(folder);
    await writeFile(state, spoil(sound));
    const { usage, notices, ids } = await start();
    expect(usage.reused).toBe(0);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(state);
    const third = await start();
    expect(loaded(third)).toBe(true);
    expect(third.ids).toEqual(ids);
  });

  test('of another prefix under its name', async () => {
    await start();
    const own = await onlyFile();
    const begins = system('You have none.');
    await start([...begins, ...question('Hi')], begins);
    const other = (await readdir(folder)).find(name => name !== path.basename(own))!;
    await rename(path.join(folder, other), own);
    const { usage, notices } = await start();
    expect({ reused: usage.reused, notices: notices.length }).toEqual({ reused: 0, notices: 1 });
    expect(loaded(await start())).toBe(true);
  });
});

describe('no file is written', () => {
  test('where there is no folder for it; the notice says why', async () => {
    const stateFolder = path.join(practiceModel, 'states');
    const { notices, usage } = await start(prompt, prefix, { stateFolder });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(stateFolder);
    expect(usage.generated).toBeGreaterThan(0);
  });

  test('for a prefix of a few tokens', async () => {
    await start(question('Hi'), [{ control: '<|im_start|>' }]);
    expect(await listStates(folder)).toEqual([]);
  });

  test('for a prompt that begins otherwise', async () => {
    await start([{ control: '<|im_start|>' }, ...prompt]);
    expect(await listStates(folder)).toEqual([]);
  });

  test('by an evaluation that was aborted', async () => {
    const engine = await openLlamaEngine({
      model: practiceModel,
      gpu: 'off',
      contextSize: 512,
      batchSize: 32,
      stateFolder: folder,
    });
    const controller = new AbortController();
    const generation = engine.generate(prompt, { prefix: () => prefix, signal: controller.signal });
    const ended = collect(generation);
    while (generation.usage.evaluated === 0) await new Promise(setImmediate);
    controller.abort();
    expect((await ended).reason).toBe('aborted');
    await engine.close();
    expect(await readdir(folder).catch(() => [])).toEqual([]);
  });
});

describe('the limit', () => {
  const prefixes = ['one', 'two', 'three'].map(system);
  const ask = (index: number, stateLimit: number) =>
    start([...prefixes[index]!, ...question('Hi')], prefixes[index]!, { stateLimit });

  test('of all states deletes those that were used least recently', async () => {
    await ask(0, 1e9);
    const limit = Math.round((await listStates(folder))[0]!.size * 2.5);
    await ask(1, limit);
    expect(loaded(await ask(0, limit))).toBe(true);
    await ask(2, limit);
    expect(await listStates(folder)).toHaveLength(2);
    expect(loaded(await ask(0, limit))).toBe(true);
    expect(loaded(await ask(2, limit))).toBe(true);
    expect((await ask(1, limit)).usage.reused).toBe(0);
  });

  test('is not broken for one state', async () => {
    const { notices } = await ask(0, 1000);
    expect(notices).toHaveLength(1);
    expect(await readdir(folder)).toEqual([]);
  });
});

test('clearing deletes the states, and no other file', async () => {
  await start();
  const other = path.join(folder, 'notes.txt');
  await writeFile(other, 'mine');
  await writeFile(path.join(folder, 'left-behind.partial'), 'cut short');
  const states = await listStates(folder);
  expect(states[0]!.model).not.toBe('unknown');
  expect(await clearStates(folder)).toEqual(states);
  expect(await readdir(folder)).toEqual(['notes.txt']);
  expect(await clearStates(path.join(folder, 'missing'))).toEqual([]);
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = copy[at]! ^ 0x10;
  return copy;
}
