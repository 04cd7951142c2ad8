/**
 * Names that every format can write and a grammar can spell: letters, digits and `_`, not starting with a digit, 64 characters
 * at most. A tool keeps its own name where it can, so that what the model reads is what the server's documentation says.
 */
import { createHash } from 'node:crypto';

export interface OwnName {
  readonly server: string;
  readonly tool: string;
}

const maxLength = 64;

/**
 * One name for each tool, in the order given, all different. The result depends on the names alone:
 * 1. the tool's own name, made safe;
 * 2. where two servers have it, `server__tool`;
 * 3. where that is still not enough, the same with a hash of the two names.
 */
export function modelNames(tools: readonly OwnName[]): string[] {
  const plain = tools.map(({ tool }) => safeName(tool));
  const servers = new Map<string, Set<string>>();
  tools.forEach(({ server }, at) => {
    const sharing = servers.get(plain[at]!) ?? new Set();
    servers.set(plain[at]!, sharing.add(server));
  });
  const wanted = tools.map(({ server, tool }, at) =>
    servers.get(plain[at]!)!.size > 1 ? safeName(`${server}__${tool}`) : plain[at]!,
  );
  // A name that is already safe has the older right to itself; then it is first come, first served.
  const taken = new Set<string>();
  const names: string[] = new Array(tools.length);
  const unchanged = (at: number) => wanted[at] === tools[at]!.tool;
  const order = [...tools.keys()].sort((left, right) => Number(unchanged(right)) - Number(unchanged(left)));
  for (const at of order) {
    const { server, tool } = tools[at]!;
    let name = wanted[at]!;
    for (let attempt = 0; taken.has(name); attempt++)
      name = withHash(wanted[at]!, JSON.stringify([server, tool, ...(attempt > 0 ? [attempt] : [])]));
    taken.add(name);
    names[at] = name;
  }
  return names;
}

export function safeName(name: string): string {
  // Compatibility forms and accents are taken apart first, so that "größe" becomes "grosse" or so, and not "gr_e".
  const letters = name.replace(/ß/g, 'ss').normalize('NFKD').replace(/\p{M}/gu, '');
  const replaced = letters.replace(/[^A-Za-z0-9_]+/g, '_');
  const started = /^[A-Za-z_]/.test(replaced) ? replaced : `_${replaced}`;
  // Nothing was left of a name in another script: the hash tells such names apart, and stays the same.
  if (/^_*$/.test(started) && started !== name) return withHash('tool', name);
  return started.length > maxLength ? withHash(started, name) : started;
}

function withHash(name: string, identity: string): string {
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 8);
  return `${name.slice(0, maxLength - hash.length - 1)}_${hash}`;
}
