/** Which of a server's tools are offered and may be called: `tools.allow` and `tools.deny` of its entry, over its own names. */
import { matchesPattern } from '../name-pattern.ts';
import type { ToolListing, ToolProblem } from './connection.ts';
import type { ServerSettings } from './servers.ts';

export interface ToolFilter {
  allows(tool: string): boolean;
  /** The listing without the tools that are denied, and with what is wrong with the patterns. */
  apply(listing: ToolListing): ToolListing;
}

export function toolFilter({ allow, deny = [] }: NonNullable<ServerSettings['tools']> = {}): ToolFilter {
  const matched = (patterns: readonly string[], tool: string) =>
    patterns.some(pattern => matchesPattern(pattern, tool));
  const allows = (tool: string) => !matched(deny, tool) && (allow === undefined || matched(allow, tool));
  return {
    allows,
    apply(listing) {
      const { tools, problems, incomplete } = listing;
      const all = [...new Set([...tools.map(({ name }) => name), ...problems.map(({ tool }) => tool)])];
      // What was not listed may well be there.
      const idle = (key: string, patterns: readonly string[]) =>
        (incomplete === undefined ? patterns : [])
          .filter(pattern => !all.some(name => matchesPattern(pattern, name)))
          .map(pattern => matchesNothing(key, pattern, all));
      return {
        ...listing,
        tools: tools.filter(({ name }) => allows(name)),
        problems: [
          // What is wrong with a tool that is not wanted is no news.
          ...problems.filter(({ tool }) => allows(tool)),
          ...idle('allow', allow ?? []),
          ...idle('deny', deny),
        ],
      };
    },
  };
}

const namesTold = 10;

function matchesNothing(key: string, pattern: string, all: readonly string[]): ToolProblem {
  const more = all.length > namesTold ? ` and ${all.length - namesTold} more` : '';
  const has = all.length === 0 ? 'none' : `${all.slice(0, namesTold).join(', ')}${more}`;
  return {
    tool: pattern,
    message: `"tools.${key}" names it, and the server has no tool of that name. It has: ${has}.`,
  };
}
