/**
 * The licences of what the bundle took in from other packages. The bundler marks where each of its inputs begins by a comment,
 * and what is in none of our folders is somebody else's. The playground's bundle has no comments, but a list (vite.playground.config.ts).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const modules = path.join(import.meta.dirname, '..', 'node_modules');

/** The bundler writes these helpers itself and ships no package of them: the same project's licence stands in another one. */
const licenceElsewhere = { '@oxc-project/runtime': '@oxc-project/types' };

export function notices(dist) {
  const packages = foreignPackages(dist);
  const intro =
    'The files in this folder hold code of the packages below. All other packages that rawcall needs are installed beside it, with their own licences.';
  return [
    '# Third-party code',
    packages.length > 0 ? intro : 'The files in this folder hold no code of other packages.',
    ...packages.map(name => `## ${name}\n\n\`\`\`\n${licenceOf(name)}\n\`\`\``),
    '',
  ].join('\n\n');
}

export function foreignPackages(dist) {
  const bundled = readdirSync(dist).filter(name => /\.(js|cjs|d\.ts)$/.test(name));
  const inputs = bundled.flatMap(name =>
    [...readFileSync(path.join(dist, name), 'utf8').matchAll(/^\/\/#region (.+)$/gm)].map(
      ([, input]) => input,
    ),
  );
  const page = path.join(dist, 'playground', 'packages.json');
  const inPage = existsSync(page) ? JSON.parse(readFileSync(page, 'utf8')) : [];
  return [...new Set([...inputs.flatMap(packageOf), ...inPage])].sort();
}

export function packageOf(input) {
  const installed = [...input.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].at(-1)?.[1];
  // A helper of the bundler is written as `\0@scope+name@version/file`.
  const helper = /^\\0(@?[^@/]+)@/.exec(input)?.[1]?.replace('+', '/');
  return installed ?? helper ?? [];
}

/** Where the package lies, or the one that stands for it. */
export function installedFolder(name) {
  return path.join(modules, licenceElsewhere[name] ?? name);
}

function licenceOf(name) {
  const folder = installedFolder(name);
  const file = existsSync(folder) && readdirSync(folder).find(entry => /^(licen[cs]e|copying)/i.test(entry));
  if (!file) throw new Error(`${name} is in the bundle, and ${folder} has no licence to show with it.`);
  return readFileSync(path.join(folder, file), 'utf8').trim();
}
