/** `/server:prompt NAME=VALUE…` in a chat: the prompt's messages, with the values that it needs. */
import type { PromptMessage } from '../../mcp/features.ts';
import type { Host } from '../../mcp/host.ts';
import { splitWords } from '../../mcp/words.ts';
import type { Lines } from '../lines.ts';
import { askValues } from './ask-values.ts';
import { serverAt } from './mentions.ts';
import { featuresOf } from './open.ts';
import { findPrompt, missingArguments, promptValues } from './prompts.ts';

export const isPromptLine = (line: string, host: Host) => serverOf(line, host) !== undefined;

const serverOf = (line: string, host: Host) =>
  serverAt(
    line,
    1,
    host.servers.map(({ name }) => name),
  );

/**
 * On a terminal each argument that is not on the line is asked for; elsewhere one that the prompt needs must be there.
 *
 * @throws RawcallError `not_offered`, `usage`, `mcp_request_failed`, `mcp_server_failed`
 */
export async function promptMessages(
  line: string,
  { host, lines, signal }: { readonly host: Host; readonly lines: Lines; readonly signal: AbortSignal },
): Promise<readonly PromptMessage[] | undefined> {
  const server = serverOf(line, host) ?? '';
  const features = featuresOf(host, server);
  const [name = '', ...words] = splitWords(line.slice(server.length + 2));
  const prompt = await findPrompt(features, server, name);
  const given = promptValues(prompt, words);
  const missing = prompt.arguments.filter(one => one.required && given[one.name] === undefined);
  if (missing.length > 0 && !lines.terminal) throw missingArguments(prompt, missing);
  const values = lines.terminal
    ? await askValues(prompt.arguments, given, { lines, features, target: { prompt: name }, signal })
    : given;
  return values && (await features.prompt(name, values, signal));
}
