/** Dialogues over HTTP, on the practice model: questions, what the user is asked, and what is taken back. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { directServer } from '../../../src/mcp/direct.ts';
import type { ContextBill, DialogueSummary, EventOf, PlayEvent } from '../../../src/playground/protocol.ts';
import type { Origin } from '../../../templates/template.ts';
import { linesOf, runsFolder, startPlayground, type TestPlayground } from './playground.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let play: TestPlayground;
beforeAll(async () => {
  play = await startPlayground({
    servers: [directServer('rawcall', 'mcp-server calc'), directServer('rawcall', 'mcp-server materials')],
    values: { approve: ['calc/*=auto'], format: 'hermes' },
  });
});
afterAll(() => play.close());

const sum = 'What is 31 plus 11?';
/** For which the practice model calls flag_material, which asks for approval. */
const flag = 'Flag M-1003: no weight.';

function ofType<Type extends PlayEvent['type']>(
  events: readonly PlayEvent[],
  type: Type,
): (PlayEvent & EventOf<Type>)[] {
  return events.filter((event): event is PlayEvent & EventOf<Type> => event.type === type);
}

const text = (events: readonly PlayEvent[]) =>
  ofType(events, 'text-delta')
    .map(event => event.text)
    .join('');

test('a run is told event by event, numbered without a gap, and recorded', async () => {
  const dialogue = await play.dialogue();
  const before = recordings();
  const events = await dialogue.run(sum);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at));
  expect(events[0]).toMatchObject({ type: 'asked', question: sum, knobs: {} });
  expect(ofType(events, 'call-end')[0]).toMatchObject({ call: { name: 'add', arguments: { a: 31, b: 11 } } });
  expect(ofType(events, 'tool-end')[0]).toMatchObject({ result: { content: '42' } });
  expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'answered', toolRuns: 1 });
  expect(text(events)).toContain('42');
  expect(recordings() - before).toBe(1);

  const again = await dialogue.events(({ type }) => type === 'run-end', 3);
  expect(again).toEqual(events.slice(3));
  const listed = await play.get<DialogueSummary[]>('dialogues');
  expect(listed[0]).toMatchObject({ id: dialogue.id, name: sum, questions: 1, running: false });
});

const recordings = () => {
  try {
    return readdirSync(runsFolder).length;
  } catch {
    return 0;
  }
};

test("a turn's tokens are the engine's own, the reused ones those of the turn before, and its completion is read in place", async () => {
  const dialogue = await play.dialogue();
  const events = await dialogue.run(sum);
  const starts = ofType(events, 'turn-start');
  expect(starts.map(({ turn }) => turn)).toEqual([1, 2]);
  const [first, second] = await Promise.all([1, 2].map(n => dialogue.turn(n)));
  using held = play.models.present({ ...(await values()) })!;
  const { raw } = await held.dialogue(await values());
  for (const turn of [first!, second!]) {
    expect(turn.tokens).toEqual(raw!.engine.tokenize!(turn.prompt));
    expect(turn.usage[0]!.prompt).toBe(turn.tokens!.length);
    expect(turn.usage[0]!.prompt).toBe(turn.usage[0]!.reused + turn.usage[0]!.evaluated);
  }
  const { reused } = second!.usage[0]!;
  expect(reused).toBeGreaterThanOrEqual(first!.tokens!.length);
  const written = first!.completion!.pieces.flatMap(({ tokens }) => tokens ?? []);
  const behind = [...first!.tokens!.map(({ id }) => id), ...written];
  expect(second!.tokens!.slice(0, reused).map(({ id }) => id)).toEqual(behind.slice(0, reused));

  const whole = first!.completion!.pieces.map(piece => piece.text).join('');
  const call = first!.completion!.spans.find(({ kind }) => kind === 'call');
  expect(whole.slice(call!.span.start, call!.span.end)).toContain('"a": 31');
  await expect(dialogue.turn(3)).rejects.toThrow('404');
});

const values = async () => ({
  model: (await play.get<{ models: [{ model: string }] }>('state')).models[0].model,
  format: 'hermes',
});

