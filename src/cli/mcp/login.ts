/** `rawcall mcp login` and `rawcall mcp logout`. */
import { RawcallError } from '../../../parsers/error.ts';
import { exactText } from '../../exact-text.ts';
import { jsonLine } from '../../json.ts';
import type { Authorize } from '../../mcp/oauth/by-person.ts';
import type { HttpServer } from '../../mcp/servers.ts';
import { exitCodes, usageError } from '../exit.ts';
import { type Lines, stdinLines } from '../lines.ts';
import { writeOut } from '../output.ts';
import type { Context } from '../program.ts';
import { notice } from '../show.ts';
import { configuredServers, named } from './open.ts';

interface LoginOptions {
  readonly open?: true;
  readonly scope?: string;
}

export async function logInTo(name: string, context: Context<LoginOptions>): Promise<number> {
  const { values, lifetime } = context;
  const server = await reachedByUrl(name, context);
  const [{ logIn }, { systemLogins }] = await Promise.all([
    import('../../mcp/oauth/log-in.ts'),
    import('../../mcp/oauth/system-logins.ts'),
  ]);
  const logins = systemLogins();
  const stop = new AbortController();
  using _ = lifetime.interruptible(() => stop.abort());
  const lines = stdinLines(lifetime);
  try {
    await logIn(server, {
      logins,
      signal: stop.signal,
      authorize: showAddress(lines, values),
      ...(values.scope === undefined ? {} : { scope: values.scope }),
    });
  } catch (error) {
    if (stop.signal.aborted) return exitCodes.interrupted;
    throw error;
  } finally {
    lines.close();
  }
  const kept = server.auth?.grant === 'client_credentials' ? undefined : await logins.place(server);
  const where = kept === undefined ? 'Nothing is kept: rawcall logs in by itself.' : `Kept in ${kept}.`;
  if (values.json) await writeOut(`${jsonLine({ type: 'login-end', server: name, kept })}\n`);
  else await writeOut(`Logged in to ${exactText(name)}. ${where}\n`);
  return exitCodes.answered;
}

/** The address stands alone on stdout, for a program that opens it. */
function showAddress(lines: Lines, { open, json }: Context<LoginOptions>['values']): Authorize {
  return async ({ server, address, signal }) => {
    if (json) await writeOut(`${jsonLine({ type: 'login-start', server, address })}\n`);
    else {
      process.stderr.write(`Log in to ${exactText(server)} in a browser on this machine:\n`);
      await writeOut(`${address}\n`);
      process.stderr.write('Waiting for the browser to come back; Ctrl-C gives up.\n');
    }
    const wanted = open || (lines.terminal && (await yes(lines, signal)));
    if (wanted && !signal.aborted) await openBrowser(address);
  };
}

async function yes(lines: Lines, signal: AbortSignal): Promise<boolean> {
  const answer = await lines.next('Open it now? [y/N] ', signal);
  return /^\s*y(es)?\s*$/i.test(answer ?? '');
}

/** The address was shown, so that a machine without a browser is no end of it. */
async function openBrowser(address: string): Promise<void> {
  const failed = () => notice('No browser could be opened. Open the address by hand.');
  const { default: open } = await import('open');
  try {
    const opener = await open(address);
    opener.on('error', failed);
  } catch {
    failed();
  }
}

export async function logOutOf(name: string, context: Context): Promise<number> {
  const server = await reachedByUrl(name, context);
  const [{ logOut }, { systemLogins }] = await Promise.all([
    import('../../mcp/oauth/log-out.ts'),
    import('../../mcp/oauth/system-logins.ts'),
  ]);
  const { removed, notRevoked } = await logOut(server, systemLogins());
  if (notRevoked !== undefined) notice(`The tokens were deleted here, but not revoked: ${notRevoked}`);
  if (context.values.json)
    await writeOut(`${jsonLine({ type: 'logout-end', server: name, removed, notRevoked })}\n`);
  else await writeOut(`${removed ? 'Logged out of' : 'There was no login to'} ${exactText(name)}.\n`);
  return exitCodes.answered;
}

/** @throws RawcallError `unknown_mcp_server`, `usage`, `mcp_server_failed` */
async function reachedByUrl(name: string, context: Context): Promise<HttpServer> {
  const server = named(await configuredServers(context), name);
  if ('unusable' in server)
    throw new RawcallError('mcp_server_failed', `MCP server ${name}: ${server.reason}`, { server: name });
  if ('url' in server) return server;
  throw usageError(`The server "${name}" is started by a command; servers with a "url" have logins.`);
}
