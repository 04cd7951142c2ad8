/** How a command ends: exit codes, and errors as one line for people. */
import { CommanderError } from 'commander';
import { RawcallError } from '../../parsers/error.ts';
import type { RunReason } from '../agent/events.ts';
import { nextCommand } from './next-command.ts';

export const exitCodes = { answered: 0, error: 1, usage: 2, limit: 3, interrupted: 130 } as const;

const reasonCodes = {
  answered: exitCodes.answered,
  no_answer: exitCodes.limit,
  round_limit: exitCodes.limit,
  length: exitCodes.limit,
  repetition: exitCodes.limit,
  limit: exitCodes.limit,
  calls: exitCodes.answered,
  aborted: exitCodes.interrupted,
} satisfies Record<RunReason, number>;

export function exitCodeOf(reason: RunReason): number {
  return reasonCodes[reason];
}

/** What the user asked for cannot be meant: a flag, a config file, a rule. */
const usageErrors = new Set([
  'usage',
  'bad_config',
  'bad_approval',
  'bad_catalog',
  'bad_bfcl_file',
  'no_bfcl_files',
  'bad_case',
  'bad_case_file',
  'bad_endpoint',
  'bad_matrix',
  'bad_results',
  'bad_tasks',
  'nothing_to_compare',
  'other_results',
  'bad_format',
  'bad_pattern',
  'unknown_format',
  'unknown_model',
  'bad_mcp_config',
  'bad_mcp_arguments',
  'model_exists',
  'other_model',
  'model_not_here',
  'not_offered',
  'unknown_mcp_server',
  'bad_mcp_server_arguments',
]);

export function usageError(message: string): RawcallError {
  return new RawcallError('usage', message);
}

/** Tells what went wrong on stderr and gives the exit code. */
export function reportError(error: unknown): number {
  // Commander has printed its own message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  process.stderr.write(`rawcall: ${error instanceof Error ? error.message : String(error)}\n`);
  const next = RawcallError.isInstance(error) ? nextCommand(error) : undefined;
  if (next !== undefined) process.stderr.write(`Next: ${next}\n`);
  if (process.env.RAWCALL_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return RawcallError.isInstance(error) && usageErrors.has(error.code) ? exitCodes.usage : exitCodes.error;
}
