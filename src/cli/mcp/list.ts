/** `rawcall mcp list`: each server of the config and of the flags with its state. */
import { exitCodes } from '../exit.ts';
import { jsonLine } from '../json.ts';
import { openTools, readServers } from '../open-tools.ts';
import { visible, writeOut } from '../output.ts';
import type { Context } from '../program.ts';
import { textTable } from '../text-table.ts';

export async function listServers(context: Context): Promise<number> {
  const host = await openTools(await readServers(context), context.lifetime, () => {});
  const listed = host.servers.map(({ name, state, tools, reason = '' }) => ({
    name,
    state,
    tools: tools.length,
    reason,
  }));
  if (context.values.json) for (const server of listed) await writeOut(`${jsonLine(server)}\n`);
  else if (listed.length === 0) await writeOut('No servers.\n');
  else
    await writeOut(
      textTable(
        ['server', 'state', 'tools', 'reason'],
        listed.map(({ name, state, tools, reason }) => [
          visible(name),
          state,
          String(tools),
          visible(reason).split('\n')[0] ?? '',
        ]),
      ),
    );
  return exitCodes.answered;
}
