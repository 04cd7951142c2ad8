/** What a greeting offers, by what there is. */
import { expect, test } from 'vitest';
import { readCatalog } from '../../src/catalog/catalog.ts';
import { catalogFile } from '../../src/cli/package.ts';
import { choicesFor, practiceServer } from '../../src/cli/welcome/choices.ts';
import type { Found } from '../../src/cli/welcome/found.ts';

const { models, file } = await readCatalog(catalogFile);
const nothing: Found = {
  catalog: { file, models, adapters: [] },
  stored: [],
  elsewhere: [],
  servers: [],
  computer: 'none',
};
const offered = (found: Partial<Found>) => choicesFor({ ...nothing, ...found });

test('with nothing there: the practice model, a search, a config', () => {
  expect(offered({}).map(({ does }) => does)).toEqual(['chat', 'find', 'configure']);
  expect(offered({})[0]).toMatchObject({ values: practiceServer });
});

test('models that are here are offered by name, three at most, with a tool to call where there is no server', () => {
  const stored = ['a:Q4_0', 'b:Q4_0'];
  const elsewhere = [
    { name: 'c:Q8_0', program: 'Ollama' },
    { name: 'd:Q8_0', program: 'Ollama' },
  ];
  const chats = offered({ stored, elsewhere }).filter(({ does }) => does === 'chat');
  expect(chats.slice(1)).toMatchObject([
    { values: { model: 'a:Q4_0', ...practiceServer } },
    { values: { model: 'b:Q4_0' } },
    { values: { model: 'c:Q8_0' } },
  ]);
  const own = offered({ stored, servers: ['files'] })[1];
  expect(own).toMatchObject({ values: { model: 'a:Q4_0' } });
  expect(own).not.toMatchObject({ values: practiceServer });
});

test('a model that the settings name comes first and alone, and a config that is there is not written', () => {
  const choices = offered({ chosen: 'qwen3-4b', stored: ['a:Q4_0'], configFile: '/here/rawcall.json' });
  expect(choices).toMatchObject([{ text: 'chat with qwen3-4b', values: {} }, { does: 'find' }]);
});

test('the smallest caller is offered with its adapter and its size', () => {
  const small = models.find(({ name }) => name === 'smollm2-135m')!;
  const adapters = [
    {
      ...{
        name: 'smollm2-tools',
        title: 'T',
        makers: 'm',
        licence: { name: 'MIT' },
        format: 'qwen2.5',
        goodAt: [],
      },
      ...{ base: small.files[0]!.sha256!, scale: 1 },
      file: { quantisation: 'F16', size: { bytes: 1, exact: true }, sources: [] },
    },
  ];
  const found = offered({ catalog: { file, models, adapters } });
  expect(found[1]).toMatchObject({
    text: expect.stringMatching(/SmolLM2 135M Instruct and the adapter smollm2-tools.*\(98 MB\)/),
    values: { model: 'smollm2-135m:Q4_1', lora: ['smollm2-tools'] },
  });
});
