/** How advice is told: commands that can be typed as they stand. */
import { beforeEach, expect, test, vi } from 'vitest';
import { readCatalog } from '../../../src/catalog/catalog.ts';
import { candidates, slowOnes } from '../../../src/catalog/recommend.ts';
import { smallCaller } from '../../../src/catalog/small-caller.ts';
import { type Advice, adviceText } from '../../../src/cli/models/advice.ts';
import type { Machine } from '../../../src/cli/models/machine.ts';
import { catalogFile } from '../../../src/cli/package.ts';
import { temporaryFolder } from '../../transcript/harness.ts';

const { models } = await readCatalog(catalogFile);
const machine: Machine = { cores: 4, memory: 3e9, speed: { reading: 500e9, writing: 20e9 } };
const about = (room: Machine): Advice => ({
  machine: room,
  candidates: candidates(models, room),
  slow: slowOnes(models, room),
});

beforeEach(() => {
  vi.stubEnv('RAWCALL_STORE', temporaryFolder());
  return () => vi.unstubAllEnvs();
});

test('the best comes with its context and what its makers advise, as flags', async () => {
  const text = await adviceText(about({ ...machine, memory: 1.3e9 }));
  expect(text).toMatch(/^4 cores, 1\.3 GB of memory for a model$/m);
  const [, name] = /^Begin with: rawcall chat --model (\S+) --context-size \d+/m.exec(text) ?? [];
  const [best] = about({ ...machine, memory: 1.3e9 }).candidates;
  expect(name).toBe(`${best!.model.name}:${best!.file.quantisation}`);
  const advised = await adviceText(about({ ...machine, memory: 64e9 }));
  expect(advised).toMatch(/^gpt-oss-20b:MXFP4 .* Apache-2\.0$/m);
  const only = about(machine).candidates.filter(({ model }) => model.name === 'lfm2.5-1.2b');
  const flags = '--temperature 0.1 --top-p 0.1 --top-k 50 --repeat-penalty 1.05';
  expect(await adviceText({ machine, candidates: only, slow: [] })).toContain(flags);
});

test('the smallest caller is named for smaller machines, and where nothing else serves', async () => {
  const base = models.find(({ name }) => name === 'smollm2-135m')!.files[0]!.sha256!;
  const adapter = {
    ...{
      name: 'smollm2-tools',
      title: 'T',
      makers: 'm',
      licence: { name: 'MIT' },
      format: 'qwen2.5',
      goodAt: [],
    },
    ...{ base, scale: 1 },
    file: { quantisation: 'F16', size: { bytes: 1, exact: true }, sources: [] },
  };
  const small = smallCaller({ models, adapters: [adapter] })!;
  const command = 'rawcall chat --model smollm2-135m:Q4_1 --lora smollm2-tools';
  expect(await adviceText({ ...about(machine), small })).toContain(`On less:    ${command}`);
  const none = { ...about({ ...machine, memory: 1e8 }), small };
  expect(await adviceText(none)).toMatch(
    /No model of the catalog fits\.\nWhat runs anywhere: rawcall chat --model smollm2/,
  );
});

test('where all are slow, three are told, with what would be enough', async () => {
  const text = await adviceText(about({ ...machine, speed: { reading: 1e9, writing: 1e9 } }));
  expect(text).toContain('None would read 30 tokens a second and write 5, as it is now. The least slow:');
  expect(text.match(/^\S+:\S+ .*~/gm)).toHaveLength(3);
  expect(text).toContain('What runs anywhere: rawcall chat (the practice model)');
});

test('what could not be measured is said, in place of speeds', async () => {
  const { speed: _, ...unmeasured } = { ...machine, unmeasured: 'No llama.cpp binary was found.' };
  const text = await adviceText(about(unmeasured));
  expect(text).toContain('Not measured: No llama.cpp binary was found.');
  expect(text).toMatch(/^llama-3\.2-3b:Q4_K_M [^~]*$/m);
  expect(text).not.toContain('tokens a second');
});
