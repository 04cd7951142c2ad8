/**
 * `npm run bench [-- MODEL.gguf] [-- --only NAME,…]`: every figure, or those of the groups that are named, printed and written to
 * bench/RESULTS.md with the date, the machine and the peers' versions. With `--only` all other lines stay as they were.
 */
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { constrainRows } from './constrain.ts';
import { grammarRows } from './grammar.ts';
import { loopRows, overheadRows } from './loop.ts';
import { mcpRows, serverStartRows } from './mcp.ts';
import { today, writeResults } from './measured-page.ts';
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

const { values, positionals } = parseArgs({
  options: { only: { type: 'string' } },
  allowPositionals: true,
});
const [model] = positionals;
const rows: Row[] = [];
const groups: Readonly<Record<string, () => Row[] | Promise<Row[]>>> = {
  parse: parseRows,
  render: renderRows,
  grammar: grammarRows,
  schema: schemaRows,
  turns: turnRows,
  overhead: overheadRows,
  loop: loopRows,
  constrain: constrainRows,
  start: startRows,
  peers: () => peerRows({ rounds: 3 }),
  mcp: mcpRows,
  record: recordRows,
  playground: playgroundRows,
  serve: () => serveRows(),
  soak: () => soakRows(),
  ...(model === undefined
    ? {}
    : {
        'loop of the model': () => loopRows({ model }),
        'constrain of the model': () => constrainRows({ model }),
        'start of the model': () => startRows({ model, rounds: 1 }),
        'peers of the model': () => peerRows({ model, rounds: 2 }),
        'mcp of the model': () => serverStartRows({ model }),
        'serve of the model': () => serveRows({ model, rounds: 3 }),
      }),
};
const wanted = values.only?.split(',') ?? Object.keys(groups);
const unknown = wanted.find(name => !(name in groups));
if (unknown !== undefined)
  throw new Error(`There is no group "${unknown}". There are: ${Object.keys(groups).join(', ')}.`);
for (const name of wanted) {
  const measured = await groups[name]!();
  // As they come: the whole takes minutes.
  for (const row of measured) console.log(resultLine(row));
  rows.push(...measured);
}

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
const head = `# Results

\`npm run bench\` on ${today()}: ${processors.length} cores (${processors[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${versions.join(', ')}.

| what | figure | |
| --- | --- | --- |`;
writeResults(head, rows, values.only !== undefined);
