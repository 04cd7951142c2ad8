/** Progress of calls among the events of a run, while calls run side by side. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newest } from '../../src/agent/newest.ts';
import type { ToolSource } from '../../src/tools.ts';
import { call, clock, scripted, weather } from './harness.ts';

const both = `${call('get_weather', { city: 'Ulm' })}\n${call('get_time', {})}`;

test('progress is told between a call’s start and its end, whichever call it is of', async () => {
  let goOn = () => {};
  const looked = new Promise<void>(resolve => {
    goOn = resolve;
  });
  const tools: ToolSource = {
    tools: [weather, clock],
    async call(name, _args, { onProgress } = {}) {
      if (name === 'get_time') {
        onProgress?.({ progress: 1, total: 2, message: 'winding' });
        await sleep(20);
        goOn();
        return { content: '12:00', isError: false };
      }
      await looked;
      onProgress?.({ progress: 1 });
      await sleep(20);
      return { content: 'sunny', isError: false };
    },
  };
  const { events } = await scripted([both, 'Sunny at noon.'], tools).ask('Well?');
  const told = events
    .filter(({ type }) => type.startsWith('tool-'))
    .map(event => [event.type, 'call' in event && event.call.name, 'message' in event && event.message]);
  expect(told).toEqual([
    ['tool-start', 'get_weather', false],
    ['tool-start', 'get_time', false],
    ['tool-progress', 'get_time', 'winding'],
    ['tool-progress', 'get_weather', false],
    ['tool-end', 'get_weather', false],
    ['tool-end', 'get_time', false],
  ]);
});

test('an abort while two calls run ends the run, and neither is a rejection that nobody handles', async () => {
  const controller = new AbortController();
  const tools: ToolSource = {
    tools: [weather, clock],
    call: (_name, _args, { signal } = {}) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  };
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  setTimeout(() => controller.abort(new Error('enough')), 50);
  const { result } = await scripted([both], tools).ask('Well?', controller.signal);
  await sleep(20);
  process.off('unhandledRejection', note);
  expect(result.reason).toBe('aborted');
  expect(unhandled).toEqual([]);
});

test('of each sender the newest news is kept, however fast they come', async () => {
  const news = newest<string, string>();
  for (let count = 0; count < 1000; count++) {
    news.put('a', `a${count}`);
    news.put('b', `b${count}`);
  }
  const work = sleep(20).then(() => {
    news.put('a', 'last');
    return 'done';
  });
  const told: string[] = [];
  const reading = news.during(work);
  let step = await reading.next();
  for (; !step.done; step = await reading.next()) told.push(step.value);
  expect(told).toEqual(['a999', 'b999', 'last']);
  expect(step.value).toBe('done');
  await expect(news.during(Promise.reject(new Error('no'))).next()).rejects.toThrow('no');
});
