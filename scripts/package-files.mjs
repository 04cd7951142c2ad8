/** What the published package holds, and how large it may be. */

export const sizeLimit = 15_000_000;

/** Whatever is packed matches one of these; a new kind of file is a decision, made here. */
const meant = [
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^dist\/[\w.-]+\.(js|cjs|d\.ts)$/,
  /^dist\/(THIRD-PARTY\.md|rawcall\.1)$/,
  /^dist\/playground\/(index\.html|packages\.json)$/,
  /^dist\/playground\/assets\/[\w.-]+\.(js|css|svg)$/,
  /^models\/practice\/(practice\.gguf|[\w.-]+\.json)$/,
  /^models\/[\w.-]+\.(yaml|json)$/,
  /^models\/adapters\/[\w./-]+\.(gguf|json|md)$/,
  /^tasks\/[\w./-]+\.(yaml|md)$/,
  /^src\/transcript\/transcript\.schema\.json$/,
  /^src\/convert\/quantize\.py$/,
];

/** What a run needs without any manifest naming it. */
const needed = [
  'README.md',
  'LICENSE',
  'dist/THIRD-PARTY.md',
  'dist/cli.js',
  'dist/playground/index.html',
  'models/practice/practice.gguf',
  'models/catalog.yaml',
  'models/catalog.schema.json',
  'tasks/starter.yaml',
  'src/convert/quantize.py',
];

/** Each file that `exports`, `bin` and `man` lead to, from the package's root. */
export function exportTargets({ exports = {}, bin = {}, man = [] }) {
  const leaves = node => (typeof node === 'string' ? [node] : Object.values(node).flatMap(leaves));
  const targets = [...leaves(exports), ...leaves(bin), ...leaves(man)].map(target =>
    target.replace(/^\.\//, ''),
  );
  return [...new Set(targets)];
}

export function fileProblems(files, manifest) {
  const paths = files.map(file => file.path);
  const strays = paths.filter(path => !meant.some(pattern => pattern.test(path)));
  const missing = [...needed, ...exportTargets(manifest)].filter(path => !paths.includes(path));
  const empty = files.filter(({ size }) => size === 0).map(file => file.path);
  return [
    ...strays.map(path => `${path} is packed, and no pattern in scripts/package-files.mjs means it`),
    ...[...new Set(missing)].map(path => `${path} is not packed, and is needed`),
    ...empty.map(path => `${path} is packed empty`),
  ];
}

export function sizeProblem(bytes) {
  if (bytes < sizeLimit) return undefined;
  return `the tarball has ${inMegabytes(bytes)}; it must stay under ${inMegabytes(sizeLimit)}`;
}

const inMegabytes = bytes => `${(bytes / 1e6).toFixed(1)} MB`;
