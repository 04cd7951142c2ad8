/** Dialogues that outlive the program: what is in their files, what is not, and what a file may have gone through. */
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { directServer } from '../../../src/mcp/direct.ts';
import { openLog } from '../../../src/playground/dialogue-log.ts';
import { fileStore } from '../../../src/playground/dialogue-store.ts';
import { endInterrupted } from '../../../src/playground/interrupted.ts';
import type { DialogueSummary, PlayEvent } from '../../../src/playground/protocol.ts';
import { redactor } from '../../../src/transcript/redact.ts';
import { temporaryFolder } from '../../transcript/harness.ts';
import { dialoguesFolder, startPlayground } from './playground.ts';

vi.setConfig({ testTimeout: 120_000 });

const fileOf = (id: string) => path.join(dialoguesFolder, `${id}.jsonl`);

test('after a restart a dialogue is as it was and goes on, with the same prompt before its new question', async () => {
  const first = await startPlayground();
  const dialogue = await first.dialogue();
  const question = 'Hello, who are you?';
  await dialogue.run(question);
  const [before, turn] = await Promise.all([
    dialogue.events(({ type }) => type === 'run-end'),
    dialogue.turn(1),
  ]);
  await first.close();
  expect(statSync(fileOf(dialogue.id)).mode & 0o077).toBe(0);

  const second = await startPlayground();
  const again = second.existing(dialogue.id);
  expect(await second.get<DialogueSummary[]>('dialogues')).toMatchObject([
    { id: dialogue.id, name: question, questions: 1, running: false },
  ]);
  expect(await again.events(({ type }) => type === 'run-end')).toEqual(before);
  expect(await again.turn(1)).toEqual(turn);
  const events = await again.run('And who made you?');
  expect(events[0]!.seq).toBe(before.length);
  const { tokens } = await again.turn(2);
  const written = turn.completion!.pieces.flatMap(piece => piece.tokens ?? []);
  const earlier = [...turn.tokens!.map(({ id }) => id), ...written];
  expect(tokens!.slice(0, earlier.length).map(({ id }) => id)).toEqual(earlier);
  await second.fetch(`dialogues/${dialogue.id}`, { method: 'DELETE' });
  expect(existsSync(fileOf(dialogue.id))).toBe(false);
  await second.close();
});

test('what waits for the user when the program ends is given up, and the run is stopped', async () => {
  const servers = [directServer('rawcall', 'mcp-server materials')];
  const first = await startPlayground({ servers, values: { format: 'hermes' } });
  const dialogue = await first.dialogue();
  await dialogue.ask('Flag M-1003: no weight.');
  const { seq, ask } = await dialogue.next('approval-start');
  await first.close();
  const second = await startPlayground();
  const events = await second.existing(dialogue.id).events(({ type }) => type === 'run-end', seq);
  expect(events[1]).toMatchObject({ type: 'ask-end', ask });
  expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'aborted' });
  await second.fetch(`dialogues/${dialogue.id}`, { method: 'DELETE' });
  await second.close();
});

test('without recording nothing is written', async () => {
  const play = await startPlayground({ values: { record: false } });
  const dialogue = await play.dialogue('Unwritten');
  await dialogue.run('Hello?', { maxTokens: 4 });
  expect(existsSync(fileOf(dialogue.id))).toBe(false);
  await play.close();
});

const speaker = { model: 'm', format: 'qwen', vocabularySize: 10 };

function kept(folder: string, secrets: readonly string[] = [], patterns: readonly RegExp[] = []) {
  const failures: string[] = [];
  const store = fileStore({
    folder,
    redactor: redactor(secrets, patterns),
    onFailure: message => failures.push(message),
  });
  return { store, failures };
}

/** As a dialogue begins. */
function begin(folder: string, secrets: readonly string[] = [], patterns: readonly RegExp[] = []) {
  const { store, failures } = kept(folder, secrets, patterns);
  const keep = store.keeper('d1');
  keep({ type: 'dialogue', version: 1, id: 'd1', createdAt: 1 });
  const log = openLog({ id: 'd1', createdAt: 1, events: [], prompts: [], snapshots: [] }, keep, () => 5);
  return { log, failures, file: path.join(folder, 'd1.jsonl') };
}

