/** The wheel with a llama-server in it, fetched from PyPI once and kept beside the packages of npm. */
import { execFile } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const wheel = 'xllamacpp==2026.10.11549';
const cache = path.join(import.meta.dirname, '../../node_modules/.cache');

/** `RAWCALL_XLLAMACPP` names a folder that has it already. */
export async function llamaServerFolder(): Promise<string> {
  const given = process.env.RAWCALL_XLLAMACPP;
  if (given) return given;
  const folder = path.join(cache, wheel);
  if (existsSync(folder)) return folder;
  // Under another name until it is whole.
  const unfinished = `${folder}.${process.pid}`;
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
  try {
    await promisify(execFile)('python3', [...args, '--target', unfinished, wheel]);
    renameSync(unfinished, folder);
  } catch (cause) {
    throw new Error(`This test needs python3 with pip on the PATH, to fetch ${wheel}.`, { cause });
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}
