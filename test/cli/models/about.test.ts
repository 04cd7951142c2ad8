/** `rawcall models list`, `info`, `recommend` and `inspect`. */
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readCatalog } from '../../../src/catalog/catalog.ts';
import { catalogFile, practiceModel } from '../../../src/cli/package.ts';
import { rawcall, temporaryFolder } from '../rawcall.ts';

const { models } = await readCatalog(catalogFile);
const about = (...args: readonly string[]) => rawcall(['models', ...args]);

test('list: a line for each file, and the same as JSON', async () => {
  const { stdout, code } = await about('list');
  expect(code).toBe(0);
  const line = stdout.split('\n').find(one => one.startsWith('llama-3.2-1b '));
  expect(line).toMatch(
    /^llama-3\.2-1b +1\.2 billion +Q4_K_M +808 MB +1\.3 GB +131072 +llama3-json +Llama 3\.2 Community License$/,
  );
  expect(stdout).toMatch(/^functiongemma-270m +268 million +Q8_0 +~292 MB/m);
  expect(stdout).toMatch(/^qwen3-1\.7b:Q8_0 /m);
  const { json } = await about('list', '--json');
  const listed = json().filter(one => !one.adapter);
  expect(listed.map(({ name }) => name)).toEqual(models.map(({ name }) => name));
  expect(listed[0]).toMatchObject({ stored: [], files: models[0]!.files });
});

test('list: what is stored is marked, and what the catalog does not know is listed', async () => {
  const env = { RAWCALL_STORE: temporaryFolder() };
  // Of this file the catalog has no digest, so that any may be it.
  for (const name of ['functiongemma-270m:Q8_0', 'my-own:Q8_0'])
    expect((await rawcall(['models', 'import', practiceModel, '--name', name], { env })).code).toBe(0);
  const { stdout } = await rawcall(['models', 'list'], { env });
  expect(stdout).toMatch(/^functiongemma-270m .* here$/m);
  expect(stdout).not.toMatch(/^llama-3\.2-3b .* here$/m);
  expect(stdout).toMatch(/^my-own:Q8_0 +\d\.\d MB +\/.*my-own-Q8_0\.gguf$/m);
  const { json } = await rawcall(['models', 'list', '--json'], { env });
  expect(json().find(({ name }) => name === 'functiongemma-270m').stored).toEqual(['Q8_0']);
  expect(json().find(({ name }) => name === 'my-own')).toMatchObject({ quantisation: 'Q8_0', own: true });
  const info = await rawcall(['models', 'info', 'my-own'], { env });
  expect(info.stdout).toMatch(/^model +my-own:Q8_0, which the catalog does not know$/m);
  expect(info.stdout).toMatch(/^sha256 +[0-9a-f]{64}$/m);
});

