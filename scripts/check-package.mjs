/**
 * `npm run check-package`: packs rawcall, looks at the tarball, installs it in an empty folder as the README advises for machines
 * without a GPU, and uses it there: the command, every export under plain Node, its types, and a test file of Vitest.
 *
 * `npm run check-package -- --node 22 --node 24` installs and uses it under these versions of Node, which come from the registry,
 * in place of the one that is here.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { fetchNode, nodeIn } from './fetch-node.mjs';
import { fileProblems, sizeProblem } from './package-files.mjs';
import { Failed, failIfAny, run, step } from './steps.mjs';
import { usePackage } from './use-package.mjs';

const { values } = parseArgs({ options: { node: { type: 'string', multiple: true } } });
const root = path.join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-package-'));

function pack() {
  const args = ['pack', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(run('npm', args, { cwd: root }));
  failIfAny(fileProblems(packed.files, manifest), 'The file list is not what it should be:');
  failIfAny([sizeProblem(packed.size)].filter(Boolean), 'The package is too large:');
  return { ...packed, tarball: path.join(folder, packed.filename) };
}

async function lintManifest(tarball) {
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) },
    level: 'warning',
  });
  failIfAny(
    messages.map(message => `${message.code}: ${formatMessage(message, pkg, { color: false })}`),
    'publint:',
  );
}

/** ES modules only, and since Node 20.19 `require` takes them; so the profile leaves CommonJS and Node 10 out. */
function checkTypeResolution(tarball) {
  const attw = path.join(root, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
  const entries = Object.keys(manifest.exports).filter(entry => !entry.endsWith('.json'));
  const args = [attw, tarball, '--profile', 'esm-only', '--no-emoji', '--format', 'ascii', '--entrypoints'];
  run(process.execPath, [...args, ...entries], { cwd: root });
}

async function useUnder(version, tarball) {
  const brought = path.join(folder, `node-${version}`);
  await step(`npm brings Node ${version}`, () => fetchNode(version, brought));
  await usePackage({ tarball, folder: path.join(folder, `project-${version}`), node: nodeIn(brought) });
}

try {
  const { tarball, size, files } = await step('the tarball has the files that are meant', pack);
  console.log(`  ${files.length} files, ${(size / 1e6).toFixed(1)} MB`);
  await step('publint has nothing to say', () => lintManifest(tarball));
  await step('types resolve (attw)', () => checkTypeResolution(tarball));
  if (!values.node) await usePackage({ tarball, folder: path.join(folder, 'project') });
  for (const version of values.node ?? []) await useUnder(version, tarball);
} catch (error) {
  if (!(error instanceof Failed)) throw error;
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
