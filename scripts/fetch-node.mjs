/** Another version of Node, from the registry. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { run } from './steps.mjs';

/** Puts it into the folder, and gives what it says of itself. */
export function fetchNode(version, folder) {
  mkdirSync(folder);
  // The package brings the program for this machine by a script.
  const args = ['install', '--prefix', folder, '--ignore-scripts=false', '--no-audit', '--no-fund'];
  run('npm', [...args, '--loglevel', 'error', `node@${version}`], {
    cwd: folder,
    advice: 'Is there such a version, and is the registry reached that npm is set to?',
  });
  return run(nodeIn(folder), ['--version'], { cwd: folder }).trim();
}

/** The program that is in the folder then. */
export function nodeIn(folder) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return path.join(folder, 'node_modules', 'node', 'bin', name);
}
