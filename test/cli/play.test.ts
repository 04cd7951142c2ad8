/** `rawcall play` and `rawcall serve --play`, as people start them. */
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { DialogueSummary, PlayEvent, PlayState } from '../../src/playground/protocol.ts';
import { outcome, rawcall, start } from './rawcall.ts';

/** Started, with the lines that it prints. */
async function started(args: readonly string[], lines: number) {
  const child = start([...args, '--port', '0', '--no-cache']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = outcome(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    printed += text;
  });
  while (printed.split('\n').length <= lines) await once(child.stdout, 'data');
  return { child, ended, printed: printed.trimEnd().split('\n') };
}

function apiOf(page: string) {
  const { origin, hash } = new URL(page);
  const headers = { authorization: `Bearer ${hash.replace('#token=', '')}` };
  const ask = (route: string, body?: object) =>
    fetch(`${origin}/play/api/${route}`, {
      headers,
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
  return { origin, ask };
}

test('the page is where it says, for whoever has the token; Ctrl-C ends it', async () => {
  const { child, ended, printed } = await started(['play', '--no-open'], 1);
  expect(printed[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/play\/#token=[\w-]{32}$/);
  const { origin, ask } = apiOf(printed[0]!);
  expect(await (await fetch(`${origin}/play/`)).text()).toContain('<script type="module"');
  expect((await fetch(`${origin}/play/api/state`)).status).toBe(401);
  const state = (await (await ask('state')).json()) as PlayState;
  expect(state.models).toMatchObject([{ source: 'started', name: 'practice' }]);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130 });
});

test('nobody else is let in without a key', async () => {
  const { code, stderr } = await rawcall(['play', '--no-open', '--host', '0.0.0.0']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/0\.0\.0\.0.*--api-key/);
});

test('beside the API, on the same model, with a token of its own', async () => {
  const { printed } = await started(['serve', '--play', '--no-record', '--api-key', 'sesame'], 2);
  expect(printed[0]).toMatch(/\/v1 serves practice/);
  const { origin, ask } = apiOf(printed[1]!);
  const key = { authorization: 'Bearer sesame' };
  expect((await fetch(`${origin}/play/api/state`, { headers: key })).status).toBe(401);
  expect((await fetch(`${origin}/v1/models`, { headers: key })).status).toBe(200);
  expect((await fetch(`${origin}/v1/models`)).status).toBe(401);
  const state = (await (await ask('state')).json()) as PlayState;
  expect(state.model).toMatchObject({ phase: 'ready', format: 'qwen' });
  const [model, ...others] = state.models;
  expect(others).toEqual([]);

  const { id } = (await (await ask('dialogues', {})).json()) as DialogueSummary;
  const events = async (knobs: object) => {
    const { seq } = (await (await ask(`dialogues/${id}/ask`, { question: 'Hello?', knobs })).json()) as {
      seq: number;
    };
    const { body } = await ask(`dialogues/${id}/events?from=${seq}`);
    let text = '';
    for await (const part of body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (/"run-end"|"run-failed"/.test(text)) break;
    }
    return text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as PlayEvent);
  };
  expect((await events({ model: model!.model, maxTokens: 8 })).at(-1)).toMatchObject({ type: 'run-end' });
  expect((await events({ model: 'another.gguf' })).at(-1)).toMatchObject({
    type: 'run-failed',
    message: expect.stringContaining('one model'),
  });
});
