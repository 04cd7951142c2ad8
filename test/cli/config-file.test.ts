import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfigFile } from '../../src/cli/config-file.ts';

test('folders in a config file are from its own folder, one or many', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rawcall-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'notes'));
  const file = path.join(folder, 'rawcall.json');
  writeFileSync(file, '{"root": ["notes", "/srv/data"], "logLevel": "warning"}');
  expect(readConfigFile(file).values).toEqual({
    root: [path.join(folder, 'notes'), path.resolve('/srv/data')],
    logLevel: 'warning',
  });
  writeFileSync(file, '{"root": "."}');
  expect(readConfigFile(file).values.root).toEqual([folder]);
  writeFileSync(file, '{"root": [7]}');
  expect(() => readConfigFile(file)).toThrow('"root" must be a list of texts');
});
