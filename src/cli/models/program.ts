/** The commands of `rawcall models`: what there is to take, what fits this machine, and what a file holds. */
import { type Command, Option } from 'commander';
import { quantisations } from '../../convert/convert.ts';
import type { Group } from '../mcp/program.ts';
import type { InspectFlags } from './inspect.ts';

export function addModelsCommands(program: Command, { add, contextOf, done }: Group): void {
  const models = program.command('models').description('models: which there are, which fit, and their files');

  add('list', 'the models of the catalog', ['catalog', 'json'], models).action(
    async (_options, command: Command) => {
      const { listModels } = await import('./list.ts');
      done(await listModels(contextOf(command)));
    },
  );

  add(
    'pull <model>',
    'download a model of the catalog, hf:ORG/REPOSITORY:FILE or an address, or go on with it',
    ['catalog', 'json'],
    models,
  ).action(async (text: string, _options, command: Command) => {
    const { pullModel } = await import('./pull.ts');
    done(await pullModel(text, contextOf(command)));
  });

  add(
    'path <model>',
    'where a model lies that is here, also in the folders of other programs',
    ['catalog', 'json'],
    models,
  ).action(async (text: string, _options, command: Command) => {
    const { modelPath } = await import('./stored.ts');
    done(await modelPath(text, contextOf(command)));
  });

  add(
    'verify [model]',
    'read the stored models, or one, and compare their SHA-256',
    ['catalog', 'json'],
    models,
  ).action(async (text: string | undefined, _options, command: Command) => {
    const { verifyModels } = await import('./stored.ts');
    done(await verifyModels(text, contextOf(command)));
  });

  add('remove <model>', 'delete a stored model, or what has come of one', ['catalog', 'json'], models).action(
    async (text: string, _options, command: Command) => {
      const { removeModel } = await import('./stored.ts');
      done(await removeModel(text, contextOf(command)));
    },
  );

  add(
    'import <file>',
    'copy a GGUF file into the store, so that its name can be given to --model',
    ['catalog', 'json'],
    models,
  )
    .option(
      '--name <name>',
      'NAME or NAME:QUANTISATION (default: of the catalog, by its SHA-256, or of the file)',
    )
    .option('--move', 'move it instead')
    .action(async (file: string, _options, command: Command) => {
      const { importModel } = await import('./import.ts');
      done(await importModel(file, contextOf(command)));
    });

  add(
    'info <name>',
    'all that the catalog says of one model: NAME, or NAME:QUANTISATION',
    ['catalog', 'json'],
    models,
  ).action(async (name: string, _options, command: Command) => {
    const { aboutModel } = await import('./info.ts');
    done(await aboutModel(name, contextOf(command)));
  });

  add(
    'recommend',
    'which models fit this machine, with what context, and how fast they would be',
    ['catalog', 'gpu', 'threads', 'json'],
    models,
  ).action(async (_options, command: Command) => {
    const { recommendModels } = await import('./recommend.ts');
    done(await recommendModels(contextOf(command)));
  });

  add('inspect <file>', 'what a GGUF file says of itself, without loading the model', ['json'], models)
    .option('--template', 'its chat template and nothing else')
    .option('--tokens', 'all of its control tokens, however many they are')
    .option('--tensors', 'each of its tensors')
    .action(async (file: string, flags: InspectFlags, command: Command) => {
      const { inspectModel } = await import('./inspect.ts');
      done(await inspectModel(file, contextOf(command), flags));
    });

  add(
    'convert <folder|hf:ORG/REPOSITORY>',
    "make a GGUF file of a model in safetensors, by llama.cpp's own converter, and try it",
    ['format', 'chatTemplate', 'gpu', 'threads', 'json'],
    models,
  )
    .addOption(
      new Option('--quantisation <type>', 'what its weights become').choices(quantisations).default('Q8_0'),
    )
    .option('--out <file>', 'where it goes (default: NAME-QUANTISATION.gguf, in the working folder)')
    .option('--converter <file>', "llama.cpp's convert_hf_to_gguf.py (or RAWCALL_CONVERTER)")
    .option(
      '--quantizer <file>',
      'llama-quantize, for what the converter does not write itself (or RAWCALL_QUANTIZER; default: the one on the PATH, or llama.cpp as it is here)',
    )
    .option('--force', 'write over a file that is there')
    .action(async (from: string, _options, command: Command) => {
      const { convertModel } = await import('./convert.ts');
      done(await convertModel(from, contextOf(command)));
    });
}
