/** `rawcall parse --all-formats`: what each format would read in a text, side by side. */
import { formats } from '../format.ts';
import { exitCodes } from './exit.ts';
import { jsonLine } from './json.ts';
import { visible, writeOut } from './output.ts';
import { type CompletionOptions, type CompletionRecord, readCompletion } from './read-completion.ts';
import { textTable } from './text-table.ts';

const titles = ['calls', 'content', 'reasoning', 'problems', 'repairs', 'formats'] as const;

/** Formats that read the same stand together, those with the fewest problems and repairs among those with calls first. */
export async function parseAll(
  text: string,
  options: Omit<CompletionOptions, 'format'>,
  json: boolean,
): Promise<number> {
  const groups = new Map<string, { formats: string[]; record: CompletionRecord }>();
  for (const format of formats) {
    const record = readCompletion(text, 'stop', { ...options, format });
    const key = jsonLine(record);
    const group = groups.get(key);
    if (group) group.formats.push(format.name);
    else groups.set(key, { formats: [format.name], record });
  }
  const ranked = [...groups.values()].sort((left, right) => rank(left.record) - rank(right.record));
  if (json)
    for (const { formats: names, record } of ranked)
      await writeOut(`${jsonLine({ formats: names, ...record })}\n`);
  else
    await writeOut(
      textTable(
        titles,
        ranked.map(({ formats: names, record }) => [...cells(record), names.join(', ')]),
      ),
    );
  return exitCodes.answered;
}

function rank({ calls, problems, repairs }: CompletionRecord): number {
  return (calls.length === 0 ? 1000 : 0) + 10 * problems.length + repairs.length;
}

function cells({ calls, content, reasoning, problems, repairs }: CompletionRecord): string[] {
  return [
    visible(calls.map(({ name, arguments: args }) => clipped(`${name} ${args.text}`)).join(', ')),
    String(content.length),
    String(reasoning.length),
    counted(problems.map(({ problem }) => problem)),
    counted(repairs.map(({ repair }) => repair)),
  ];
}

function clipped(call: string): string {
  return call.length > 40 ? `${call.slice(0, 39)}…` : call;
}

function counted(names: readonly string[]): string {
  return [...new Set(names)]
    .map(name => {
      const count = names.filter(one => one === name).length;
      return count > 1 ? `${name} ×${count}` : name;
    })
    .join(', ');
}
