/** A page that a server asks the user to open: its address is shown, with its host to be seen at a glance, and never opened. */
import pc from 'picocolors';
import { exactText } from '../../exact-text.ts';
import type { ElicitationAnswer, ElicitationRequest } from '../../mcp/features.ts';
import type { Lines } from '../lines.ts';

type PageRequest = ElicitationRequest & { readonly mode: 'url' };

export async function showPage(
  { server, message, url }: PageRequest,
  lines: Lines,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  process.stderr.write(
    `${pc.cyan('?')} The server ${pc.bold(exactText(server))} asks you to open a page: ${exactText(message)}\n` +
      `    ${emphasised(new URL(url))}\n` +
      pc.dim(
        '  rawcall does not open it. Do so if you know this host; the server is not told what you do there.\n',
      ),
  );
  const line = await lines.next('  Done there? [y / n = decline] ', signal);
  if (line === undefined) return { action: 'cancel' };
  return /^\s*y(es)?\s*$/i.test(line) ? { action: 'accept' } : { action: 'decline' };
}

/** As the parser of addresses writes it: a host in letters that look like others stands there in its ASCII form. */
function emphasised({ protocol, username, password, host, pathname, search, hash }: URL): string {
  const user = username === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`;
  return (
    exactText(`${protocol}//${user}`) + pc.bold(pc.underline(host)) + exactText(pathname + search + hash)
  );
}
