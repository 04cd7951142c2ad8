/** Who may ask the playground, and what its answers forbid a page. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPlayground } from '../../../src/playground/app.ts';
import { startPlayground, type TestPlayground, token } from './playground.ts';

let play: TestPlayground;
beforeAll(async () => {
  play = await startPlayground();
});
afterAll(() => play.close());

/** `fetch` lets nobody choose these headers. */
function statusOf(route: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${play.url}${route}`, { headers }, answer => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject).end();
  });
}

const bearer = { authorization: `Bearer ${token}` };

test('all but the page needs the token of this start', async () => {
  expect(await statusOf('api/state', bearer)).toBe(200);
  expect(await statusOf('api/state', {})).toBe(401);
  expect(await statusOf('api/state', { authorization: 'Bearer another' })).toBe(401);
  expect(await statusOf('api/dialogues/any/events', {})).toBe(401);
  expect(await statusOf('api/no-such-thing', {})).toBe(401);
  expect(await statusOf('', {})).toBe(200);
});

test.each(['', 'api/state'])('/play/%s answers to its own names and origin alone', async route => {
  const { host } = new URL(play.url);
  expect(await statusOf(route, { ...bearer, host: 'evil.example' })).toBe(403);
  expect(await statusOf(route, { ...bearer, origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf(route, { ...bearer, host, origin: `http://${host}` })).toBe(200);
});

test('the page may load nothing from elsewhere, be framed by nobody, and run no script that it did not bring', async () => {
  const page = await fetch(play.url);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const policy = new Map(
    page.headers
      .get('content-security-policy')!
      .split('; ')
      .map(part => part.split(/ (.*)/s) as [string, string]),
  );
  expect(policy.get('default-src')).toBe("'none'");
  for (const kind of ['script-src', 'style-src', 'img-src', 'font-src', 'connect-src'])
    expect(policy.get(kind)).toBe("'self'");
  for (const kind of ['base-uri', 'form-action', 'frame-ancestors']) expect(policy.get(kind)).toBe("'none'");
  expect(policy.get('require-trusted-types-for')).toBe("'script'");
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  const state = await play.fetch('state');
  expect(state.headers.get('cache-control')).toBe('no-store');
  expect(state.headers.get('x-content-type-options')).toBe('nosniff');
});

test('only files of the page are given out, and those whose names hold a hash are kept', async () => {
  const script = await fetch(`${play.url}assets/page-1a2b.js`);
  expect(await script.text()).toBe('export {};');
  expect(script.headers.get('cache-control')).toContain('immutable');
  for (const route of ['assets/', 'assets', 'other.js', '%2e%2e/dialogues', '..%2fdialogues'])
    expect((await fetch(`${play.url}${route}`)).status, route).toBe(404);
  const away = await fetch(new URL('/', play.url), { redirect: 'manual' });
  expect(away.headers.get('location')).toBe('/play/');
});

test('what is no request is refused with what is wrong', async () => {
  const answers = await Promise.all([
    play.fetch('dialogues', { method: 'POST', body: '{' }),
    play.fetch('dialogues', { method: 'POST', body: '{"name": 5}' }),
    play.fetch('dialogues/none'),
    play.fetch('dialogues/none/events'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 404, 404]);
  const errors = await Promise.all(answers.map(async answer => JSON.parse(await answer.text())));
  for (const { error } of errors) expect(error.message).toMatch(/./);
});

test('a page that was never built is told so at the start', () => {
  const options = { pages: '/nowhere/playground', access: {}, token, runs: { evals: '' }, onError() {} };
  expect(() =>
    createPlayground({ ...options, desk: undefined as never, dialogues: undefined as never }),
  ).toThrow(/nowhere.playground.*npm run build/);
});
