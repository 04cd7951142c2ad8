/** What is seen while a model writes, held still by a test that decides when it goes on. */
import { expect, test } from 'vitest';
import { type Answer, completion } from '../engine/endpoint/scripted-server.ts';
import { ask, settled } from './browser.ts';
import { calling, callText, saying, withTool } from './saying.ts';

/** Writes the first part, and the rest when it is let go. */
function inTwo(first: string, rest: string) {
  let go = () => {};
  const gone = new Promise<void>(resolve => {
    go = resolve;
  });
  const answer: Answer = (response, asked) =>
    completion([first], async () => {
      await gone;
      const chunk = { choices: [{ index: 0, text: rest, finish_reason: 'stop' }] };
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    })(response, asked);
  return { answer, go };
}

test('a call is a card from its name on, and its arguments are seen as they are written', async () => {
  const text = callText('echo', { message: 'Hello, world' });
  const cut = text.indexOf(', world');
  const { answer, go } = inTwo(text.slice(0, cut), text.slice(cut));
  const { page, wrongs } = await saying([answer, completion(['It said hello.'])], withTool('echo'));
  const exchange = await ask(page, 'Say hello');
  const card = exchange.locator('.call');
  await card.locator('pre', { hasText: '"message": "Hello' }).waitFor();
  expect(await card.innerText()).not.toContain('world');
  expect(await card.getAttribute('data-phase')).toBe('writing');
  go();
  await settled(page);
  expect(await card.getAttribute('data-phase')).toBe('ended');
  expect(await card.locator('.result').innerText()).toContain('Echo: Hello, world');
  expect(wrongs).toEqual([]);
});

test('a thought is folded, and grows while it is', async () => {
  const { answer, go } = inTwo('<think>\nFirst this, ', 'then that.\n</think>\nDone.');
  const { page } = await saying([answer]);
  const exchange = await ask(page, 'Think');
  const thought = exchange.locator('details.reasoning');
  await thought.getByText('so far').waitFor();
  expect(await thought.getAttribute('open')).toBeNull();
  await thought.locator('summary').click();
  await thought.getByText('First this,').waitFor();
  go();
  await settled(page);
  expect(await thought.innerText()).toContain('First this, then that.');
  expect(await exchange.locator('.text').innerText()).toBe('Done.');
});

test('a server that asks for a text of the model needs approval, by a card of its own', async () => {
  const name = 'trigger-sampling-request';
  const { page } = await saying(
    [calling(name, { prompt: 'Who are you?' }), completion(['A test.']), completion(['It told.'])],
    withTool(name),
  );
  const exchange = await ask(page, 'Go on');
  await exchange.locator('.call', { hasText: 'sampling/every' }).waitFor();
  await exchange.getByRole('button', { name: 'Approve' }).click();
  await settled(page);
  expect(await exchange.innerText()).toContain('every got a text of the model: A test.');
});