test.each([
  ['a secret', ['sesame-42'], []],
  ['a pattern', [], [/sesame-\d+/gu]],
])('%s is in no line, though it came in pieces, and offsets stay', (_what, secrets, patterns) => {
  const folder = temporaryFolder();
  const { log, file } = begin(folder, secrets, patterns);
  log.add({ type: 'asked', question: 'Is it sesame-42?', knobs: { system: 'Never say sesame-42.' } });
  const prompt = [{ text: 'Is it sesame-42?', origin: 'user' as const }];
  const token = (text: string, id: number) => ({ id, text, control: false, origin: 'user' as const });
  const tokens = [token('Is it ', 1), token('sesa', 2), token('me-42?', 3)];
  log.addTurn({ type: 'turn-start', purpose: 'decision' }, { model: 'm', format: 'qwen', prompt, tokens });
  for (const text of ['It is ses', 'ame-', '42', '.']) log.add({ type: 'text-delta', text });
  const pieces = ['It is ses', 'ame-', '42', '.'].map((text, at) => ({ text, tokens: [at] }));
  log.add({ type: 'completion-end', pieces, reason: 'stop' });
  const completion = pieces;
  log.addMessages(speaker, [{ role: 'assistant', content: 'It is sesame-42.', completion }]);
  const written = readFileSync(file, 'utf8');
  expect(written).not.toMatch(/sesame|ses"|ame-/);
  const [content] = kept(folder).store.kept;
  const deltas = content!.events.flatMap(event => (event.type === 'text-delta' ? [event.text] : []));
  expect(deltas).toEqual(['It is ███', '████', '██', '.']);
  expect(content!.prompts[0]).toEqual({
    model: 'm',
    format: 'qwen',
    prompt: [{ text: 'Is it █████████?', origin: 'user' }],
  });
  // Whoever looks on sees it all.
  expect(log.events.items.map(event => ('text' in event ? event.text : '')).join('')).toBe(
    'It is sesame-42.',
  );
});

test('what a crash left half written is dropped, and its run is ended', () => {
  const folder = temporaryFolder();
  const { log, file } = begin(folder);
  log.add({ type: 'asked', question: 'Who?', knobs: {} });
  const call = { id: 'call_1', name: 'add', arguments: {}, argumentsText: '{}' };
  log.add({ type: 'approval-start', ask: 'a1', call });
  appendFileSync(file, '{"seq":2,"at":5,"type":"text-de');

  const { store, failures } = kept(folder);
  const [content] = store.kept;
  const again = openLog(content!, store.keeper('d1'), () => 6);
  endInterrupted(again);
  const types = again.events.items.map(({ type }) => type);
  expect(types).toEqual(['asked', 'approval-start', 'ask-end', 'run-failed']);
  expect(kept(folder).store.kept[0]!.events).toEqual(again.events.items);
  endInterrupted(again);
  expect(again.events.items).toHaveLength(4);
  expect(failures).toEqual([]);
});

test('what counts is the same after a restart: cut off events, and the messages before them', () => {
  const folder = temporaryFolder();
  const { log } = begin(folder);
  const user = (content: string) => ({ role: 'user' as const, content });
  log.add({ type: 'asked', question: 'One?', knobs: {} });
  log.addMessages(speaker, [user('One?')]);
  const second = log.add({ type: 'asked', question: 'Two?', knobs: {} });
  log.addMessages(speaker, [user('One?'), user('Two?')]);
  log.add({ type: 'rewound', to: second.seq });
  const { store } = kept(folder);
  const again = openLog(store.kept[0]!, store.keeper('d1'), () => 6);
  for (const one of [log, again]) {
    expect(one.standing.map(event => (event as PlayEvent & { question: string }).question)).toEqual(['One?']);
    expect(one.last?.messages).toEqual([user('One?')]);
  }
});

test.each([
  ['no dialogue', '{"type":"transcript"}\n', /does not begin as a dialogue/],
  ['a later version', '{"type":"dialogue","version":2,"id":"d1","createdAt":1}\n', /newer rawcall/],
  [
    'lines that are gone',
    '{"type":"dialogue","version":1,"id":"d1","createdAt":1}\n{"seq":3,"type":"asked"}\n',
    /missing/,
  ],
  ['no JSON', 'hello\n', /JSON/],
])('a file with %s is left out and left alone', (_what, content, why) => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'd1.jsonl');
  writeFileSync(file, content);
  const { store, failures } = kept(folder);
  expect(store.kept).toEqual([]);
  expect(failures).toEqual([expect.stringMatching(why)]);
  expect(failures[0]).toContain(file);
  expect(readFileSync(file, 'utf8')).toBe(content);
});

test('where another program writes to the file, this one does not', () => {
  const folder = temporaryFolder();
  const { log, file, failures } = begin(folder);
  log.add({ type: 'renamed', name: 'A' });
  appendFileSync(file, '{"seq":1,"at":5,"type":"renamed","name":"B"}\n');
  log.add({ type: 'renamed', name: 'C' });
  log.add({ type: 'renamed', name: 'D' });
  expect(failures).toEqual([expect.stringContaining('another program')]);
  expect(readFileSync(file, 'utf8')).not.toMatch(/"[CD]"/);
});
