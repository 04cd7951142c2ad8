/**
 * Names that every format can write and a grammar can spell: letters, digits and `_`, not starting with a digit, 64 characters
 * at most. A tool keeps its own name where it can, so that what the model reads is what the server's documentation says.
 */
import { createHash } from 'node:crypto';

export interface OwnName {
  readonly server: string;
  readonly tool: string;
}

/** The names of one run. A name that was given stays that tool's, whatever comes or goes. */
export interface Names {
  /** One name for each tool, in the order given, all different. */
  give(tools: readonly OwnName[]): string[];
  /** Whose a name is, also when that tool has gone. */
  owner(name: string): OwnName | undefined;
}

const maxLength = 64;

/**
 * A tool that has no name yet gets the first of these that no other has:
 * 1. its own name, made safe;
 * 2. `server__tool`, if another server's tool has that one;
 * 3. the same with a hash of the two names.
 *
 * Of tools that come together, those go first whose own name is safe as it is, and then the servers' order counts. So the names
 * depend on what is configured, not on which server is ready first or how it sorts its tools, and a server that is added behind
 * the others renames nothing.
 */
export function openNames(): Names {
  const byTool = new Map<string, string>();
  const owners = new Map<string, OwnName>();

  function choose({ server, tool }: OwnName): string {
    const plain = safeName(tool);
    const holder = owners.get(plain);
    if (!holder) return plain;
    const wanted = holder.server === server ? plain : safeName(`${server}__${tool}`);
    let name = wanted;
    for (let attempt = 0; owners.has(name); attempt++)
      name = withHash(wanted, JSON.stringify([server, tool, ...(attempt > 0 ? [attempt] : [])]));
    return name;
  }

  const isFree = (own: OwnName) => !byTool.has(keyOf(own)) && !owners.has(own.tool);

  function set(own: OwnName, name: string): void {
    byTool.set(keyOf(own), name);
    owners.set(name, { server: own.server, tool: own.tool });
  }

  return {
    give(tools) {
      for (const own of tools) if (isFree(own) && safeName(own.tool) === own.tool) set(own, own.tool);
      for (const own of tools) if (!byTool.has(keyOf(own))) set(own, choose(own));
      return tools.map(tool => byTool.get(keyOf(tool))!);
    },
    owner: name => owners.get(name),
  };
}

const keyOf = ({ server, tool }: OwnName) => JSON.stringify([server, tool]);

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
