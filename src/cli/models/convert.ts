/** `rawcall models convert`: a model in safetensors, here or on a hub, as a GGUF file that was tried. */
import { existsSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { checkFolder, convert, needsQuantizer } from '../../convert/convert.ts';
import { findConverter, findQuantizer } from '../../convert/programs.ts';
import { fetchRepository } from '../../convert/repository.ts';
import { llamaLibrary } from '../../engine/llama/library-file.ts';
import { jsonLine } from '../../json.ts';
import { bytesText } from '../../store/bytes-text.ts';
import { openHub } from '../../store/hub.ts';
import { usualPatience } from '../../store/patience.ts';
import { cacheFolder, dataFolder } from '../../user-folders.ts';
import { exitCodes, usageError } from '../exit.ts';
import { visible, writeOut } from '../output.ts';
import { quantizeScript } from '../package.ts';
import type { Context } from '../program.ts';
import { clearProgress, showProgress } from '../progress-line.ts';
import { notice } from '../show.ts';
import { transferText } from './transfer.ts';
import { type Tried, tryModel } from './try-model.ts';

export interface ConvertFlags {
  readonly quantisation: string;
  readonly out?: string;
  readonly converter?: string;
  readonly quantizer?: string;
  readonly force?: true;
}

export async function convertModel(
  from: string,
  { values, lifetime }: Context<ConvertFlags>,
): Promise<number> {
  const { quantisation, out = outFile(from, quantisation), force, converter, quantizer, ...others } = values;
  if (existsSync(out) && !force)
    throw usageError(`${out} is there already. Name another with --out, or give --force.`);
  // Found before anything is fetched or computed.
  const environment = path.join(dataFolder(), 'converter');
  const programs = {
    converter: findConverter({ ...(converter ? { given: converter } : {}), environment }),
    ...(needsQuantizer(quantisation)
      ? {
          quantizer: findQuantizer({
            ...(quantizer ? { given: quantizer } : {}),
            environment,
            library: llamaLibrary(),
            script: quantizeScript,
          }),
        }
      : {}),
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  // Known as a GGUF by its name, as long as nothing else is said of it.
  const part = out.replace(/(\.gguf)?$/, '.part.gguf');
  try {
    using _ = lifetime.interruptible(() => stopping.abort());
    const repository = parseRepository(from);
    const folder = repository ? await fetched(repository, signal) : from;
    checkFolder(folder);
    const onStep = (title: string, command: string) => notice(`${title}: ${visible(command)}`);
    await convert({ folder, out: part, quantisation, ...programs, signal, onStep });
    notice('Trying it: loading, rendering, reading one call');
    const tried = await tryModel({ ...others, model: part }, lifetime);
    await rename(part, out);
    if (repository) await rm(folder, { recursive: true, force: true });
    await report(out, tried, quantisation, values.json);
    return exitCodes.answered;
  } catch (error) {
    if (signal.aborted) {
      await rm(part, { force: true });
      return exitCodes.interrupted;
    }
    if (existsSync(part)) notice(`What was converted is kept in ${part}.`);
    throw error;
  } finally {
    clearProgress();
  }
}

interface Repository {
  readonly repository: string;
  readonly revision?: string;
}

function parseRepository(from: string): Repository | undefined {
  if (!from.startsWith('hf:')) return undefined;
  const [, repository, revision] = /^hf:([\w.-]+\/[\w.-]+)(?:@([\w.-]+))?$/.exec(from) ?? [];
  if (repository === undefined)
    throw usageError(`${from} is no repository: hf:ORG/REPOSITORY, or hf:ORG/REPOSITORY@REVISION.`);
  return { repository, ...(revision === undefined ? {} : { revision }) };
}

/** `./Qwen3-0.6B` to `Qwen3-0.6B-Q8_0.gguf`, in the working folder. */
function outFile(from: string, quantisation: string): string {
  const name = parseRepository(from)?.repository ?? path.resolve(from);
  return `${path.basename(name)}-${quantisation}.gguf`;
}

async function fetched({ repository, revision }: Repository, signal: AbortSignal): Promise<string> {
  const name = [repository.replace('/', '--'), ...(revision === undefined ? [] : [revision])].join('@');
  const folder = path.join(cacheFolder(), 'safetensors', name);
  const hub = await openHub();
  notice(`Fetching ${repository} from ${hub.endpoint} into ${folder}`);
  await fetchRepository({
    hub,
    repository,
    ...(revision === undefined ? {} : { revision }),
    folder,
    patience: usualPatience,
    signal,
    onProgress: (file, received, size) => showProgress(`${file}: ${transferText(received, size, undefined)}`),
  });
  clearProgress();
  return folder;
}

async function report(
  file: string,
  { format, tokens, call }: Tried,
  quantisation: string,
  json: boolean | undefined,
): Promise<void> {
  const { size } = statSync(file);
  if (json) {
    const told = { path: path.resolve(file), quantisation, size, format, call: call ?? null };
    return writeOut(`${jsonLine(told)}\n`);
  }
  const read = call
    ? `one call was read, ${call.name} ${call.argumentsText}`
    : 'no call was read: its format has no grammar to hold it to';
  await writeOut(
    [
      `${file}: ${quantisation}, ${bytesText(size)}, speaks ${format}; ${read}${tokens === undefined ? '' : `, after a prompt of ${tokens} tokens`}`,
      `Use it with: --model ${file}, or keep it by a name: rawcall models import ${file}`,
      '',
    ].join('\n'),
  );
}
