/**
 * `node scripts/bill-of-materials.mjs`: what rawcall is made of, as CycloneDX on stdout: what npm installs beside it, and what the bundle
 * took in from packages that only a build needs. `npm sbom --omit dev` would leave out the latter, and each package that any other
 * one needs for its development.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildIfNeeded } from './build-if-needed.mjs';
import { foreignPackages, installedFolder } from './notices.mjs';
import { run } from './steps.mjs';

const root = path.join(import.meta.dirname, '..');
const manifestIn = folder => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

const isForBuild = ({ properties }) => properties.some(({ name }) => name === 'cdx:npm:package:development');

/** `listed` is what npm says of it: nothing of what the bundler writes itself, without a package. */
function bundledComponent(name, listed) {
  const { version, license } = manifestIn(installedFolder(name));
  const ref = `${name}@${version}`;
  const purl = `pkg:npm/${ref.replace(/^@/, '%40')}`;
  const known = listed.find(component => component['bom-ref'] === ref) ?? {
    'bom-ref': ref,
    type: 'library',
    name,
    version,
    purl,
    licenses: [{ license: { id: license } }],
  };
  return { ...known, scope: 'required', properties: [{ name: 'rawcall:bundled', value: 'true' }] };
}

buildIfNeeded();
// By the lock file, so that it is the same bill on every platform.
const sbom = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
const bill = JSON.parse(run('npm', sbom, { cwd: root }));
// npm calls it by the folder that it lies in.
bill.metadata.component.name = manifestIn(root).name;
const installed = bill.components.filter(component => !isForBuild(component));
const bundled = foreignPackages(path.join(root, 'dist'))
  .filter(name => !installed.some(component => component.name === name))
  .map(name => bundledComponent(name, bill.components));
bill.components = [...installed, ...bundled];

const refs = new Set([bill.metadata.component, ...bill.components].map(component => component['bom-ref']));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(one => refs.has(one)) }));
console.log(JSON.stringify(bill, null, 2));
