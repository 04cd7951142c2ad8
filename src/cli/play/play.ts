/** `rawcall play`: the playground on a port of this machine, and its page in the browser. */
import { randomBytes } from 'node:crypto';
import open from 'open';
import { parseApproval } from '../../agent/approval.ts';
import { createPlayground } from '../../playground/app.ts';
import { openCallers } from '../../playground/callers.ts';
import { memoryStore } from '../../playground/dialogue-store.ts';
import { openDialogues } from '../../playground/dialogues.ts';
import { listen } from '../../server/listen.ts';
import { openRoots } from '../duties/roots.ts';
import { usageError } from '../exit.ts';
import { evalsFolder, runsFolder, toolsFolder } from '../folders.ts';
import { knownTools } from '../known-tools.ts';
import { openTools, readServers } from '../open-tools.ts';
import { playgroundPages } from '../package.ts';
import type { Context } from '../program.ts';
import { agentMaker } from '../recording.ts';
import { createReport } from '../report.ts';
import { notice } from '../show.ts';
import { modelChoices, openChanges, openDesk } from './desk.ts';
import { valuesWith } from './knobs.ts';
import { openModels } from './models.ts';

export interface PlayOptions {
  readonly port: number;
  readonly host: string;
  readonly open: boolean;
  readonly apiKey?: string;
}

const loopback = new Set(['localhost', '127.0.0.1', '::1']);

export async function play(context: Context<PlayOptions>): Promise<number> {
  const { values, lifetime } = context;
  const { host: address, port } = values;
  const key = values.apiKey ?? process.env.RAWCALL_API_KEY;
  if (!loopback.has(address) && !key)
    throw usageError(
      `Whoever reaches ${address} could try to get in. Give --api-key (or RAWCALL_API_KEY), which is asked of the page, or leave --host out.`,
    );
  const token = key ?? randomBytes(24).toString('base64url');
  const rules = parseApproval(values.approve ?? []);
  const servers = await readServers(context);
  const makeAgent = agentMaker(values, servers, lifetime);
  const roots = openRoots(values.root);

  const callers = openCallers();
  const changes = openChanges();
  const models = openModels(values, lifetime, changes.tell);
  const host = await openTools(servers, lifetime, createReport({}), {
    onChange: changes.tell,
    duties: { roots: () => roots.list, ...callers.duties },
    ...(values.cache === false ? {} : { knownTools: knownTools(toolsFolder(), Promise.resolve()) }),
  });
  const choices = await modelChoices(values);
  const ruled = { ...rules, origin: host.origin };
  const desk = openDesk({ values, models, host, rules: ruled, makeAgent, choices, changes });
  const dialogues = openDialogues({ store: memoryStore, desk, callers, rules, now: Date.now });
  lifetime.closeAtEnd(() => dialogues.close());

  const app = createPlayground({
    desk,
    dialogues,
    runs: {
      ...(values.record === false ? {} : { runs: values.record ?? runsFolder() }),
      evals: evalsFolder(),
    },
    pages: playgroundPages,
    access: { hosts: [address] },
    token,
    onError: error => notice(`A request failed: ${error instanceof Error ? error.message : String(error)}`),
  });
  const listening = await listen(app, { host: address, port });
  lifetime.closeAtEnd(() => listening.close());
  const name = address.includes(':') ? `[${address}]` : address;
  const page = `http://${name}:${listening.port}/play/#token=${encodeURIComponent(token)}`;
  process.stdout.write(`${page}\n`);
  if (values.open)
    await open(page).catch((error: Error) => notice(`No browser was opened: ${error.message}`));

  // While the page is looked at; a failure is in the state, and the next question tries again.
  const never = new AbortController().signal;
  models.take(valuesWith(values, {}), never).then(
    held => held[Symbol.dispose](),
    (error: Error) => notice(error.message),
  );
  void host.settled();
  // Until an interrupt, which leaves through the lifetime.
  return new Promise(() => {});
}
