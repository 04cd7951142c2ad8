/**
 * Runs cases of other shapes than ours through the check: every way of cutting a completion, and what each must come to.
 *
 *   npx tsx bench/cases.ts FILE…
 *
 * A file is JSONL, and its lines are of three kinds: a case (`completion`, `expected.calls`, `incomplete`, `error`), a report (`area`,
 * `input`, `expected`; tools by name from tools.json beside the file; the area `mcp` is about MCP servers, `server` about ours), or a recording (`completion`,
 * `expected`: pairs of name and arguments, or null where it is not known). It prints what is wrong, and for each format how many
 * are right.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CompletionCase } from '../src/check/case.ts';
import { type CaseResult, checkCase, parserOf } from '../src/check/check-case.ts';
import { type Format, formats } from '../src/format.ts';
import { type Case, caseWrongs, completionOf } from './cases/case.ts';
import { mcpWrongs } from './cases/mcp.ts';
import { recordingOf, recordingWrongs } from './cases/recording.ts';
import { type Report, reportOf, reportWrongs } from './cases/report.ts';
import { serverWrongs } from './cases/server.ts';

interface Tally {
  right: number;
  total: number;
}

const otherNames: Readonly<Record<string, string>> = {
  llama3_pythonic: 'llama3',
  llama3_json: 'llama3-json',
  harmony: 'gpt-oss',
  glm4: 'glm',
};

const tallies = new Map<string, Tally>();
const recovered: Tally = { right: 0, total: 0 };
for (const file of process.argv.slice(2)) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  for (const line of lines) await runLine(file, line);
}
console.log('\nformat            right / total');
for (const [name, { right, total }] of [...tallies].sort())
  console.log(`${name.padEnd(18)}${String(right).padStart(5)} / ${total}${right < total ? '   <' : ''}`);
if (recovered.total > 0)
  console.log(`recordings that nobody else could read: ${recovered.right} of ${recovered.total} give a call`);

async function runLine(file: string, line: string): Promise<void> {
  const record = JSON.parse(line) as {
    readonly id: string;
    readonly format?: string;
    readonly area?: string;
  };
  if (record.area === 'mcp') return count('mcp', record.id, await mcpWrongs(line));
  if (record.area === 'server')
    return count('server', record.id, await serverWrongs(line, toolsBeside(file)));
  if (record.area !== undefined && record.area !== 'parser') return;
  const isReport = record.area !== undefined;
  const name = record.format ?? path.basename(file, '.jsonl');
  const format = formatOf(isReport && name === 'llama3' ? 'llama3-json' : (otherNames[name] ?? name));
  const wrongs = format === undefined ? ['there is no such format'] : wrongsOf(file, line, format);
  if (wrongs !== undefined) count(name, record.id, wrongs);
}

function count(name: string, id: string, wrongs: readonly string[]): void {
  const tally = tallies.get(name) ?? { right: 0, total: 0 };
  tallies.set(name, tally);
  tally.total++;
  if (wrongs.length === 0) tally.right++;
  else console.log(`${name}  ${id}\n${wrongs.map(wrong => `  ${wrong}`).join('\n')}`);
}

/** Undefined: nothing is expected of it. */
function wrongsOf(file: string, line: string, format: Format): readonly string[] | undefined {
  const record = JSON.parse(line) as Record<string, unknown>;
  if ('input' in record) {
    const report = record as unknown as Report;
    const one = reportOf(report, toolsBeside(file));
    return [...run(one, format), ...reportWrongs(report, one, parserOf(format))];
  }
  if (Array.isArray(record.expected) || record.expected === null) {
    const one = recordingOf(line);
    const result = checkCase(one, parserOf(format), 1);
    if (record.expected !== null) return [...splitWrongs(result), ...recordingWrongs(line, result)];
    recovered.total++;
    if (result.read.ended.length > 0) recovered.right++;
    return result.disagreement ? splitWrongs(result) : undefined;
  }
  const one = record as unknown as Case;
  const reasons = one.expected.incomplete ? (['stop', 'length'] as const) : (['stop'] as const);
  return reasons.flatMap(reason => {
    const result = checkCase(completionOf(one, reason), parserOf(format), 1);
    return [...splitWrongs(result), ...caseWrongs(one, line, result)];
  });
}

function run(one: CompletionCase, format: Format): readonly string[] {
  return splitWrongs(checkCase(one, parserOf(format), 1));
}

function splitWrongs({ disagreement }: CaseResult): readonly string[] {
  if (!disagreement) return [];
  const { split, whole, cut } = disagreement;
  return [
    `cut ${split.way} at ${split.places.slice(0, 8)}: ${JSON.stringify(cut)}, whole: ${JSON.stringify(whole)}`,
  ];
}

function toolsBeside(file: string): string {
  return path.join(path.dirname(file), 'tools.json');
}

/** However it is spelled: `qwen3_coder` is `qwen3-coder`. */
function formatOf(name: string): Format | undefined {
  const plain = (text: string) => text.replace(/[^a-z0-9]/g, '');
  return formats.find(one => [one.name, ...(one.aliases ?? [])].some(known => plain(known) === plain(name)));
}
