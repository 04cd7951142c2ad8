/** The text of docs/formats.md, from the registered formats and the tests that there are of them. `npm run docs:formats` writes it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ToolCall, ToolDefinition } from '../parsers/parser.ts';
import { readCompletion } from '../parsers/read.ts';
import { type Format, formats } from '../src/format.ts';
import { featuresOf } from '../src/format-features.ts';
import { references } from '../test/formats/references/index.ts';
import { syntaxes } from '../test/parsers/syntaxes/index.ts';
import { formatNotes } from './format-notes.ts';

export const pageFile = path.join(import.meta.dirname, '..', 'docs', 'formats.md');
const fixtures = path.join(import.meta.dirname, '..', 'test', 'formats');
const yes = '✓';
const no = '–';

const columns: Readonly<Record<string, (format: Format) => string>> = {
  whole: wholeCell,
  streamed: format => mark(syntaxes.some(({ parser }) => parser === format.parser)),
  deltas: format => mark(streamsArguments(format)),
  reasoning: format => mark(featuresOf(format).reasoning),
  GBNF: format => mark(featuresOf(format).grammar),
  coercion: format => mark(coerces(format)),
  'golden render': goldenCell,
};

export function formatsPage(): string {
  const titles = ['format', ...Object.keys(columns)];
  const rows = formats.map(format => [
    `[${code(format.name)}](#${anchor(format.name)})`,
    ...Object.values(columns).map(cell => cell(format)),
  ]);
  const table = [titles, titles.map((_, at) => (at === 0 ? '---' : ':-:')), ...rows];
  return `# Formats

A format is a chat template and a call syntax: what one family of models was trained on. \`--format\` takes its name or one of its
other names; without the flag it is found in the model. \`rawcall formats\` lists them. \`--enforce-parser\` is \`--format\` by another name.

Among the other names are those of the parsers of vLLM and SGLang (\`--tool-call-parser\`) and of candle-vllm (\`--enforce-parser\`) that read the same calls. A parser is half a
format: its name brings our template of the family too. To keep the chat template of the model and say only how it calls, write \`--format jinja:NAME\`. One
name means something else here: \`llama3\` has calls in Python; SGLang's \`llama3\` is \`llama3-json\`. vLLM's \`hermes\` is used for Qwen models too, which
are \`qwen\`, \`qwen2.5\` and \`qwen3-coder\` here.

This page is written by \`npm run docs:formats\`, from the code and the tests, and a test holds it to them.

${table.map(row => `| ${row.join(' | ')} |`).join('\n')}

| column | what ${yes} says |
| --- | --- |
| whole | recorded completions, right and broken ones, are read as they must be: \`test/formats/NAME/completions.jsonl\` |
| streamed | whatever is written and however it is cut, the same events come out, in time linear in the length: \`test/parsers/laws.test.ts\` |
| deltas | arguments come out while the model still writes them |
| reasoning | the models think in a form of its own, and thoughts are told from the answer |
| GBNF | a grammar of the same syntax can hold a model to the tools' schemas |
| coercion | a value of another type that says the same (\`"3"\` for \`3\`) is read by the tool's schema |
| golden render | prompts are compared, byte for byte, with those of the model's official chat template: \`test/formats/NAME/native.jsonl\` |

${formats.map(section).join('\n')}`;
}

/** Formats that share a parser share its fixtures. */
function wholeCell(format: Format): string {
  if (hasFixtures(format, 'completions')) return yes;
  const sibling = formats.find(one => one.parser === format.parser && hasFixtures(one, 'completions'));
  return sibling ? `as ${code(sibling.name)}` : no;
}

function goldenCell(format: Format): string {
  const reference = references.find(one => one.format === format.name);
  return mark(reference !== undefined && hasFixtures(format, 'native'));
}

function hasFixtures({ name }: Format, kind: string): boolean {
  const file = path.join(fixtures, name, `${kind}.jsonl`);
  return existsSync(file) && readFileSync(file, 'utf8').trim() !== '';
}

const mark = (has: boolean) => (has ? yes : no);
const anchor = (name: string) => name.replaceAll('.', '');

const tool: ToolDefinition = {
  name: 'add',
  inputSchema: { type: 'object', properties: { a: { type: 'integer' }, note: { type: 'string' } } },
};

function call(argumentsText: string, number = 0): ToolCall {
  // Ids as Kimi's template gives them; other formats have ids of their own or none.
  return { id: `functions.add:${number}`, name: 'add', arguments: JSON.parse(argumentsText), argumentsText };
}

function textOf({ parser }: Format, calls: readonly ToolCall[]): string {
  return parser
    .write(calls)
    .map(piece => piece.text)
    .join('');
}

function streamsArguments(format: Format): boolean {
  const text = textOf(format, [call('{"a":31,"note":"as long as a sentence is"}')]);
  const pieces = [...text].map(character => ({ text: character }));
  const { events } = readCompletion(format.parser, pieces, { tools: [tool] });
  const ended = events.findIndex(({ type }) => type === 'call-end');
  return events.slice(0, ended).filter(({ type }) => type === 'call-delta').length > 10;
}

function coerces(format: Format): boolean {
  const { calls } = readCompletion(format.parser, textOf(format, [call('{"a":"31"}')]), { tools: [tool] });
  return calls[0]?.arguments.a === 31;
}

function section(format: Format): string {
  const { name, aliases = [], template } = format;
  const notes = formatNotes[name];
  if (!notes)
    throw new Error(`Say in scripts/format-notes.ts which models speak ${name}, and what is peculiar to it.`);
  const also = aliases.length > 0 ? ` (also ${aliases.map(code).join(', ')})` : '';
  const example = textOf(format, [call('{"a":31,"note":"first"}'), call('{"a":11}', 1)]);
  return `## ${name}

${code(`--format ${name}`)}${also}: ${notes.models}. Stops: ${template.stops.map(code).join(' ')}.

${fence}
${example}
${fence}

${notes.peculiar}
`;
}

const code = (text: string) => `\`${text}\``;
/** Longer than those of a call that has a fence in it. */
const fence = '````';
