/** `rawcall mcp resources` and `rawcall mcp read`. */
import { writeFile } from 'node:fs/promises';
import { RawcallError } from '../../../parsers/error.ts';
import { jsonLine } from '../../json.ts';
import type { Resource, ResourceContent, ResourceTemplate, ServerFeatures } from '../../mcp/features.ts';
import { exitCodes, usageError } from '../exit.ts';
import { forOut, visible, writeOut } from '../output.ts';
import type { Context } from '../program.ts';
import { textTable } from '../text-table.ts';
import { fromServers, openServer } from './open.ts';

type Listed = (Resource | ResourceTemplate) & { readonly server: string };

export async function listResources(name: string | undefined, context: Context): Promise<number> {
  const listed = await fromServers(context, name, resourcesOf);
  if (context.values.json) for (const one of listed) await writeOut(`${jsonLine(one)}\n`);
  else await writeOut(listed.length === 0 ? 'No resources.\n' : resourceTable(listed));
  return exitCodes.answered;
}

/** Resources first, then templates. */
export async function resourcesOf(features: ServerFeatures, server: string): Promise<Listed[]> {
  const { resources, templates } = await features.resources();
  return [...resources, ...templates].map(one => ({ server, ...one }));
}

export function resourceTable(listed: readonly Listed[]): string {
  const rows = listed.map(one => [
    visible(one.server),
    visible('uri' in one ? one.uri : one.uriTemplate),
    visible(one.mimeType ?? ''),
    visible((one.title ?? one.name).split('\n')[0] ?? ''),
  ]);
  return textTable(['server', 'resource or template', 'type', 'name'], rows);
}

export async function readResource(
  server: string,
  uri: string,
  context: Context<{ output?: string }>,
): Promise<number> {
  const { json, output } = context.values;
  const { features } = await openServer(context, server);
  const contents = await features.readResource(uri);
  if (json) {
    for (const part of contents) await writeOut(`${jsonLine(part)}\n`);
    return exitCodes.answered;
  }
  const bytes = bytesOf(contents, uri);
  if (output !== undefined) await save(output, bytes);
  else if (contents.some(isBlob) && process.stdout.isTTY)
    throw usageError(
      `${uri} is ${bytes.length} bytes of ${typesOf(contents)}. Give --output FILE, or pipe it.`,
    );
  else if (process.stdout.isTTY) await writeOut(`${forOut(bytes.toString('utf8')).trimEnd()}\n`);
  else await writeOut(bytes);
  return exitCodes.answered;
}

const isBlob = (part: ResourceContent) => part.blob !== undefined;

/** One part is given to the byte; of several, texts are joined by lines, and bytes would be of no use joined. */
function bytesOf(contents: readonly ResourceContent[], uri: string): Buffer {
  const [only, ...more] = contents;
  if (only?.blob !== undefined && more.length === 0) return Buffer.from(only.blob, 'base64');
  if (contents.some(isBlob))
    throw usageError(`${uri} has ${contents.length} parts, with bytes among them: --json gives them all.`);
  return Buffer.from(contents.map(({ text = '' }) => text).join('\n'));
}

function typesOf(contents: readonly ResourceContent[]): string {
  return contents.map(({ mimeType }) => mimeType ?? 'an unknown type').join(', ');
}

async function save(file: string, bytes: Buffer): Promise<void> {
  await writeFile(file, bytes).catch((cause: Error) => {
    throw new RawcallError('bad_file', `${file}: it cannot be written: ${cause.message}`, { file }, cause);
  });
}
