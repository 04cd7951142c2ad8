/** `rawcall doctor`: one page on what a run would use, and what of it would not work. */
import pc from 'picocolors';
import { parseApproval } from '../agent/approval.ts';
import { toolShare } from '../agent/tool-choice.ts';
import type { LlamaEngine } from '../engine/llama.ts';
import { jsonLine } from '../json.ts';
import type { Host } from '../mcp/host.ts';
import type { McpServer } from '../mcp/servers.ts';
import { machineSection } from './doctor/machine.ts';
import { modelSection } from './doctor/model.ts';
import { failed, failure, type Line, type Section } from './doctor/section.ts';
import { serverSection } from './doctor/servers.ts';
import { exitCodes } from './exit.ts';
import { configuredServers } from './mcp/open.ts';
import { openTools } from './open-tools.ts';
import { visible, writeOut } from './output.ts';
import type { Context } from './program.ts';
import { billOf } from './tools.ts';

/** Exit code 1 where something would not work. */
export async function doctor(context: Context): Promise<number> {
  const { values, lifetime } = context;
  parseApproval(values.approve ?? []);
  const { servers, section: config } = await configSection(context);
  const [machine, model, host] = await Promise.all([
    machineSection(values),
    modelSection(values, lifetime),
    openTools(servers, lifetime, () => {}),
  ]);
  const { engine, format } = model;
  const bill = engine && format && billOf({ vocabulary: engine, format }, values, host);
  const patients = servers.map((server, at) =>
    serverSection({ server, status: host.servers[at]!, host, values, ...(bill ? { bill } : {}) }),
  );
  const sections: Section[] = [machine, config, model, ...patients];
  if (bill && host.tools.length > 0) sections.push(totalSection(bill.total(host.tools), host, engine));
  const wrong = sections.flatMap(({ title, lines }) =>
    lines.filter(({ state }) => state === 'wrong').map(line => ({ title, ...line })),
  );
  const data = {
    fine: wrong.length === 0,
    machine: machine.data,
    config: config.data,
    model: model.data,
    servers: patients.map(patient => patient.data),
    wrong: wrong.map(({ title, what, text, remedy }) => ({
      where: title,
      what,
      text,
      ...(remedy === undefined ? {} : { remedy }),
    })),
  };
  await writeOut(values.json ? `${jsonLine(data)}\n` : `${page(sections)}\n${verdict(wrong)}\n`);
  return wrong.length === 0 ? exitCodes.answered : exitCodes.error;
}

/** What all tools together leave of the context. */
function totalSection(
  tokens: number,
  { tools }: Pick<Host, 'tools'>,
  { contextSize }: Pick<LlamaEngine, 'contextSize'>,
): Section {
  const text = `${tools.length} tools are ${tokens} tokens, ${Math.round((100 * tokens) / contextSize)} % of the context`;
  const fits = tokens <= contextSize * toolShare;
  const line: Line = fits
    ? { what: 'tools', text }
    : {
        what: 'tools',
        state: 'note',
        text: `${text}: each question gets those that fit it best`,
        remedy:
          'Deny tools that are not needed ("tools" of an entry), write them shorter (--schema-form), or take a larger context.',
      };
  return { title: 'all servers', lines: [line], data: { tools: tools.length, tokens } };
}

/** A broken file of servers must not hide what there is to say of the model. */
async function configSection(
  context: Context,
): Promise<{ readonly servers: readonly McpServer[]; readonly section: Section }> {
  const { values, configFile, serversFile } = context;
  const files = [...new Set([serversFile, values.mcpConfig].filter(file => file !== undefined))];
  const used: Line[] = [
    { what: 'settings', text: configFile ?? 'no rawcall.json or .rawcallrc here or above' },
    ...files.map(file => ({ what: 'servers', text: file })),
  ];
  const data = { settings: configFile ?? null, servers: files };
  try {
    const servers = await configuredServers(context);
    const none: Line[] = servers.length === 0 ? [{ what: 'servers', text: 'none' }] : [];
    return { servers, section: { title: 'config', lines: [...used, ...none], data } };
  } catch (error) {
    const lines = [...used, failed('servers', error)];
    return { servers: [], section: { title: 'config', lines, data: { ...data, error: failure(error) } } };
  }
}

const colors = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported);
const marks = { fine: colors.green('✓'), note: colors.yellow('!'), wrong: colors.red('✗') } as const;

function page(sections: readonly Section[]): string {
  const width = Math.max(...sections.flatMap(({ lines }) => lines.map(({ what }) => what.length)));
  const row = ({ what, text, state = 'fine', remedy }: Line) => {
    const head = `${marks[state]} ${what.padEnd(width)}  ${visible(text.replaceAll('\n', ' '))}`;
    return remedy === undefined ? [head] : [head, `  ${' '.repeat(width)}  → ${visible(remedy)}`];
  };
  const blocks = sections.map(({ title, lines }) => [colors.bold(visible(title)), ...lines.flatMap(row), '']);
  return blocks.flat().join('\n');
}

function verdict(wrong: readonly (Line & { readonly title: string })[]): string {
  if (wrong.length === 0) return 'All of this works.';
  const places = wrong.map(({ title, what }) => visible(`${title} (${what})`));
  return `Would not work: ${places.join(', ')}.`;
}
