/** Tools that the server itself has, beside those that clients bring: which of them a request is offered, and who runs them. */
import type { ToolDefinition } from '../../parsers/parser.ts';
import type { Message } from '../../templates/template.ts';
import type { Approve } from '../agent/approval.ts';
import type { TurnPolicy } from '../agent/policy.ts';
import { openNames } from '../mcp/names.ts';
import type { ToolSource } from '../tools.ts';

export interface ServerTools {
  /** All of them, as they are at the moment. */
  readonly all: readonly ToolDefinition[];
  /** A source for one request: which tools it offers may depend on what is asked. */
  offer(): ToolSource;
  /** Whose tool it is. */
  readonly origin: (name: string) => ToolPlace | undefined;
  /** How calls are run here. Absent: clients run them. */
  readonly runs?: RunsHere;
}

export interface ToolPlace {
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
}

export interface RunsHere {
  readonly approve: Approve;
  readonly policy: TurnPolicy;
  readonly maxRounds?: number;
  readonly maxSeconds?: number;
}

/** What one request is offered, under names that a format can write. */
export interface Offer {
  /** Its client's tools, and behind them those of the server, by the names that the model sees. */
  readonly source: ToolSource;
  /** Whether some call could run here, so that a turn may not be the last one. */
  readonly loops: boolean;
  /** Whether a call is the client's to run. */
  handBack(name: string): boolean;
  /** By the name that the client knows it under. */
  has(name: string): boolean;
  toModel(name: string): string;
  toClient(name: string): string;
}

/** Who holds a name: no server of an MCP configuration is called so. */
const client = '';
const here = '/';

/** A client's tool takes the place of one of the server's that has the same name. */
export function openOffer(
  given: readonly ToolDefinition[],
  tools: ServerTools | undefined,
  messages: readonly Message[],
): Offer {
  const own = tools?.offer();
  const brought = new Set(given.map(({ name }) => name));
  const isFree = ({ name }: ToolDefinition) => !brought.has(name);
  const names = openNames();
  const all = (own?.choice?.all ?? own?.tools ?? []).filter(isFree);
  const byClient = given.map(({ name }) => ({ server: client, tool: name }));
  const modelNames = names.give([...byClient, ...all.map(({ name }) => ({ server: here, tool: name }))]);
  const toModel = new Map(given.map(({ name }, index) => [name, modelNames[index]!]));
  const shown = given.map(tool => ({ ...tool, name: toModel.get(tool.name)! }));
  if (own) prepare(own, messages);

  const finder = own?.choice?.finder;
  const runsHere = (name: string) =>
    names.owner(name)?.server === here && (tools?.runs !== undefined || name === finder);

  return {
    source: {
      get tools() {
        return own ? [...shown, ...own.tools.filter(isFree)] : shown;
      },
      call: async (name, args, options) =>
        own?.call(name, args, options) ?? { content: `There is no tool "${name}".`, isError: true },
      ...(own?.choice ? { choice: own.choice } : {}),
    },
    loops: all.some(({ name }) => runsHere(name)),
    handBack: name => names.owner(name) !== undefined && !runsHere(name),
    has: name => brought.has(name) || all.some(tool => tool.name === name),
    // A call in the history may be of a tool that is no longer there.
    toModel: name => toModel.get(name) ?? name,
    toClient: name => (names.owner(name)?.server === client ? names.owner(name)!.tool : name),
  };
}

/** What a conversation's questions brought on offer is there at its next question too, so that its prompt only grows. */
function prepare({ choice }: ToolSource, messages: readonly Message[]): void {
  for (const message of messages) {
    if (message.role === 'user') choice?.prepare(message.content);
    else if (message.role === 'assistant')
      for (const { name } of message.toolCalls ?? []) choice?.offer(name);
  }
}
