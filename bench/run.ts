/** `npm run bench [MODEL.gguf]`: every figure, printed and written to bench/RESULTS.md with the date, the machine and the peer's version. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { constrainRows } from './constrain.ts';
import { grammarRows } from './grammar.ts';
import { loopRows, overheadRows } from './loop.ts';
import { mcpRows, serverStartRows } from './mcp.ts';
import { keptRows } from './measured-page.ts';
import { parseRows } from './parse.ts';
import { peerRows } from './peers.ts';
import { playgroundRows } from './playground.ts';
import { recordRows } from './record.ts';
import { renderRows } from './render.ts';
import { type Row, resultLine } from './row.ts';
import { schemaRows } from './schema.ts';
import { soakRows } from './serve/soak.ts';
import { serveRows } from './serve.ts';
import { startRows } from './start.ts';
import { turnRows } from './turns.ts';

const model = process.argv[2];
const rows: Row[] = [];
const groups: readonly (() => Row[] | Promise<Row[]>)[] = [
  parseRows,
  renderRows,
  grammarRows,
  schemaRows,
  turnRows,
  overheadRows,
  loopRows,
  constrainRows,
  startRows,
  () => peerRows({ rounds: 3 }),
  mcpRows,
  recordRows,
  playgroundRows,
  () => serveRows(),
  () => soakRows(),
  ...(model === undefined
    ? []
    : [
        () => loopRows({ model }),
        () => constrainRows({ model }),
        () => startRows({ model, rounds: 1 }),
        () => peerRows({ model, rounds: 2 }),
        () => serverStartRows({ model }),
        () => serveRows({ model, rounds: 3 }),
      ]),
];
for (const measure of groups) {
  const measured = await measure();
  // As they come: the whole takes minutes.
  for (const row of measured) console.log(resultLine(row));
  rows.push(...measured);
}

// Measured by a command of their own, for hours.
const file = path.join(import.meta.dirname, 'RESULTS.md');
const kept = readFileSync(file, 'utf8')
  .split('\n')
  .filter(line => keptRows.some(name => line.startsWith(name)));

const packages = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../package-lock.json'), 'utf8'),
).packages;
const versions = [
  'node-llama-cpp',
  '@ai-sdk-tool/parser',
  '@huggingface/jinja',
  '@modelcontextprotocol/sdk',
].map(name => `${name} ${packages[`node_modules/${name}`].version}`);
const processors = cpus();
const page = `# Results

\`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${processors.length} cores (${processors[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${versions.join(', ')}.

| what | figure | |
| --- | --- | --- |
${[...rows.map(resultLine), ...kept].join('\n')}
`;
writeFileSync(file, page);
