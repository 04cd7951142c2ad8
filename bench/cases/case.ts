/** A case: one completion, its calls, text and thoughts, and how it failed if it did. */
import type { JsonValue, Problem, StopReason } from '../../parsers/parser.ts';
import type { CompletionCase } from '../../src/check/case.ts';
import type { CaseResult } from '../../src/check/check-case.ts';
import { exactValue } from '../../src/check/exact.ts';
import { parseTools } from '../../templates/messages.ts';
import { callWrongs, caseValue, type NamedArguments } from './values.ts';

export interface Case {
  readonly id: string;
  readonly tools: unknown;
  readonly completion: string;
  readonly prefill?: string;
  readonly expected: {
    readonly content: string;
    readonly reasoning: string;
    readonly incomplete: boolean;
    readonly error?: string;
    readonly partial?: { readonly name: string };
    readonly raw_arguments?: string;
  };
}

const problemOf: Readonly<Record<string, Problem>> = {
  truncated: 'truncated',
  bad_json: 'bad_json',
  missing_name: 'missing_name',
  unknown_tool: 'unknown_tool',
  schema: 'bad_arguments',
  non_literal: 'non_literal',
};

export function completionOf({ id, tools, completion, prefill }: Case, reason: StopReason): CompletionCase {
  return {
    id,
    completion: [{ text: completion }],
    inPieces: false,
    tools: parseTools(tools),
    reason,
    ...(prefill === undefined ? {} : { prefill }),
  };
}

export function caseWrongs({ expected }: Case, line: string, { read }: CaseResult): string[] {
  const wrongs: string[] = [];
  const { content, reasoning, incomplete, error, partial, raw_arguments: raw } = expected;
  const same = (what: string, left: unknown, right: unknown) => {
    if (left !== right)
      wrongs.push(`${what}: expected ${JSON.stringify(left)}, read ${JSON.stringify(right)}`);
  };
  same('content', collapsed(content), collapsed(read.content));
  same('reasoning', reasoning.replace(/\s/g, ''), read.reasoning.replace(/\s/g, ''));

  const failed = read.problems.filter(({ index }) => index >= 0);
  const problems = failed.map(({ problem }) => problem);
  // A call that is only not to be run stands among the calls of the case; of its arguments nothing is kept here.
  const refused = failed.filter(({ problem }) => ['unknown_tool', 'bad_arguments'].includes(problem));
  const { calls } = (
    caseValue(line) as unknown as { expected: { calls: (NamedArguments & { raw_arguments?: string })[] } }
  ).expected;
  const attempts = [
    ...read.ended.map(({ index, call }) => ({
      index,
      name: call.name,
      arguments: exactValue(call.argumentsText),
    })),
    ...refused.map(({ index, name = '' }) => ({ index, name, arguments: undefined })),
  ].sort((left, right) => left.index - right.index);
  const refusedNames = refused.map(({ name }) => name);
  wrongs.push(
    ...callWrongs(
      calls.map(call => (refusedNames.includes(call.name) ? { ...call, arguments: null } : call)),
      attempts.map(
        ({ name, arguments: args }): NamedArguments => ({ name, arguments: (args ?? null) as JsonValue }),
      ),
    ),
  );
  if (error !== undefined && !problems.includes(problemOf[error] as Problem))
    same('error', error, problems.join());
  if (error === undefined && problems.length > 0) same('error', undefined, problems.join());

  const unclosed =
    read.problems.some(({ problem }) => problem === 'unclosed_reasoning') && read.ended.length === 0;
  same('incomplete', incomplete, unclosed || problems.includes('truncated'));
  if (partial)
    same('partial name', partial.name, failed.find(({ problem }) => problem === 'truncated')?.name);
  const texts = [raw, ...calls.map(call => call.raw_arguments)].filter(text => text !== undefined);
  for (const text of texts)
    if (!read.ended.some(({ call }) => spaceless(call.argumentsText) === spaceless(text)))
      wrongs.push(
        `arguments' text: expected ${text}, read ${read.ended.map(({ call }) => call.argumentsText)}`,
      );
  return wrongs;
}

const collapsed = (text: string) => text.replace(/\s+/g, ' ').trim();
const spaceless = (json: string) =>
  json.replace(/"(?:[^"\\]|\\.)*"|\s+/g, token => (token.startsWith('"') ? token : ''));
