/** `rawcall parse --all-formats`: what each format would read in a text, side by side. */
import { jsonLine } from '../json.ts';
import { type CompletionOptions, type CompletionRecord, readAsAllFormats } from '../read-completion.ts';
import { exitCodes } from './exit.ts';
import { visible, writeOut } from './output.ts';
import { textTable } from './text-table.ts';

const titles = ['calls', 'content', 'reasoning', 'problems', 'repairs', 'formats'] as const;

/** Formats that read the same stand together. */
export async function parseAll(
  text: string,
  options: Omit<CompletionOptions, 'format'>,
  json: boolean,
): Promise<number> {
  const ranked = readAsAllFormats(text, 'stop', options);
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
