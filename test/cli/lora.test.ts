/** `--lora`: in a run, in its transcript, from a config file, from a catalog, and what it says of what is none. */
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { adapterFile } from '../engine/adapter.ts';
import { practiceModel } from '../engine/practice.ts';
import { rawcall, temporaryFolder } from './rawcall.ts';

const ask = ['run', 'What is 31 plus 11?', '--max-tokens', '24'];

function withAdapter(): { folder: string; adapter: string } {
  const folder = temporaryFolder();
  const adapter = path.join(folder, 'adapter.gguf');
  writeFileSync(adapter, adapterFile());
  return { folder, adapter };
}

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

test('an adapter changes the answer by its scale, and stands in the transcript', async () => {
  const { folder, adapter } = withAdapter();
  const recorded = path.join(folder, 'runs');
  const plain = await rawcall(ask);
  const nothing = await rawcall([...ask, '--lora', `${adapter}:0`]);
  const changed = await rawcall([
    ...ask,
    '--lora',
    adapter,
    '--lora',
    `${adapter}:0.5`,
    '--record',
    recorded,
  ]);
  expect(nothing.stdout).toBe(plain.stdout);
  expect(changed.stdout).not.toBe(plain.stdout);
  const [name = ''] = readdirSync(recorded, { recursive: true, encoding: 'utf8' }).filter(one =>
    one.endsWith('.jsonl'),
  );
  const [header = ''] = readFileSync(path.join(recorded, name), 'utf8').split('\n');
  expect(JSON.parse(header).model.lora).toMatchObject([
    { file: { size: adapterFile().length }, scale: 1 },
    { scale: 0.5 },
  ]);
});

test('a config file names it from its own folder, and an endpoint has none', async () => {
  const { folder, adapter } = withAdapter();
  writeFileSync(path.join(folder, 'rawcall.json'), '{ "lora": "adapter.gguf:1" }');
  const [byFile, byFlag] = [await rawcall(ask, { cwd: folder }), await rawcall([...ask, '--lora', adapter])];
  expect(byFile.stdout).toBe(byFlag.stdout);
  const elsewhere = await rawcall([...ask, '--lora', adapter, '--endpoint', 'http://127.0.0.1:9']);
  expect(elsewhere).toMatchObject({ code: 2 });
  expect(elsewhere.stderr).toContain('--lora is of a model on this machine');
});

test('an adapter of the catalog is found by its name, has its scale, and fits its base alone', async () => {
  const { folder, adapter } = withAdapter();
  const catalog = path.join(folder, 'catalog.yaml');
  const entry = (base: string) => `models: []
adapters:
  - name: practice-tools
    title: Practice tools
    makers: nobody
    licence: { name: MIT }
    format: qwen
    base: '${base}'
    scale: 0
    bytes: ${adapterFile().length}
    sha256: ${sha256(adapter)}
    sources: ['path:adapter.gguf']
`;
  const named = [...ask, '--catalog', catalog, '--lora'];
  writeFileSync(catalog, entry(sha256(practiceModel)));
  const plain = await rawcall(ask);
  expect((await rawcall([...named, 'practice-tools'])).stdout).toBe(plain.stdout);
  // A file that is the catalog's has what the catalog says of it, wherever it lies.
  copyFileSync(adapter, path.join(folder, 'moved.gguf'));
  expect((await rawcall([...named, path.join(folder, 'moved.gguf')])).stdout).toBe(plain.stdout);
  expect((await rawcall([...named, 'practice-tools:1'])).stdout).not.toBe(plain.stdout);

  writeFileSync(catalog, entry('0'.repeat(64)));
  const other = await rawcall([...named, adapter]);
  expect(other).toMatchObject({ code: 1 });
  expect(other.stderr).toContain('The adapter practice-tools is for another model');
  const unknown = await rawcall([...named, 'practice-tool']);
  expect(unknown).toMatchObject({ code: 1 });
  expect(unknown.stderr).toContain('Adapters of the catalog: practice-tools.');
});

test('a scale that is no number, no such file, a model in its place', async () => {
  const { folder, adapter } = withAdapter();
  const scale = await rawcall([...ask, '--lora', `${adapter}:much`]);
  expect(scale).toMatchObject({ code: 2 });
  expect(scale.stderr).toContain('must be a number');
  const missing = await rawcall([...ask, '--lora', path.join(folder, 'missing.gguf')]);
  expect(missing).toMatchObject({ code: 1 });
  expect(missing.stderr).toContain('does not exist');
  const model = await rawcall([...ask, '--lora', practiceModel]);
  expect(model).toMatchObject({ code: 1 });
  expect(model.stderr).toContain('a whole model');
});