test('a call is refused with a reason, which the model reads; the next one is allowed for good', async () => {
  const dialogue = await play.dialogue();
  const { seq } = await dialogue.ask(flag);
  const asked = await dialogue.next('approval-start', seq);
  expect(asked).toMatchObject({
    server: 'materials',
    tool: 'flag_material',
    call: { name: 'flag_material' },
  });
  const [waiting] = await play.get<DialogueSummary[]>('dialogues');
  expect(waiting).toMatchObject({ running: true, asking: true });
  await expect(dialogue.post(`answers/${asked.ask}`, { approve: true })).rejects.toThrow(/400 .*approved/);
  await dialogue.post(`answers/${asked.ask}`, { approved: false, reason: 'it was weighed today' });
  await expect(dialogue.post(`answers/${asked.ask}`, { approved: true })).rejects.toThrow('409');
  const events = await dialogue.events(({ type }) => type === 'run-end', seq);
  expect(ofType(events, 'ask-end')[0]).toMatchObject({ ask: asked.ask });
  expect(ofType(events, 'approval-end')[0]).toMatchObject({ allowed: false, reason: 'it was weighed today' });
  expect(ofType(events, 'tool-end')[0]!.result.content).toContain('it was weighed today');

  const second = await dialogue.ask(flag.replace('1003', '1004'));
  const again = await dialogue.next('approval-start', second.seq);
  await dialogue.post(`answers/${again.ask}`, { approved: true, always: true });
  expect((await dialogue.next('run-end', second.seq)).toolRuns).toBeGreaterThan(0);
  const third = await dialogue.run(flag.replace('1003', '1005'));
  expect(ofType(third, 'approval-start')).toEqual([]);
  expect(ofType(third, 'approval-end')[0]).toMatchObject({ allowed: true, always: true });
});

test('a run that waits is stopped, its question given up, and the dialogue goes on', async () => {
  const dialogue = await play.dialogue();
  const { seq } = await dialogue.ask(flag);
  const { ask } = await dialogue.next('approval-start', seq);
  await expect(dialogue.ask(sum)).rejects.toThrow('409');
  await dialogue.post('stop', {});
  const events = await dialogue.events(({ type }) => type === 'run-end', seq);
  expect(ofType(events, 'ask-end')).toMatchObject([{ ask }]);
  expect(events.at(-1)).toMatchObject({ reason: 'aborted' });
  await expect(dialogue.post(`answers/${ask}`, { approved: true })).rejects.toThrow('409');
  expect(text(await dialogue.run(sum))).toContain('42');
});

test('what a turn writes is told while it does; it is stopped meanwhile, and the dialogue goes on', async () => {
  const dialogue = await play.dialogue();
  // Any token is as good as another one, so that there is no end to it.
  const { seq } = await dialogue.ask(sum, { temperature: 1000, minP: 0, topP: 1, topK: 0, maxTokens: 6000 });
  const { turn } = await dialogue.next('turn-start', seq);
  const live = linesOf(await play.fetch(`dialogues/${dialogue.id}/turns/${turn}/live`));
  const written = [(await live.next()).value, (await live.next()).value];
  await dialogue.post('stop', {});
  for await (const piece of live) written.push(piece);
  const events = await dialogue.events(({ type }) => type === 'run-end', seq);
  expect(events.at(-1)).toMatchObject({ reason: 'aborted' });
  const { completion, usage } = await dialogue.turn(turn);
  expect(completion).toMatchObject({ reason: 'aborted', pieces: written });
  expect(usage[0]!.generated).toBeLessThan(6000);

  const over = await play.fetch(`dialogues/${dialogue.id}/turns/${turn}/live`);
  expect([over.status, await over.text()]).toEqual([200, '']);
  expect((await play.fetch(`dialogues/${dialogue.id}/turns/${turn + 1}/live`)).status).toBe(404);
  expect(text(await dialogue.run(sum))).toContain('42');
});

test('a question is edited: what came from it on is cut off, for the model too', async () => {
  const dialogue = await play.dialogue();
  const [first] = await dialogue.run(sum);
  const [second] = await dialogue.run('And what is 5 times 6?');
  const events = await dialogue.run('What is 8 minus 3?', {}, second!.seq);
  expect(ofType(events, 'asked')[0]!.question).toBe('What is 8 minus 3?');
  const rewound = await dialogue.next('rewound', events[0]!.seq - 1);
  expect(rewound.to).toBe(second!.seq);
  const { turn } = ofType(events, 'turn-start')[0]!;
  const raw = await dialogue.turn(turn);
  // Up to the question that was cut off.
  expect(raw.usage[0]!.reused).toBeGreaterThan(raw.tokens!.length / 2);
  const said = raw.prompt.map(piece => ('text' in piece ? piece.text : piece.control)).join('');
  expect(said).toContain(sum);
  expect(said).toContain('8 minus 3');
  expect(said).not.toContain('5 times 6');
  const summary = (await play.get<DialogueSummary[]>('dialogues')).find(({ id }) => id === dialogue.id);
  expect(summary).toMatchObject({ questions: 2, name: sum });
  await expect(dialogue.ask('x', {}, second!.seq)).rejects.toThrow(/400 .*cut off/);
  await expect(dialogue.ask('x', {}, first!.seq + 1)).rejects.toThrow(/400 .*no question/);
});

