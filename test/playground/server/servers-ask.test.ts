/** What MCP servers ask in a run: forms for the user, and texts of the model. Each is put to the dialogue whose call it is. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DialogueSummary, EventOf, Knobs } from '../../../src/playground/protocol.ts';
import { npmServer } from '../../mcp/helpers.ts';
import { startPlayground, type TestDialogue, type TestPlayground } from './playground.ts';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let play: TestPlayground;
beforeAll(async () => {
  play = await startPlayground({
    servers: [{ ...npmServer('everything'), tools: { allow: ['trigger-*'] } }],
    values: { approve: ['trigger_*=auto'], format: 'hermes' },
  });
});
afterAll(() => play.close());

/** The practice model knows none of these tools and is held to call the one that is left on. */
function calling(tool: string): Knobs {
  const toolsOff = play.host.tools.flatMap(({ name }) => (name === tool ? [] : [name]));
  return { constrain: 'required', rounds: 'once', toolsOff };
}

const form = 'trigger_elicitation_request';

async function resultOf(dialogue: TestDialogue, from: number): Promise<string> {
  return (await dialogue.next('tool-end', from)).result.content;
}

test('a form is filled in: what does not fit is told at once and asked again, what fits goes to the server', async () => {
  const dialogue = await play.dialogue();
  const { seq } = await dialogue.ask('Go on', calling(form));
  const asked = await dialogue.next('elicitation-start', seq);
  expect(asked).toMatchObject({ server: 'everything', mode: 'form', schema: { required: ['name'] } });
  const answer = (body: object) => dialogue.post(`answers/${asked.ask}`, body);
  await expect(answer({ action: 'accept', content: {} })).rejects.toThrow(/400 .*name/);
  await expect(answer({ approved: true })).rejects.toThrow(/400 .*action/);
  await answer({ action: 'accept', content: { name: 'Ada Lovelace' } });
  expect(await resultOf(dialogue, seq)).toContain('Ada Lovelace');
  expect(await dialogue.next('elicitation-end', seq)).toMatchObject({ action: 'accept' });
});

test('of two dialogues that wait at once, each gets its own answer, and one that is stopped cancels its form', async () => {
  const [one, other] = [await play.dialogue(), await play.dialogue()];
  const first = await one.ask('Go on', calling(form));
  const firstForm = await one.next('elicitation-start', first.seq);
  const second = await other.ask('Go on', calling(form));
  const secondForm = await other.next('elicitation-start', second.seq);
  const waiting = await play.get<DialogueSummary[]>('dialogues');
  expect(waiting.filter(({ asking }) => asking)).toHaveLength(2);
  await other.post('stop', {});
  const ended = await other.next('elicitation-end', second.seq);
  expect(ended).toMatchObject({ action: 'cancel' } satisfies Partial<EventOf<'elicitation-end'>>);
  await expect(one.post(`answers/${secondForm.ask}`, { action: 'decline' })).rejects.toThrow('409');
  await one.post(`answers/${firstForm.ask}`, { action: 'decline' });
  expect(await resultOf(one, first.seq)).toMatch(/declined/i);
});

test('a text of the model is asked for, refused with a reason, and given where it is allowed', async () => {
  const dialogue = await play.dialogue();
  const knobs = { ...calling('trigger_sampling_request'), maxTokens: 24 };
  const { seq } = await dialogue.ask('Go on', knobs);
  const asked = await dialogue.next('approval-start', seq);
  expect(asked).toMatchObject({ server: 'everything', call: { name: 'sampling/everything' } });
  expect(asked.call.arguments).toMatchObject({ messages: [{ role: 'user' }] });
  await dialogue.post(`answers/${asked.ask}`, { approved: false, reason: 'not my words' });
  expect(await dialogue.next('sampling-end', seq)).toMatchObject({
    reason: expect.stringContaining('not my words'),
  });
  expect(await resultOf(dialogue, seq)).toContain('not my words');
  await dialogue.next('run-end', seq);

  const again = await dialogue.ask('Go on', knobs);
  const { ask } = await dialogue.next('approval-start', again.seq);
  await dialogue.post(`answers/${ask}`, { approved: true });
  const given = await dialogue.next('sampling-end', again.seq);
  expect(given).toMatchObject({ server: 'everything', text: expect.stringMatching(/\S/) });
  expect(await resultOf(dialogue, again.seq)).toContain(JSON.stringify((given as { text: string }).text));
});
