/** The commands of a chat, each begun with a slash. They tell on stderr, so that stdout holds answers alone. */
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import type { ToolDefinition } from '../../parsers/parser.ts';
import type { TokenBill } from '../model/model.ts';
import { nearest } from '../nearest.ts';
import { markedPrompt } from './marked.ts';
import { serverCommands } from './mcp/slash.ts';
import { visible } from './output.ts';
import { saveDialogue } from './saved.ts';
import type { Session } from './session.ts';
import { billLine, notice, usageLine } from './show.ts';

export interface Slash {
  readonly help: string;
  /** Only `leave` means something. */
  run(session: Session, rest: string): unknown;
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

const commands: Readonly<Record<string, Slash>> = {
  '/tools': { help: 'the tools on offer, and the names of the others', run: tellTools },
  ...serverCommands,
  '/prompt': {
    help: 'the exact last prompt, control tokens marked',
    run: ({ lastPrompt }) =>
      lastPrompt
        ? tell(
            markedPrompt(lastPrompt, pc.createColors(process.stderr.isTTY === true && pc.isColorSupported)),
          )
        : notice('No prompt was written yet.'),
  },
  '/usage': {
    help: 'tokens of each turn, as the engine counted them, and what the next prompt is made of',
    run: tellUsage,
  },
  '/roots': { help: 'FOLDER: one more folder that servers are told of; alone, all of them', run: tellRoots },
  '/reset': {
    help: 'forget the dialogue',
    run: ({ agent }) => {
      agent.reset();
      notice('The dialogue starts anew.');
    },
  },
  '/system': {
    help: 'TEXT: another system text, for a dialogue that starts anew',
    run: ({ agent }, rest) => {
      if (rest === '') {
        const [first] = agent.messages;
        return tell(first?.role === 'system' ? visible(first.content) : '(no system text)');
      }
      agent.reset(rest);
      notice('The dialogue starts anew with this system text.');
    },
  },
  '/save': { help: 'FILE: the dialogue, as "rawcall render" reads it', run: save },
  '/help': { help: 'this list', run: () => tellHelp() },
  '/quit': { help: 'leave', run: () => 'leave' },
};

export const commandNames = Object.keys(commands);

/** True where the chat is to end. */
export async function slashCommand(line: string, session: Session): Promise<boolean> {
  const [name = '', ...rest] = line.split(/\s+(.*)/s);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return (await command.run(session, (rest[0] ?? '').trim())) === 'leave';
  const meant = nearest(name, commandNames);
  notice(`There is no command ${name}. ${meant ? `Did you mean ${meant}?` : '/help lists them.'}`);
  return false;
}

function tellTools({ host: { tools }, offered }: Session): void {
  if (tools.length === 0) notice('There are no tools.');
  const names = new Set(offered.tools.map(({ name }) => name));
  const line = ({ name, description = '' }: ToolDefinition) => `${name}  ${description.split('\n')[0]}`;
  for (const tool of tools.filter(({ name }) => names.has(name))) tell(visible(line(tool)));
  const others = tools.filter(({ name }) => !names.has(name));
  if (others.length > 0) tell(`not on offer now: ${others.map(({ name }) => name).join(', ')}`);
}

async function tellRoots({ roots, host }: Session, folder: string): Promise<void> {
  try {
    if (folder !== '') {
      roots.add(folder);
      await host.rootsChanged();
    }
    if (roots.list.length === 0) notice('Servers are told of no folder.');
    for (const { uri } of roots.list) tell(visible(fileURLToPath(uri)));
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error));
  }
}

function tellUsage({ usages, agent, contextSize }: Session): void {
  if (usages.length === 0) notice('No turn was taken yet.');
  usages.forEach((usage, index) => {
    tell(`turn ${index + 1}: ${usageLine(usage)}`);
  });
  const bill = agent.bill();
  if (bill) tell(`next prompt, without its question: ${billLine(bill)}; ${left(bill, contextSize)}`);
}

function left({ total }: TokenBill, contextSize: number): string {
  const free = contextSize - total;
  return free < 0
    ? `${-free} more than the ${contextSize} of the context`
    : `${free} of the context's ${contextSize} are free`;
}

function tellHelp(): void {
  for (const [name, { help }] of Object.entries(commands)) tell(`${name.padEnd(12)}${help}`);
}

async function save(session: Session, file: string): Promise<void> {
  if (file === '') return notice('Where to? /save FILE');
  try {
    await saveDialogue(file, session);
    notice(`Saved to ${file}.`);
  } catch (error) {
    notice(`Not saved: ${error instanceof Error ? error.message : String(error)}`);
  }
}
