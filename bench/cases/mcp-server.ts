/** A server as the cases describe it, as the misbehaving server's script. */
import type { Misdeed, Script } from '../../test/mcp/misbehaving.ts';

/** In the words of the cases. */
export interface CaseServer {
  readonly name?: string;
  readonly tools?: readonly (string | CaseTool)[];
  readonly pages?: readonly (readonly CaseTool[])[];
  readonly secondPage?: string;
  readonly stdoutLines?: readonly string[];
  readonly stderrNoNewlineBytes?: number;
  readonly notifyTimes?: number;
  readonly withinMs?: number;
  readonly finalTools?: readonly CaseTool[];
  readonly declaresListChanged?: boolean;
  readonly results?: Readonly<Record<string, unknown>>;
  readonly duringCall?: Readonly<
    Record<string, { readonly ms: number; readonly progressEveryMs: number; readonly result: unknown }>
  >;
  readonly protocolVersion?: string;
  readonly sessionExpiresAfter?: string;
  readonly killedBetweenCalls?: true;
  readonly startMs?: number;
  readonly neverAnswers?: true;
  /** A program that is to be started as it stands. */
  readonly command?: string;
}

export interface CaseTool {
  readonly name: string;
}

export function scriptOf(server: CaseServer, log: string): Script {
  const tools = (server.tools ?? []).map(one =>
    typeof one === 'string' ? { name: one, inputSchema: { type: 'object' } } : one,
  );
  const start = {
    ...(server.stdoutLines ? { stdout: server.stdoutLines } : {}),
    ...(server.stderrNoNewlineBytes ? { stderrBytes: server.stderrNoNewlineBytes } : {}),
    ...(server.startMs ? { ms: server.startMs } : {}),
    ...(server.neverAnswers ? { never: true as const } : {}),
  };
  return {
    log,
    start,
    pages: server.pages ?? [tools],
    calls: callsOf(server, tools),
    ...(server.secondPage ? { lastPage: 'fails' as const } : {}),
    ...(server.declaresListChanged === false ? { declaresListChanged: false as const } : {}),
    ...(server.protocolVersion ? { protocolVersion: server.protocolVersion } : {}),
    ...(server.sessionExpiresAfter ? { sessionEndsAfterCall: true as const } : {}),
  };
}

/** A tool without a result of its own names its server, so that it shows who was asked. */
function callsOf(server: CaseServer, tools: readonly CaseTool[]): Record<string, Misdeed> {
  const result = (given: unknown) => (Array.isArray(given) ? { content: given } : given);
  const plain = tools.map(({ name }): [string, Misdeed] => {
    const text = `${server.name ?? 'server'}:${name}`;
    return [name, { result: result(server.results?.[name] ?? [{ type: 'text', text }]) }];
  });
  const slow = Object.entries(server.duringCall ?? {}).map(([name, how]): [string, Misdeed] => [
    name,
    { ...how, result: result(how.result) },
  ]);
  const { notifyTimes: times, withinMs = 0, finalTools = [] } = server;
  const changing =
    times === undefined ? undefined : { times, everyMs: withinMs / times, pages: [finalTools] };
  const [first] = tools;
  return {
    ...Object.fromEntries([...plain, ...slow]),
    ...(first && changing ? { [first.name]: { change: changing } } : {}),
  };
}
