/** What can go wrong between a hub and a file, and what of it is told, mended or left to be gone on with. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RawcallError } from '../../parsers/error.ts';
import { parseSource, type Source } from '../../src/catalog/source.ts';
import { openHub } from '../../src/store/hub.ts';
import { type PullEvent, pull, type Wanted } from '../../src/store/pull.ts';
import { openStore } from '../../src/store/store.ts';
import { practiceModel } from '../engine/practice.ts';
import { type Fault, type HubServer, startHub } from './hub.ts';

const model = readFileSync(practiceModel);
const digest = sha256(model);
const source = 'hf:org/repo:some-Q4_K_M.gguf';

const patience = { timeouts: { answer: 20_000, idle: 20_000 }, tries: 4, pause: () => 1 };

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function place(fault: Fault = {}, env: Record<string, string> = {}) {
  const hub = await startHub();
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  hub.put('org/repo', 'some-Q4_K_M.gguf', model, fault);
  const store = openStore(folder);
  const events: PullEvent[] = [];
  const own = { HF_ENDPOINT: hub.endpoint, HF_HOME: folder, ...env };
  return {
    hub,
    store,
    events,
    fault,
    files: () => (existsSync(path.join(folder, 'some')) ? readdirSync(path.join(folder, 'some')).sort() : []),
    async pull(
      wanted: Partial<Wanted> = {},
      more: { signal?: AbortSignal; onEvent?: (event: PullEvent) => void } = {},
    ) {
      const whole = { name: 'some', quantisation: 'Q4_K_M', sources: [sourceOf(source)], ...wanted };
      return pull(whole, {
        store,
        hub: await openHub(own),
        patience,
        onEvent: event => events.push(event),
        ...more,
      });
    },
  };
}

function sourceOf(text: string): Source {
  const read = parseSource(text);
  if (!read) throw new Error(`${text} is no source`);
  return read;
}

async function failure(pulling: Promise<unknown>): Promise<RawcallError> {
  const error: unknown = await pulling.then(
    () => undefined,
    caught => caught,
  );
  if (!RawcallError.isInstance(error)) throw error ?? new Error('it did not fail');
  return error;
}

const content = (hub: HubServer) =>
  hub.asked.filter(({ server, method }) => server === 'content' && method === 'GET');

test('a file of the hub comes whole, and what the hub declares of it holds from then on', async () => {
  const { hub, store, pull, files, events } = await place();
  const pulled = await pull();
  expect(pulled).toMatchObject({ source, voucher: 'hub', files: [{ size: model.length, sha256: digest }] });
  expect(readFileSync(pulled.files[0].path).equals(model)).toBe(true);
  expect(files()).toEqual(['some-Q4_K_M.gguf', 'some-Q4_K_M.json']);
  expect(await store.find(pulled)).toEqual(pulled);
  expect(await store.list()).toEqual([pulled]);
  const told = events.filter(event => event.type === 'progress');
  expect(told.at(-1)).toEqual({ type: 'progress', received: model.length, size: model.length });

  // It is there, so nothing is asked.
  const before = hub.asked.length;
  expect(await pull()).toEqual(pulled);
  expect(hub.asked.length).toBe(before);
});

test('a token goes to the hub, and not with the redirect to another host', async () => {
  const { hub, pull } = await place({ gatedFor: 'hf_secret' }, { HF_TOKEN: 'hf_secret' });
  await pull();
  const [asked] = hub.asked;
  expect(asked).toMatchObject({ server: 'hub', authorization: 'Bearer hf_secret' });
  expect(hub.asked.filter(one => one.server === 'content' && one.authorization !== undefined)).toEqual([]);
  expect(content(hub).length).toBe(1);
});

test('the token of a login of the hub’s own tools is found', async () => {
  const { pull, store } = await place({ gatedFor: 'hf_stored' });
  writeFileSync(path.join(store.folder, 'token'), 'hf_stored\n');
  expect((await pull()).voucher).toBe('hub');
});

describe('what the hub refuses says what to do', () => {
  test.each<[string, Fault, Record<string, string>, string, RegExp]>([
    ['gated, without a token', { gatedFor: 'x' }, {}, source, /agreed to its terms.*set HF_TOKEN/],
    [
      'gated, with a token that may not',
      { gatedFor: 'x' },
      { HF_TOKEN: 'hf_other' },
      source,
      /may not read org\/repo/,
    ],
    [
      'no such repository, or a private one',
      {},
      {},
      'hf:org/none:a.gguf',
      /no repository org\/none, or it is private/,
    ],
    [
      'no such repository, with a token',
      {},
      { HF_TOKEN: 'hf_other' },
      'hf:org/none:a.gguf',
      /no repository org\/none, or the token/,
    ],
    ['no such file', {}, {}, 'hf:org/repo:none.gguf', /org\/repo has no file none\.gguf/],
    ['no such revision', {}, {}, 'hf:org/repo@old:some-Q4_K_M.gguf', /no revision old/],
  ])('%s', async (_, fault, env, text, words) => {
    const { hub, pull, files } = await place(fault, env);
    const error = await failure(pull({ sources: [sourceOf(text)] }));
    expect(error.code).toBe('download_refused');
    expect(error.message).toMatch(words);
    expect(error.message).not.toContain(env.HF_TOKEN ?? 'hf_');
    expect(content(hub)).toEqual([]);
    expect(files()).toEqual([]);
  });

  test('an address without a file', async () => {
    const { hub, pull } = await place();
    const url = hub.plain('there.gguf', model).replace('there', 'none');
    const error = await failure(pull({ sources: [sourceOf(url)] }));
    expect(error).toMatchObject({ code: 'download_refused', details: { status: 404 } });
  });
});

describe('a download that breaks', () => {
  test('is gone on with where it was cut, as often as something came', async () => {
    const { hub, pull } = await place({ cutAfter: 500_000 });
    expect((await pull()).files[0].sha256).toBe(digest);
    const ranges = content(hub).map(({ range }) => range);
    expect(ranges.length).toBeGreaterThanOrEqual(6);
    expect(ranges[0]).toBeUndefined();
    const starts = ranges.slice(1).map(range => Number(/\d+/.exec(range ?? '')?.[0]));
    expect(starts).toEqual([...starts].sort((left, right) => left - right));
    // What had come was not sent again.
    expect(hub.sent).toBeLessThan(model.length * 1.2);
  });

  test('and never brings anything is given up, with what is there kept', async () => {
    const { hub, pull, fault, files } = await place({ cutAfter: 700_000, cuts: 1, busy: 0 });
    const busy = failure(
      pull(
        {},
        {
          onEvent: event => {
            if (event.type === 'progress') fault.busy = 100;
          },
        },
      ),
    );
    expect(await busy).toMatchObject({ code: 'download_failed', details: { reason: 'status', status: 503 } });
    const [part = ''] = files();
    expect(part).toMatch(/^some-Q4_K_M\.gguf\.[0-9a-f]{12}\.part$/);

    fault.busy = 0;
    const sent = hub.sent;
    expect((await pull()).files[0].sha256).toBe(digest);
    expect(hub.sent - sent).toBeLessThanOrEqual(model.length - 600_000);
    expect(content(hub).at(-1)?.range).toMatch(/^bytes=[67]\d{5}-$/);
    expect(files()).toEqual(['some-Q4_K_M.gguf', 'some-Q4_K_M.json']);
  });

  test('is begun anew where the server ignores ranges', async () => {
    const { hub, pull } = await place({ cutAfter: 500_000, cuts: 2, ignoresRanges: true });
    expect((await pull()).files[0].sha256).toBe(digest);
    expect(content(hub).length).toBe(3);
  });

  test('by an abort leaves a part, and the reason of the signal', async () => {
    const { hub, pull, files } = await place({ slow: 5 });
    const stopping = new AbortController();
    const reason = new Error('enough');
    const stopped = pull(
      {},
      {
        signal: stopping.signal,
        onEvent: event => {
          if (event.type === 'progress' && event.received > 300_000) stopping.abort(reason);
        },
      },
    );
    await expect(stopped).rejects.toBe(reason);
    expect(files().length).toBe(1);
    const before = hub.sent;
    await pull();
    expect(hub.sent - before).toBeLessThan(model.length - 250_000);
  });

  test('because nothing more comes is told after a while', async () => {
    const { hub, store } = await place({ silentAfter: 100_000 });
    const impatient = { timeouts: { answer: 20_000, idle: 200 }, tries: 1, pause: () => 1 };
    const wanted = { name: 'some', quantisation: 'Q4_K_M', sources: [sourceOf(source)] };
    const own = await openHub({ HF_ENDPOINT: hub.endpoint, HF_HOME: store.folder });
    const error = await failure(pull(wanted, { store, hub: own, patience: impatient, onEvent: () => {} }));
    expect(error).toMatchObject({ code: 'download_failed', details: { reason: 'silent' } });
  });

  test('a server that wants to be asked much later is not waited for', async () => {
    const { pull } = await place({ busy: 100, retryAfter: 3600 });
    expect(await failure(pull())).toMatchObject({ code: 'download_failed', details: { retryAfter: 3600 } });
  });

  test('no network is told at once', async () => {
    const { pull, store } = await place({}, { HF_ENDPOINT: 'http://127.0.0.1:9' });
    const error = await failure(pull());
    expect(error).toMatchObject({ code: 'download_failed', details: { reason: 'unreachable' } });
    expect(error.message).toContain('127.0.0.1:9');
    expect(await store.list()).toEqual([]);
  });
});

describe('bytes that are not what they should be never look whole', () => {
  test.each<[string, Fault, Partial<Wanted>, RegExp]>([
    ['another content than the hub declares', { wrongBytes: true }, {}, /SHA-256 is [0-9a-f]{64}, not/],
    ['another digest than the catalog has', {}, { sha256: 'c'.repeat(64) }, /SHA-256 is said to be/],
    ['another size than the catalog has', {}, { size: 1234 }, /2645120 bytes are offered, and it has 1234/],
    ['a length that lies', { lengthSaid: 9_000_000 }, {}, /9000000 bytes are offered/],
    ['more than was announced', { endless: true }, {}, /more than the 2645120 bytes/],
  ])('%s', async (_, fault, wanted, words) => {
    const { pull, store, files, hub } = await place(fault);
    const error = await failure(pull(wanted));
    expect(error.code).toBe('download_damaged');
    expect(error.message).toMatch(words);
    expect(await store.list()).toEqual([]);
    expect(files().filter(name => name.endsWith('.gguf') || name.endsWith('.json'))).toEqual([]);
    // A server that never ends is not listened to.
    expect(hub.sent).toBeLessThan(5 * model.length);
  });

  test('an end that comes too early is no end', async () => {
    const { pull, files } = await place({ endsEarly: 1000 });
    const error = await failure(pull());
    expect(error).toMatchObject({ code: 'download_failed', details: { reason: 'cut' } });
    expect(files().length).toBe(1);
  });

  test('a part that went bad is fetched once more, from its start', async () => {
    const { pull, fault, files, store, hub } = await place({ cutAfter: 700_000, cuts: 1 });
    await failure(
      pull(
        {},
        {
          onEvent: event => {
            if (event.type === 'progress') fault.busy = 100;
          },
        },
      ),
    );
    const part = path.join(store.folder, 'some', files()[0]!);
    writeFileSync(part, Buffer.alloc(400_000));
    fault.busy = 0;
    expect((await pull()).files[0].sha256).toBe(digest);
    expect(
      content(hub)
        .slice(-2)
        .map(({ range }) => range),
    ).toEqual(['bytes=400000-', undefined]);
  });

  test('a part of other bytes than the hub has now is not gone on with', async () => {
    const { pull, fault, hub } = await place({ cutAfter: 700_000, cuts: 1 });
    await failure(
      pull(
        {},
        {
          onEvent: event => {
            if (event.type === 'progress') fault.busy = 100;
          },
        },
      ),
    );
    const edited = Buffer.from(model);
    edited[edited.length - 1]! ^= 1;
    hub.put('org/repo', 'some-Q4_K_M.gguf', edited);
    expect((await pull()).files[0].sha256).toBe(sha256(edited));
    expect(content(hub).at(-1)?.range).toBeUndefined();
  });

  test('a page in the place of a model is no model', async () => {
    const { pull, hub, store, files } = await place();
    const url = hub.plain('page.gguf', Buffer.from('<!doctype html><title>Log in</title>'));
    expect(await failure(pull({ sources: [sourceOf(url)] }))).toMatchObject({ code: 'model_not_gguf' });
    expect(files()).toEqual([]);
    expect(await store.list()).toEqual([]);
  });
});

test('the next source is taken, and goes on with what the first one brought', async () => {
  const { hub, pull, events } = await place({ cutAfter: 900_000, cuts: 1 });
  const mirror = hub.plain('mirror.gguf', model);
  const sources = [sourceOf(source), sourceOf(mirror)];
  const first = pull(
    { sources, sha256: digest },
    {
      onEvent: event => {
        events.push(event);
        if (event.type === 'progress' && event.received > 0)
          hub.put('org/repo', 'some-Q4_K_M.gguf', model, { gatedFor: 'x' });
        if (event.type === 'progress')
          hub.put('org/repo', 'some-Q4_K_M.gguf', model, { gatedFor: 'x', busy: 100 });
      },
    },
  );
  const pulled = await first;
  expect(pulled).toMatchObject({ source: mirror, voucher: 'catalog' });
  expect(events).toContainEqual(expect.objectContaining({ type: 'source-failed', source }));
  expect(content(hub).at(-1)).toMatchObject({
    path: '/mirror.gguf',
    range: expect.stringMatching(/^bytes=\d+-$/),
  });
});

test('where no source gives it, each is named with its reason', async () => {
  const { hub, pull } = await place({ gatedFor: 'x' });
  const other = hub.plain('x.gguf', model).replace('x.gguf', 'y.gguf');
  const error = await failure(pull({ sources: [sourceOf(source), sourceOf(other)] }));
  expect(error.code).toBe('download_failed');
  expect(error.message).toMatch(/hf:org\/repo:some-Q4_K_M\.gguf: .*terms/);
  expect(error.message).toContain(`${other}: `);
});

test('a plain address has no digest but the one that is counted', async () => {
  const { hub, pull } = await place();
  const pulled = await pull({ sources: [sourceOf(hub.plain('x.gguf', model))] });
  expect(pulled).toMatchObject({ voucher: 'nobody', files: [{ sha256: digest }] });
});

test('a split model comes in all its parts, and counts as there when all are', async () => {
  const { hub, pull, store } = await place();
  const names = [1, 2, 3].map(number => `big-0000${number}-of-00003.gguf`);
  const faults = names.map(name => hub.put('org/repo', name, model, {}));
  faults[2]!.cutAfter = 100_000;
  faults[2]!.cuts = 1;
  const wanted = { name: 'big', quantisation: 'Q8_0', sources: [sourceOf(`hf:org/repo:${names[0]}`)] };
  await failure(
    pull(wanted, {
      onEvent: event => {
        if (event.type === 'progress' && event.received > 2 * model.length) faults[2]!.busy = 100;
      },
    }),
  );
  expect(await store.list()).toEqual([]);

  faults[2]!.busy = 0;
  const sent = hub.sent;
  const pulled = await pull(wanted);
  expect(hub.sent - sent).toBeLessThan(model.length);
  expect(pulled.files.map(file => path.basename(file.path))).toEqual(
    [1, 2, 3].map(number => `big-Q8_0-0000${number}-of-00003.gguf`),
  );
  expect(pulled.files.every(({ path: file, sha256: sum }) => existsSync(file) && sum === digest)).toBe(true);

  rmSync(pulled.files[1]!.path);
  expect(await store.list()).toEqual([]);
});
