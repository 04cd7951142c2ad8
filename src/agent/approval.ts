/** Who may run: a mode for all tools, and patterns that change it for some. */
import { RawcallError } from '../../parsers/error.ts';
import type { ToolCall, ToolDefinition } from '../../parsers/parser.ts';

/**
 * `auto` runs, `never` refuses, `ask` asks the user, but for tools that their server marks read-only. A hint comes from the
 * server, so it saves a question and never opens what a pattern closed.
 */
export const approvalModes = ['ask', 'auto', 'never'] as const;
export type ApprovalMode = (typeof approvalModes)[number];

export interface ApprovalAnswer {
  readonly allowed: boolean;
  /** Told to the model with a refusal. */
  readonly reason?: string;
}

export type Approve = (call: ToolCall, tool: ToolDefinition | undefined) => Promise<ApprovalAnswer>;

export interface ApprovalRules {
  /** Default `ask`. */
  readonly mode?: ApprovalMode;
  /** The last pattern that matches a tool's name wins; `*` stands for any characters. */
  readonly patterns?: readonly { readonly pattern: string; readonly mode: ApprovalMode }[];
  /** Asks the user. Absent: what would be asked is refused. */
  readonly ask?: Approve;
}

export function approval({ mode = 'ask', patterns = [], ask }: ApprovalRules): Approve {
  return async (call, tool) => {
    const rule = patterns.findLast(({ pattern }) => matches(pattern, call.name));
    const decided = rule?.mode ?? mode;
    if (decided === 'auto') return { allowed: true };
    if (decided === 'never') return { allowed: false, reason: 'this tool is not allowed to run' };
    if (rule === undefined && tool?.annotations?.readOnlyHint === true) return { allowed: true };
    return ask ? ask(call, tool) : { allowed: false, reason: 'there was nobody to ask for approval' };
  };
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
        `"${rule}" is no approval rule. Write ask, auto, never, or PATTERN=ask|auto|never (such as flag_*=never).`,
        { rule },
      );
    }
    if (at === -1) mode = known;
    else patterns.push({ pattern: rule.slice(0, at), mode: known });
  }
  return { mode, patterns };
}

function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name);
}
