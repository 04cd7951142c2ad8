/** One model at a time: who has it, who waits for another one, and what a question brings besides its words. */
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { PlayState } from '../../../src/playground/protocol.ts';
import { practiceModel } from '../../engine/practice.ts';
import { fixture, npmServer } from '../../mcp/helpers.ts';
import { temporaryFolder } from '../../transcript/harness.ts';
import { startPlayground, type TestPlayground } from './playground.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let play: TestPlayground;
beforeAll(async () => {
  play = await startPlayground({
    servers: [
      { ...npmServer('everything'), tools: { allow: ['trigger-elicitation-request'] } },
      { ...fixture('features'), tools: { deny: ['*'] } },
    ],
    values: { approve: ['auto'], format: 'hermes' },
  });
});
afterAll(() => play.close());

const model = async () => (await play.get<PlayState>('state')).model;

function another(): string {
  const file = path.join(temporaryFolder(), 'another.gguf');
  copyFileSync(practiceModel, file);
  return file;
}

test('another model is opened by the question that names it, and the dialogue goes on with it', async () => {
  const dialogue = await play.dialogue();
  await dialogue.run('Hello?', { maxTokens: 8 });
  const file = another();
  const events = await dialogue.run('And now?', { model: file, maxTokens: 8 });
  expect(events.at(-1)).toMatchObject({ type: 'run-end' });
  expect(await model()).toMatchObject({ phase: 'ready', model: file });
  const { prompt } = await dialogue.turn(2);
  expect(prompt.map(piece => ('text' in piece ? piece.text : '')).join('')).toContain('Hello?');
  await dialogue.run('And again?', { maxTokens: 8 });
  expect(await model()).toMatchObject({ phase: 'ready', model: practiceModel });
});

test('a question for another model waits for the runs that have the one there is, and can be stopped meanwhile', async () => {
  const [first, second] = [await play.dialogue(), await play.dialogue()];
  const held = await first.ask('Go on', { constrain: 'required', rounds: 'once' });
  const { ask } = await first.next('elicitation-start', held.seq);
  const before = await model();
  const waiting = await second.ask('Hello?', { model: another() });
  await second.post('stop', {});
  const ended = await second.events(({ type }) => type === 'run-end', waiting.seq);
  expect(ended.map(({ type }) => type)).toEqual(['asked', 'run-end']);
  expect(ended.at(-1)).toMatchObject({ reason: 'aborted' });
  expect(await model()).toEqual(before);

  const file = another();
  const again = await second.ask('Hello?', { model: file, maxTokens: 8 });
  await first.post(`answers/${ask}`, { action: 'decline' });
  expect(await first.next('run-end', held.seq)).toMatchObject({ toolRuns: 1 });
  expect(await second.next('run-end', again.seq)).toMatchObject({ turns: 1 });
  expect(await model()).toMatchObject({ model: file });
});

test('a file that is no model fails its question and leaves the open one alone', async () => {
  const dialogue = await play.dialogue();
  await dialogue.run('Hello?', { maxTokens: 4 });
  const before = await model();
  const file = path.join(temporaryFolder(), 'letter.gguf');
  writeFileSync(file, 'Dear model,');
  const events = await dialogue.run('Hello?', { model: file });
  expect(events.at(-1)).toMatchObject({ type: 'run-failed', code: 'model_not_gguf' });
  expect(await model()).toEqual(before);
});

test('a resource that a question mentions is read and put behind it', async () => {
  const dialogue = await play.dialogue();
  const events = await dialogue.run('What is in @features:mem://count ?', { maxTokens: 8 });
  expect(events.find(({ type }) => type === 'resource-attached')).toMatchObject({
    server: 'features',
    uri: 'mem://count',
  });
  const { prompt } = await dialogue.turn(1);
  const user = prompt.map(piece => ('text' in piece && piece.origin === 'user' ? piece.text : '')).join('');
  expect(user).toContain('read 1 times');
  expect(events[0]).toMatchObject({ question: 'What is in @features:mem://count ?' });

  const missing = await dialogue.run('And @features:mem://nothing ?');
  expect(missing.at(-1)).toMatchObject({ type: 'run-failed', code: 'not_offered' });
});
