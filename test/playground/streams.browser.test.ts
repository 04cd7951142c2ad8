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
  await expect.poll(() => card.innerText()).not.toContain('world');
  await expect.poll(() => card.getAttribute('data-phase')).toBe('writing');
  go();
  await settled(page);
  await expect.poll(() => card.getAttribute('data-phase')).toBe('ended');
  await expect.poll(() => card.locator('.result').innerText()).toContain('Echo: Hello, world');
  expect(wrongs).toEqual([]);
});

test('a thought is folded, and grows while it is', async () => {
  const { answer, go } = inTwo('<think>\nFirst this, ', 'then that.\n</think>\nDone.');
  const { page } = await saying([answer]);
  const exchange = await ask(page, 'Think');
  const thought = exchange.locator('details.reasoning');
  await thought.getByText('so far').waitFor();
  await expect.poll(() => thought.getAttribute('open')).toBeNull();
  await thought.locator('summary').click();
  await thought.getByText('First this,').waitFor();
  go();
  await settled(page);
  await expect.poll(() => thought.innerText()).toContain('First this, then that.');
  await expect.poll(() => exchange.locator('.text').innerText()).toBe('Done.');
});

test('a run is stopped while the model writes: what it wrote stays, and it is asked for no more', async () => {
  const { answer } = inTwo('Once upon a time', ' there was no end.');
  const { page, endpoint, wrongs } = await saying([answer, completion(['Again.'])]);
  const exchange = await ask(page, 'Tell a story');
  await exchange.getByText('Once upon a time').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await settled(page);
  await expect.poll(() => exchange.innerText()).toContain('Stopped.');
  await expect.poll(() => exchange.locator('.text').innerText()).toBe('Once upon a time');
  await expect.poll(() => endpoint.left).toBe(1);
  const second = await ask(page, 'And now?');
  await settled(page);
  await expect.poll(() => second.locator('.text').innerText()).toBe('Again.');
  expect(endpoint.of('/v1/completions')[1]!.body.prompt).toContain('Once upon a time');
  expect(wrongs).toEqual([]);
});

test('the raw view shows what is written while it is written, and then what was read of it', async () => {
  const { answer, go } = inTwo('<think>\nFirst this, ', 'then that.\n</think>\nDone.');
  const { page, wrongs } = await saying([answer]);
  const exchange = await ask(page, 'Think');
  await exchange.locator('details.reasoning').waitFor();
  await exchange.getByRole('link', { name: 'turn 1' }).click();
  const pieces = page.getByRole('listbox', { name: 'Pieces of the completion' });
  await pieces.getByText('First this,').waitFor();
  await expect.poll(() => pieces.innerText()).not.toContain('then that');
  await expect
    .poll(() => page.getByRole('region', { name: 'Completion' }).innerText())
    .toMatch(/\d+ pieces so far/);
  go();
  await page.getByRole('button', { name: /^reasoning.*First this, then that/s }).waitFor();
  await expect.poll(() => pieces.innerText()).toContain('Done.');
  const prompt = await page.getByRole('region', { name: 'Prompt' }).innerText();
  expect(prompt).toMatch(/\d+ pieces, because this model has no tokenizer here/);
  expect(wrongs).toEqual([]);
});

test('a server that asks to open a page: its address is shown, opened by nobody but the user, and the answer goes back', async () => {
  const [name, url] = ['trigger-url-elicitation', 'https://a.example/login?state=1'];
  const { page, wrongs } = await saying(
    [calling(name, { url }), completion(['You are in.']), calling(name, { url }), completion(['Then not.'])],
    withTool(name),
  );
  const exchange = await ask(page, 'Log me in');
  const card = exchange.getByRole('region', { name: 'every asks' });
  const link = card.getByRole('link', { name: url });
  await expect.poll(() => link.getAttribute('href')).toBe(url);
  await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  await card.getByRole('button', { name: 'I have opened it' }).click();
  await settled(page);
  await expect.poll(() => card.getByRole('button').count()).toBe(0);
  await expect.poll(() => card.locator('.status').innerText()).toBe('accept');
  await expect.poll(() => exchange.locator('.result').innerText()).toMatch(/completed/i);

  const second = await ask(page, 'Once more');
  await second.getByRole('button', { name: 'Decline' }).click();
  await settled(page);
  await expect.poll(() => second.locator('.result').innerText()).toMatch(/declined/i);
  expect(wrongs).toEqual([]);
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
  await expect.poll(() => exchange.innerText()).toContain('every got a text of the model: A test.');
});
