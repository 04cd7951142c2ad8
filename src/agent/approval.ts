/**
 * Who may run. The first line that says something decides:
 *
 * | asked of                                    | `auto`                         | `ask`                     | `never` |
 * | ------------------------------------------- | ------------------------------ | ------------------------- | ------- |
 * | the user's pattern that matches last        | runs                           | asks                      | refuses |
 * | `approval` of the server's entry            | runs; *destructive* tools: ask | asks                      | refuses |
 * | the general mode (default `ask`)            | runs                           | asks; *read-only*: runs   | refuses |
 *
 * *destructive*: `destructiveHint` is true and the server is not trusted. *read-only*: `readOnlyHint` is true, `destructiveHint`
 * is not, and the server is trusted. So a hint of a server that is not trusted can only make that a question is asked.
 * What the user answered "always" to is not asked again, as long as the tool is the one that was shown.
 */
import { RawcallError } from '../../parsers/error.ts';
import type { ToolCall, ToolDefinition } from '../../parsers/parser.ts';
import { matchesPattern } from '../name-pattern.ts';

export const approvalModes = ['ask', 'auto', 'never'] as const;
export type ApprovalMode = (typeof approvalModes)[number];

/** Whose tool a call is for; `Host.origin` tells it of the tools of MCP servers. */
export interface ToolOwner {
  readonly server: string;
  /** The server's own name for the tool. */
  readonly tool: string;
  readonly settings: { readonly approval?: ApprovalMode; readonly trust?: boolean };
}

export interface ApprovalAnswer {
  readonly allowed: boolean;
  /** Told to the model with a refusal. */
  readonly reason?: string;
  /** The user's yes holds for later calls of this tool too. */
  readonly always?: true;
  /** Nobody could be asked. */
  readonly unasked?: true;
}

export type Approve = (call: ToolCall, tool: ToolDefinition | undefined) => Promise<ApprovalAnswer>;

export interface ApprovalRules {
  /** Default `ask`. */
  readonly mode?: ApprovalMode;
  /**
   * `*` stands for any characters. `NAME` is the name that the model sees, `SERVER/TOOL` the server's name and its own name
   * for the tool.
   */
  readonly patterns?: readonly { readonly pattern: string; readonly mode: ApprovalMode }[];
  /** Absent: no tool is a server's, so that patterns over names and the mode decide, and no hint is trusted. */
  readonly origin?: (name: string) => ToolOwner | undefined;
}

export interface ApprovalOptions extends ApprovalRules {
  /** Asks the user. Absent: what would be asked is refused. */
  readonly ask?: Approve;
}

export function approval({ ask, ...rules }: ApprovalOptions): Approve {
  /** By name, the tool as it was when the user said "always": one that has changed since is another tool. */
  const always = new Map<string, string>();
  return async (call, tool) => {
    const decided = approvalMode(rules, call.name, tool);
    if (decided === 'auto') return { allowed: true };
    if (decided === 'never') return { allowed: false, reason: 'this tool is not allowed to run' };
    if (always.get(call.name) === asShown(tool)) return { allowed: true, always: true };
    if (!ask)
      return {
        allowed: false,
        unasked: true,
        reason: 'it needs approval, and there is nobody to ask in this run',
      };
    const answer = await ask(call, tool);
    if (answer.allowed && answer.always) always.set(call.name, asShown(tool));
    return answer;
  };
}

const asShown = (tool: ToolDefinition | undefined) => JSON.stringify(tool ?? null);

/** What the rules say of a tool before anybody is asked. */
export function approvalMode(
  { mode = 'ask', patterns = [], origin }: ApprovalRules,
  name: string,
  tool: ToolDefinition | undefined,
): ApprovalMode {
  const owner = origin?.(name);
  const rule = patterns.findLast(({ pattern }) => names(pattern, name, owner));
  if (rule) return rule.mode;
  const trusted = owner?.settings.trust === true;
  const { readOnlyHint = false, destructiveHint = false } = tool?.annotations ?? {};
  const own = owner?.settings.approval;
  if (own !== undefined) return own === 'auto' && destructiveHint && !trusted ? 'ask' : own;
  return mode === 'ask' && trusted && readOnlyHint && !destructiveHint ? 'auto' : mode;
}

/** A tool's own name may hold a slash, and must not reach over into the server's part of a pattern. */
function names(pattern: string, name: string, owner: ToolOwner | undefined): boolean {
  const slash = pattern.indexOf('/');
  if (slash === -1) return matchesPattern(pattern, name);
  if (!owner) return false;
  return (
    matchesPattern(pattern.slice(0, slash), owner.server) &&
    matchesPattern(pattern.slice(slash + 1), owner.tool)
  );
}

/**
 * Reads `ask`, `auto`, `never` and `PATTERN=MODE`, as the command line and the config file give them.
 *
 * @throws RawcallError `bad_approval`
 */
export function parseApproval(rules: readonly string[]): Pick<ApprovalRules, 'mode' | 'patterns'> {
  let mode: ApprovalMode = 'ask';
  const patterns: { pattern: string; mode: ApprovalMode }[] = [];
  for (const rule of rules) {
    const at = rule.lastIndexOf('=');
    const word = rule.slice(at + 1);
    const known = approvalModes.find(one => one === word);
    if (!known || at === 0) {
      throw new RawcallError(
        'bad_approval',
        `"${rule}" is no approval rule. Write ask, auto, never, or PATTERN=ask|auto|never (such as flag_*=never or files/*=ask).`,
        { rule },
      );
    }
    if (at === -1) mode = known;
    else patterns.push({ pattern: rule.slice(0, at), mode: known });
  }
  return { mode, patterns };
}
