/** `rawcall mcp call`: one call of a tool, without a model. Whoever types it has approved it. */

import { jsonLine } from '../../json.ts';
import { exitCodes } from '../exit.ts';
import { forOut, writeOut } from '../output.ts';
import type { Context } from '../program.ts';
import { notice } from '../show.ts';
import { notOffered, openServer } from './open.ts';
import { toolArguments } from './values.ts';

export async function callTool(
  server: string,
  tool: string,
  words: readonly string[],
  context: Context,
): Promise<number> {
  const { host, status } = await openServer(context, server);
  const known = status.tools.map(({ name }) => name);
  const definition =
    status.tools.find(({ name }) => name === tool) ?? notOffered(server, 'tool', tool, known);
  const { args, argumentsText } = toolArguments(definition, words);
  const offered = host.tools.find(({ name }) => host.origin(name)?.tool === tool)!;

  const controller = new AbortController();
  using _ = context.lifetime.interruptible(() => controller.abort());
  const result = await host
    .call(offered.name, args, { argumentsText, signal: controller.signal })
    .catch((error: unknown) => {
      if (controller.signal.aborted) return undefined;
      throw error;
    });
  if (!result) return exitCodes.interrupted;
  if (context.values.json) await writeOut(`${jsonLine(result)}\n`);
  else {
    await writeOut(`${forOut(result.content)}\n`);
    for (const warning of result.warnings ?? []) notice(warning);
  }
  return result.isError ? exitCodes.error : exitCodes.answered;
}