test('knobs hold for a question: tools switched off, a system text, a placement; wrong ones are told by their names', async () => {
  const dialogue = await play.dialogue();
  const bill = (knobs: object) => dialogue.post<ContextBill>('bill', { knobs });
  await dialogue.run(sum, {});
  const whole = await bill({});
  expect(whole.template + whole.system + whole.tools + whole.history + whole.results).toBe(whole.total);
  expect(whole.total + whole.free).toBe(whole.contextSize);
  expect(whole.perTool.add).toBeGreaterThan(10);
  const less = await bill({ toolsOff: ['add'] });
  expect(whole.total - less.total).toBe(whole.perTool.add);

  const events = await dialogue.run(sum, {
    toolsOff: ['add'],
    system: 'Say it in capitals.',
    schema: 'user',
    maxTokens: 8,
  });
  const { turn } = ofType(events, 'turn-start')[0]!;
  const { prompt } = await dialogue.turn(turn);
  const said = (origin: Origin) =>
    prompt.map(piece => ('text' in piece && piece.origin === origin ? piece.text : '')).join('');
  expect(said('system')).toBe('Say it in capitals.');
  expect(said('tools')).toContain('"subtract"');
  expect(said('tools')).not.toContain('"add"');
  expect(prompt.findIndex(piece => 'text' in piece && piece.origin === 'tools')).toBeGreaterThan(
    prompt.findIndex(piece => 'text' in piece && piece.text.includes('capitals')),
  );

  await expect(dialogue.ask(sum, { topP: 2 })).rejects.toThrow(/400 .*knobs.topP.*must be from 0 to 1/);
  await expect(dialogue.ask(sum, { heat: 1 } as never)).rejects.toThrow(/400 .*knobs.heat.*is no knob/);
  await expect(dialogue.ask(' ', {})).rejects.toThrow(/400 .*question/);
});

test('dialogues are named, renamed and deleted, which is told to whoever follows', async () => {
  const dialogue = await play.dialogue('Sums');
  const stop = new AbortController();
  const news = linesOf(await play.fetch('news', { signal: stop.signal }));
  const names: (string | undefined)[] = [];
  const named = async () => {
    for await (const one of news as AsyncGenerator<{ type: string; dialogues: DialogueSummary[] }>)
      if (one.type === 'dialogues') return one.dialogues.find(({ id }) => id === dialogue.id)?.name;
    return undefined;
  };
  names.push(await named());
  const renaming = { method: 'PATCH', body: JSON.stringify({ name: 'Totals' }) };
  expect((await play.fetch(`dialogues/${dialogue.id}`, renaming)).status).toBe(200);
  expect(names).toEqual(['Sums']);
  stop.abort();
  expect((await play.get<DialogueSummary[]>('dialogues'))[0]).toMatchObject({ name: 'Totals' });

  const followed = expect(dialogue.events(() => false)).rejects.toThrow('The stream ended');
  const deleting = await play.fetch(`dialogues/${dialogue.id}`, { method: 'DELETE' });
  expect(deleting.status).toBe(204);
  await followed;
  await expect(dialogue.get('events?from=0')).rejects.toThrow('404');
});

test('a format that cannot be found fails the run and not the dialogue', async () => {
  const dialogue = await play.dialogue();
  const events = await dialogue.run(sum, { format: 'hermess' });
  expect(events.at(-1)).toMatchObject({ type: 'run-failed', code: 'unknown_format' });
  expect(text(await dialogue.run(sum))).toContain('42');
});

test('another model is opened for a question, and one that is none leaves the open one alone', async () => {
  const dialogue = await play.dialogue();
  await dialogue.run(sum);
  const missing = path.join(path.dirname((await values()).model), 'missing.gguf');
  const events = await dialogue.run(sum, { model: missing });
  expect(events.at(-1)).toMatchObject({ type: 'run-failed', code: 'model_not_found' });
  const { model } = await play.get<{ model: { phase: string } }>('state');
  expect(model).toMatchObject({ phase: 'ready', format: 'hermes' });
  expect(text(await dialogue.run(sum))).toContain('42');
});

test('what is recorded of a question has its settings', async () => {
  const dialogue = await play.dialogue();
  await dialogue.run(sum, { seed: 4711, temperature: 0.1 });
  const sampling = readdirSync(runsFolder).map(name => {
    const [head] = readFileSync(path.join(runsFolder, name), 'utf8').split('\n');
    return (JSON.parse(head!) as { settings?: { sampling?: object } }).settings?.sampling;
  });
  expect(sampling.filter(one => one && 'seed' in one && one.seed === 4711)).toMatchObject([
    { seed: 4711, temperature: 0.1 },
  ]);
});
