/** `npm run bench`: every figure, printed and written to bench/RESULTS.md with the date, the machine and the peer's version. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { grammarRows } from './grammar.ts';
import { loopRows, overheadRows } from './loop.ts';
import { parseRows } from './parse.ts';
import { renderRows } from './render.ts';
import type { Row } from './row.ts';
import { schemaRows } from './schema.ts';
import { turnRows } from './turns.ts';

const model = process.argv[2];
const rows: Row[] = [
  ...(await parseRows()),
  ...renderRows(),
  ...grammarRows(),
  ...schemaRows(),
  ...(await turnRows()),
  ...(await overheadRows()),
  ...(await loopRows()),
  ...(model === undefined ? [] : await loopRows({ model })),
];

const packages = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../package-lock.json'), 'utf8'),
).packages;
const versions = ['node-llama-cpp', '@ai-sdk-tool/parser', '@huggingface/jinja'].map(
  name => `${name} ${packages[`node_modules/${name}`].version}`,
);
const processors = cpus();
const page = `# Results

\`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${processors.length} cores (${processors[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${versions.join(', ')}.

| what | figure | |
| --- | --- | --- |
${rows.map(({ name, value, unit, note }) => `| ${name} | ${value.toPrecision(3)} ${unit} | ${note} |`).join('\n')}
`;
writeFileSync(path.join(import.meta.dirname, 'RESULTS.md'), page);
console.log(page);
