/** docs/errors.md names every code that is thrown, and no other. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');

test('the table of error codes is complete', () => {
  const sources = ['parsers', 'templates', 'src'].flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => readFileSync(path.join(root, folder, name), 'utf8')),
  );
  const thrown = sources.flatMap(code =>
    [...code.matchAll(/(?:new RawcallError|refuseWith)\(\s*'([a-z_]+)'/g)].map(found => found[1]),
  );
  const documented = [
    ...readFileSync(path.join(root, 'docs/errors.md'), 'utf8').matchAll(/^\| `([a-z_]+)` \|/gm),
  ];
  expect(documented.map(found => found[1]).sort()).toEqual([...new Set(thrown)].sort());
});
