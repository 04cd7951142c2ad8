/** `rawcall tools`: what the servers offer, and with `--tokens` what each tool costs in a decision turn's prompt. */
import type { ToolDefinition } from '../../parsers/parser.ts';
import type { Prompt } from '../../templates/template.ts';
import type { LlamaVocabulary } from '../engine/llama.ts';
import type { Format } from '../format.ts';
import { jsonLine } from '../json.ts';
import type { Host } from '../mcp/host.ts';
import { dateText } from './clock.ts';
import { exitCodes } from './exit.ts';
import { modelFormat, namedFormat, openVocabulary } from './open-model.ts';
import { openTools, readServers } from './open-tools.ts';
import { visible, writeOut } from './output.ts';
import type { Context } from './program.ts';
import { createReport } from './report.ts';
import type { Values } from './settings.ts';
import { withShownSchemas } from './shown-schemas.ts';
import { textTable } from './text-table.ts';

export async function tools(context: Context<{ tokens?: true }>): Promise<number> {
  const { values, lifetime } = context;
  const servers = await readServers(context);
  const model = values.tokens ? await openForCounting(context) : undefined;
  const set = await openTools(servers, lifetime, createReport(values));
  const bill = model && billOf(model, values, set);
  const listed = set.tools.map(tool => ({
    name: tool.name,
    server: set.origin(tool.name)?.server ?? '',
    ...(bill ? { tokens: bill.of(tool, set.tools) } : {}),
    description: tool.description ?? '',
  }));
  const total = bill?.total(set.tools);
  if (values.json) {
    for (const tool of listed) await writeOut(`${jsonLine(tool)}\n`);
    if (total !== undefined) await writeOut(`${jsonLine({ total })}\n`);
  } else await writeOut(`${table(listed)}${totals(listed, set, total)}`);
  return exitCodes.answered;
}

interface CountingModel {
  readonly vocabulary: Pick<LlamaVocabulary, 'countTokens'>;
  readonly format: Format;
}

/** A mistake in what is asked of the model is told before servers are started. */
async function openForCounting({ values, lifetime }: Context): Promise<CountingModel> {
  const named = await namedFormat(values);
  const vocabulary = await openVocabulary(values, lifetime);
  return { vocabulary, format: named ?? (await modelFormat(values, vocabulary)) };
}

export interface Bill {
  /** What the prompt has more for this tool, the others being there. */
  of(tool: ToolDefinition, all: readonly ToolDefinition[]): number;
  total(all: readonly ToolDefinition[]): number;
}

export function billOf({ vocabulary, format }: CountingModel, values: Values, { origin }: Host): Bill {
  const shown = withShownSchemas(format, values, origin);
  const count = (offered: readonly ToolDefinition[]) =>
    toolTokens(shown, values, prompt => vocabulary.countTokens(prompt), offered);
  return {
    of(tool, all) {
      // Beside one other and not beside all: a thousand tools would be rendered a thousand times.
      const other = all.find(one => one !== tool);
      return other ? count([other, tool]) - count([other]) : count([tool]);
    },
    total: count,
  };
}

/** Of the tools and of what their being there adds to the template's own text. */
function toolTokens(
  { template }: Format,
  { schema, schemaForm }: Values,
  countTokens: (prompt: Prompt) => number,
  tools: readonly ToolDefinition[],
): number {
  const messages = [{ role: 'user', content: '?' } as const];
  const render = {
    date: dateText(new Date()),
    ...(schema ? { schema } : {}),
    ...(schemaForm ? { schemaForm } : {}),
  };
  const length = (offered: readonly ToolDefinition[]) =>
    countTokens(template.render({ messages, tools: offered }, render));
  return length(tools) - length([]);
}

interface Listed {
  readonly name: string;
  readonly server: string;
  readonly tokens?: number;
  readonly description: string;
}

function table(listed: readonly Listed[]): string {
  if (listed.length === 0) return 'No tools.\n';
  const counted = listed.some(({ tokens }) => tokens !== undefined);
  const titles = ['server', 'tool', ...(counted ? ['tokens'] : []), 'description'];
  const rows = listed.map(({ server, name, tokens, description }) => [
    server,
    visible(name),
    ...(counted ? [String(tokens)] : []),
    visible(description.split('\n')[0] ?? ''),
  ]);
  return textTable(titles, rows);
}

function totals(listed: readonly Listed[], set: Host, total: number | undefined): string {
  if (total === undefined) return '';
  const servers = set.servers.map(({ name }) => {
    const own = listed.filter(({ server }) => server === name);
    return [name, String(own.reduce((sum, { tokens = 0 }) => sum + tokens, 0)), String(own.length)];
  });
  return `\n${textTable(['server', 'tokens', 'tools'], [...servers, ['all', String(total), String(listed.length)]])}`;
}
