/** The MCP servers: how each fares, what its tools cost, what is odd about them, and who has to be asked before they run. */
import type { ToolDefinition } from '../../../parsers/parser.ts';
import { type SchemaChange, simplifySchema } from '../../../templates/simplify.ts';
import { type ApprovalMode, type ApprovalRules, approvalMode, parseApproval } from '../../agent/approval.ts';
import type { Host } from '../../mcp/host.ts';
import type { ServerStatus } from '../../mcp/managed-server.ts';
import type { McpServer } from '../../mcp/servers.ts';
import type { Values } from '../settings.ts';
import type { Bill } from '../tools.ts';
import { counted, type Line, type Section } from './section.ts';

export interface Patient {
  readonly server: McpServer;
  readonly status: ServerStatus;
  readonly host: Host;
  /** Absent where there is no model to count with. */
  readonly bill?: Bill;
  readonly values: Values;
}

export function serverSection({ server, status, host, bill, values }: Patient): Section {
  const { name, state, reason, info, problems, warnings } = status;
  const offered = host.tools.filter(tool => host.origin(tool.name)?.server === name);
  const tokens = bill && offered.reduce((sum, tool) => sum + bill.of(tool, host.tools), 0);
  const trusted = !('unusable' in server) && offered.some(tool => host.origin(tool.name)?.settings.trust);
  const schemas = offered.flatMap(oddSchema);
  const rules = { ...parseApproval(values.approve ?? []), origin: host.origin };
  const modes = approvals(offered, rules);
  const hints = hintsOf(offered);
  const shownAs = offered.map(tool => host.origin(tool.name)?.settings.toolSchemas)[0] ?? values.toolSchemas;
  const isShown = shownAs === 'simplified';
  const lines: Line[] = [
    stateLine(server, status),
    ...(info
      ? [
          { what: 'version', text: `${info.name} ${info.version}, protocol ${info.protocolVersion}` },
          { what: 'offers', text: info.capabilities.join(', ') || 'nothing' },
        ]
      : []),
    ...(state === 'ready'
      ? [
          {
            what: 'tools',
            text: `${offered.length}${tokens === undefined ? '' : `, ${counted(tokens, 'token')} in a prompt`}`,
          },
          ...(offered.length > 0
            ? [
                {
                  what: 'hints',
                  text: `${hintText(hints)}; ${trusted ? 'trusted' : 'not trusted, so none spares a question'}`,
                },
                { what: 'approval', text: `${modes.auto} run, ${modes.ask} ask, ${modes.never} never run` },
              ]
            : []),
        ]
      : []),
    ...warnings.map(({ message }): Line => ({ what: 'warning', state: 'note', text: message })),
    ...problems.map(
      ({ tool, message }): Line => ({ what: 'tool', state: 'note', text: `${tool}: ${message}` }),
    ),
    ...schemas.map(
      ({ tool, changes }): Line => ({
        what: 'schema',
        text: `${tool} ${isShown ? 'is' : 'can be'} simplified: ${changes.map(changeText).join('; ')}`,
      }),
    ),
  ];
  return {
    title: `server ${name}`,
    lines,
    data: {
      name,
      state,
      ...(reason === undefined ? {} : { reason }),
      ...(info ? { info } : {}),
      trusted,
      tools: offered.map(tool => ({
        name: tool.name,
        ownName: host.origin(tool.name)?.tool,
        ...(bill ? { tokens: bill.of(tool, host.tools) } : {}),
        approval: approvalMode(rules, tool.name, tool),
        annotations: tool.annotations ?? {},
        simplified: simplifySchema(tool.inputSchema).changes,
      })),
      ...(tokens === undefined ? {} : { tokens }),
      warnings,
      problems,
    },
  };
}

function stateLine(server: McpServer, { state, reason }: ServerStatus): Line {
  const text = `${state}${reason === undefined ? '' : `: ${reason}`}`;
  if (state === 'ready') return { what: 'state', text };
  if ('unusable' in server && server.unusable === 'disabled') return { what: 'state', text, state: 'note' };
  return {
    what: 'state',
    text,
    state: 'wrong',
    remedy: 'Until then a run goes on without it; "disabled": true in its entry leaves it out.',
  };
}

function oddSchema(tool: ToolDefinition) {
  const { changes } = simplifySchema(tool.inputSchema);
  return changes.length === 0 ? [] : [{ tool: tool.name, changes }];
}

/** `near.latitude: its type, number, is said`. */
function changeText({ path, change }: SchemaChange): string {
  const place = path.replaceAll('/properties/', '.').replaceAll('/items', '[]').replace(/^\./, '');
  return `${place || 'the arguments'}: ${change}`;
}

function approvals(tools: readonly ToolDefinition[], rules: ApprovalRules): Record<ApprovalMode, number> {
  const count = { auto: 0, ask: 0, never: 0 };
  for (const tool of tools) count[approvalMode(rules, tool.name, tool)]++;
  return count;
}

function hintsOf(tools: readonly ToolDefinition[]) {
  const having = (hint: 'readOnlyHint' | 'destructiveHint') =>
    tools.filter(({ annotations }) => annotations?.[hint] === true).length;
  const silent = tools.filter(
    ({ annotations }) => !annotations?.readOnlyHint && !annotations?.destructiveHint,
  );
  return { readOnly: having('readOnlyHint'), destructive: having('destructiveHint'), silent: silent.length };
}

function hintText({ readOnly, destructive, silent }: ReturnType<typeof hintsOf>): string {
  return `${readOnly} read-only, ${destructive} destructive, ${silent} without either`;
}
