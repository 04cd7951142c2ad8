/** Ways to compare a call's arguments with those expected, by the name that a task file gives. */
import type { ToolDefinition } from '../../parsers/parser.ts';
import { bfclMatching } from './bfcl/matching.ts';
import { argumentsMatch } from './match.ts';
import type { ExpectedCall } from './results.ts';
import type { ReadCall } from './task.ts';

/** Whether a call is the expected one; its tool is that already. */
export type Matching = (expected: ExpectedCall, call: ReadCall, tool: ToolDefinition) => boolean;

export const matchings = {
  /** docs/eval.md, "Matchers". */
  matchers: (expected, call, tool) => argumentsMatch(expected.arguments, call.arguments, tool.inputSchema),
  /** The Berkeley Function-Calling Leaderboard's rules, over lists of possible values. */
  bfcl: bfclMatching,
} as const satisfies Record<string, Matching>;

export type MatchingName = keyof typeof matchings;
