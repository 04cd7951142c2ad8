/** The tools of MCP servers that `rawcall serve` offers its model beside those of clients, and how it runs them where it is told to. */
import type { RenderOptions } from '../../templates/template.ts';
import { type ApprovalRules, approval, approvalMode, parseApproval } from '../agent/approval.ts';
import { autoPolicy } from '../agent/auto-policy.ts';
import type { Host, HostOptions } from '../mcp/host.ts';
import type { McpServer } from '../mcp/servers.ts';
import { rawModel } from '../model/raw.ts';
import type { ServerTools } from '../server/server-tools.ts';
import { openRoots } from './duties/roots.ts';
import { usageError } from './exit.ts';
import { toolOffers } from './offered-tools.ts';
import type { OpenModel } from './open-model.ts';
import { openTools, readServers } from './open-tools.ts';
import type { Context } from './program.ts';
import { createReport } from './report.ts';
import type { Values } from './settings.ts';
import { notice } from './show.ts';
import { withShownSchemas } from './shown-schemas.ts';

export interface ServeTools {
  readonly servers: readonly McpServer[];
  readonly rules: Pick<ApprovalRules, 'mode' | 'patterns'>;
  /** Starts the servers, and waits until they are there. */
  open(more?: Pick<HostOptions, 'duties' | 'onChange'>): Promise<Host>;
  of(host: Host, model: OpenModel, render: RenderOptions): ServerTools;
}

/** @throws RawcallError for what is wrong in a file or a flag, before anything is started */
export async function readServeTools(context: Context<{ readonly runTools?: boolean }>): Promise<ServeTools> {
  const { values, lifetime } = context;
  const rules = parseApproval(values.approve ?? []);
  const servers = await readServers(context);
  const roots = openRoots(values.root);
  if (values.runTools && servers.length === 0)
    throw usageError('--run-tools runs the tools of MCP servers: give --mcp-config or --mcp-command too.');
  return {
    servers,
    rules,
    // Clients cannot be asked for anything.
    open: ({ duties, ...more } = {}) =>
      openTools(servers, lifetime, createReport({}), {
        ...more,
        duties: { roots: () => roots.list, ...duties },
      }),
    of(host, { engine, format }, render) {
      const { parameters } = engine.info;
      const policy = policyOf(values, parameters);
      const model = rawModel(engine, withShownSchemas(format, values, host.origin));
      const { maxRounds, maxSeconds } = values;
      const approved = { ...rules, origin: host.origin };
      if (values.runTools) tellOfRefused(host, approved);
      return {
        get all() {
          return host.tools;
        },
        offer: toolOffers(values, { host, model, contextSize: engine.contextSize, policy, render }),
        origin: name => {
          const owner = host.origin(name);
          return owner && { server: owner.server, tool: owner.tool };
        },
        ...(values.runTools
          ? {
              runs: {
                approve: approval(approved),
                policy,
                ...(maxRounds === undefined ? {} : { maxRounds }),
                ...(maxSeconds === undefined ? {} : { maxSeconds }),
              },
            }
          : {}),
      };
    },
  };
}

/** There is nobody to ask. */
function tellOfRefused({ tools }: Host, rules: ApprovalRules): void {
  const asking = tools.filter(tool => approvalMode(rules, tool.name, tool) === 'ask');
  if (asking.length > 0)
    notice(
      `Nobody is there to ask, so calls that ask for approval are refused: ${asking.map(({ name }) => name).join(', ')} (see --approve).`,
    );
}

function policyOf({ answerTurn, rounds, decisionHistory }: Values, parameters: number) {
  return {
    ...autoPolicy({ parameters }, { ...(answerTurn ? { answerTurn } : {}), ...(rounds ? { rounds } : {}) }),
    ...(decisionHistory ? { decisionHistory } : {}),
  };
}