test('info: sampling as flags, figures with their source, and who vouches for the bytes', async () => {
  const { stdout } = await about('info', 'lfm2.5-1.2b');
  expect(stdout).toMatch(
    /^sampling +--temperature 0\.1 --top-p 0\.1 --top-k 50 --repeat-penalty 1\.05 \(https:/m,
  );
  expect(stdout).toMatch(/^sha256 +b1b3de11[0-9a-f]{56} \(pinned in the catalog\)$/m);
  expect(stdout).toMatch(/^here +no: rawcall models pull lfm2\.5-1\.2b:Q4_K_M$/m);
  const llama = await about('info', 'llama-3.1-8b');
  expect(llama.stdout).toMatch(/^good at +BFCL: 76\.1 % \(https:\/\/github\.com\/meta-llama\//m);
  const unpinned = await about('info', 'functiongemma-270m:q4_k_m');
  expect(unpinned.stdout).toMatch(/^size +~253 MB: about, /m);
  expect(unpinned.stdout).toMatch(/^sha256 +not in the catalog: what the hub declares holds/m);
  // Only the file that was named.
  expect(unpinned.stdout).not.toContain('Q8_0');
});

test('info: a name that is none is told what comes near', async () => {
  const { stderr, code } = await about('info', 'lama-3.2-1b');
  expect(stderr).toBe(
    'rawcall: The catalog has no model "lama-3.2-1b". Is it llama-3.2-1b? See them all: rawcall models list\n',
  );
  expect(code).toBe(2);
});

test('recommend: what fits this machine, by a measurement of it', async () => {
  const { json, code } = await about('recommend', '--json', '--gpu', 'off');
  const [{ machine, candidates, slow, smallest }] = json();
  expect(machine.memory).toBeGreaterThan(0);
  expect(machine.unmeasured).toBeUndefined();
  expect(machine.speed.reading).toBeGreaterThan(0);
  expect(machine.speed.writing).toBeGreaterThan(0);
  // A busy machine may be too slow for any, but not too small for all.
  expect(candidates.length + slow.length).toBeGreaterThan(0);
  for (const one of candidates) {
    expect(one.memory).toBeLessThanOrEqual(machine.memory);
    expect(one.writing).toBeGreaterThanOrEqual(4.5);
  }
  expect(code).toBe(candidates.length > 0 || smallest ? 0 : 1);
});

test('recommend: where nothing can be measured, what fits is told without speeds, and why', async () => {
  const env = { TMPDIR: '/there/is/no/such/folder' };
  const { stdout, code } = await rawcall(['models', 'recommend', '--gpu', 'off'], { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Not measured: .*\/there\/is\/no\/such\/folder/m);
  expect(stdout).toMatch(/^smollm2-135m:Q4_1|Begin with: rawcall chat --model \S+:\S+ --context-size \d+/m);
});

test('inspect: metadata, format, tokens and tensors of a file', async () => {
  const { stdout, code } = await about('inspect', practiceModel);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^format +qwen: /m);
  expect(stdout).toMatch(/^general\.name +rawcall practice$/m);
  expect(stdout).toMatch(/^tokenizer\.ggml\.tokens +\d+ values: !, ", #, \$, …$/m);
  expect(stdout).toMatch(/^ +\d+ +<\|im_end\|> +control$/m);
  expect(stdout).toMatch(/^ +\d+ +<tool_call> +user-defined$/m);
  expect(stdout).not.toMatch(/^blk\.0/m);
  const tensors = await about('inspect', practiceModel, '--tensors');
  expect(tensors.stdout).toMatch(/^blk\.0\.attn_q\.weight +192 × 192 +Q8_0$/m);
});

test('inspect: the template alone, byte for byte, and all of it as JSON', async () => {
  const { stdout } = await about('inspect', practiceModel, '--template');
  const template = readFileSync(path.join(path.dirname(practiceModel), 'chat_template.jinja'), 'utf8');
  expect(stdout.trimEnd()).toBe(template.trimEnd());
  const { json } = await about('inspect', practiceModel, '--json');
  const [contents] = json();
  expect(contents).toMatchObject({
    format: 'qwen',
    version: 3,
    metadata: { 'general.architecture': 'llama' },
  });
  expect(contents.controlTokens).toContainEqual({
    id: expect.any(Number),
    text: '<|im_end|>',
    kind: 'control',
  });
  expect(contents.tensors).toContainEqual({
    name: 'token_embd.weight',
    shape: [192, expect.any(Number)],
    type: 'Q8_0',
  });
});

test('inspect: a file that was cut, one that is none, and one that is not there', async () => {
  const folder = temporaryFolder();
  const cut = path.join(folder, 'cut.gguf');
  copyFileSync(practiceModel, cut);
  truncateSync(cut, 20_000);
  const other = path.join(folder, 'other.gguf');
  writeFileSync(other, '<html>Not found</html>');
  for (const [file, message] of [
    [cut, /cut\.gguf ends too early/],
    [other, /other\.gguf is no GGUF file but a web page/],
    [path.join(folder, 'none.gguf'), /none\.gguf does not exist/],
  ] as const) {
    const { stderr, stdout, code } = await about('inspect', file);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  }
});

test('inspect: what a hostile file says cannot move the cursor', async () => {
  const file = path.join(temporaryFolder(), 'hostile.gguf');
  const bytes = readFileSync(practiceModel);
  const at = bytes.indexOf('rawcall practice');
  bytes.write('\u001b[2J\u001b[1;1Hgone', at, 'latin1');
  writeFileSync(file, bytes);
  const { stdout } = await about('inspect', file);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toContain('\\x1b[2J');
});
