/** `rawcall play`: the playground on a port of this machine, and its page in the browser. */
import open from 'open';
import { parseApproval } from '../../agent/approval.ts';
import { openCallers } from '../../playground/callers.ts';
import { listen } from '../../server/listen.ts';
import { openRoots } from '../duties/roots.ts';
import { usageError } from '../exit.ts';
import { toolsFolder } from '../folders.ts';
import { knownTools } from '../known-tools.ts';
import { openTools, readServers } from '../open-tools.ts';
import type { Context } from '../program.ts';
import { createReport } from '../report.ts';
import { notice } from '../show.ts';
import { openChanges } from './desk.ts';
import { openModels } from './models.ts';
import { isLoopback, newToken, openPlayground, pageAddress } from './playground.ts';

export interface PlayOptions {
  readonly port: number;
  readonly host: string;
  readonly open: boolean;
  readonly apiKey?: string;
  readonly allowHost?: readonly string[];
}

export async function play(context: Context<PlayOptions>): Promise<number> {
  const { values, lifetime } = context;
  const { host: address, port, allowHost = [] } = values;
  const key = values.apiKey ?? process.env.RAWCALL_API_KEY;
  if (!isLoopback(address) && !key)
    throw usageError(
      `Whoever reaches ${address} could use the model and its tools. Give --api-key (or RAWCALL_API_KEY), or leave --host out.`,
    );
  const token = key ?? newToken();
  const rules = parseApproval(values.approve ?? []);
  const servers = await readServers(context);
  const roots = openRoots(values.root);
  const callers = openCallers();
  const changes = openChanges();
  const models = openModels(values, lifetime, changes.tell);
  const app = await openPlayground({
    ...{ values, lifetime, servers, models, callers, changes, rules, address, allowHost, token },
    host: () =>
      openTools(servers, lifetime, createReport({}), {
        onChange: changes.tell,
        duties: { roots: () => roots.list, ...callers.duties },
        ...(values.cache === false ? {} : { knownTools: knownTools(toolsFolder(), Promise.resolve()) }),
      }),
  });
  const listening = await listen(app, { host: address, port });
  lifetime.closeAtEnd(() => listening.close());
  const page = pageAddress(
    `http://${address.includes(':') ? `[${address}]` : address}:${listening.port}`,
    token,
  );
  process.stdout.write(`${page}\n`);
  if (values.open)
    await open(page).catch((error: Error) => notice(`No browser was opened: ${error.message}`));
  // While the page is looked at. A failure is in the state, and the next question tries again.
  models.begin().catch((error: Error) => notice(error.message));
  // Until an interrupt, which leaves through the lifetime.
  return new Promise(() => {});
}
