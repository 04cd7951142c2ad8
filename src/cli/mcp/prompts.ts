/** `rawcall mcp prompts` and `rawcall mcp prompt`. */

import { jsonLine } from '../../json.ts';
import type { PromptArgument, ServerFeatures, ServerPrompt } from '../../mcp/features.ts';
import { exitCodes, usageError } from '../exit.ts';
import { forOut, visible, writeOut } from '../output.ts';
import type { Context } from '../program.ts';
import { textTable } from '../text-table.ts';
import { fromServers, notOffered, openServer } from './open.ts';
import { givenValues } from './values.ts';

type Listed = ServerPrompt & { readonly server: string };

export async function listPrompts(name: string | undefined, context: Context): Promise<number> {
  const listed = await fromServers(context, name, promptsOf);
  if (context.values.json) for (const one of listed) await writeOut(`${jsonLine(one)}\n`);
  else await writeOut(listed.length === 0 ? 'No prompts.\n' : promptTable(listed));
  return exitCodes.answered;
}

export async function promptsOf(features: ServerFeatures, server: string): Promise<Listed[]> {
  return (await features.prompts()).map(prompt => ({ server, ...prompt }));
}

export function promptTable(listed: readonly Listed[]): string {
  const rows = listed.map(({ server, name, arguments: args, description = '' }) => [
    visible(server),
    visible(name),
    visible(args.map(argumentWord).join(' ')),
    visible(description.split('\n')[0] ?? ''),
  ]);
  return textTable(['server', 'prompt', 'arguments', 'description'], rows);
}

const argumentWord = ({ name, required }: PromptArgument) => (required ? name : `[${name}]`);

export async function getPrompt(
  server: string,
  name: string,
  words: readonly string[],
  context: Context,
): Promise<number> {
  const { features } = await openServer(context, server);
  const prompt = await findPrompt(features, server, name);
  const values = promptValues(prompt, words);
  const missing = prompt.arguments.filter(one => one.required && values[one.name] === undefined);
  if (missing.length > 0) throw missingArguments(prompt, missing);
  const messages = await features.prompt(name, values);
  // As `rawcall render -` reads it.
  if (context.values.json) await writeOut(`${jsonLine({ messages })}\n`);
  else for (const { role, content } of messages) await writeOut(`${role}: ${forOut(content)}\n`);
  return exitCodes.answered;
}

/** @throws RawcallError `not_offered` */
export async function findPrompt(
  features: ServerFeatures,
  server: string,
  name: string,
): Promise<ServerPrompt> {
  const prompts = await features.prompts();
  const known = prompts.map(prompt => prompt.name);
  return prompts.find(prompt => prompt.name === name) ?? notOffered(server, 'prompt', name, known);
}

/** @throws RawcallError `usage` for words that are no arguments of it */
export function promptValues(prompt: ServerPrompt, words: readonly string[]): Record<string, string> {
  const values = givenValues(words);
  const known = prompt.arguments.map(({ name }) => name);
  const unknown = Object.keys(values).find(name => !known.includes(name));
  if (unknown === undefined) return values;
  const has = known.length === 0 ? 'takes no arguments' : `takes ${known.join(', ')}`;
  throw usageError(`The prompt "${prompt.name}" has no argument "${unknown}"; it ${has}.`);
}

export function missingArguments({ name }: ServerPrompt, missing: readonly PromptArgument[]): Error {
  const words = missing.map(one => `${one.name}=…`).join(' ');
  return usageError(`The prompt "${name}" needs ${words}`);
}
