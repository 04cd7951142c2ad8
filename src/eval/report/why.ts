/** Why a sample is not what its task asks for, in words. */
import type { CallMade, Expected, Sample } from '../results.ts';

/** Undefined: nothing is wrong with it. */
export function whyNot({ scores, error, expected, calls }: Sample): string | undefined {
  if (error) return `it broke off: ${error.message}`;
  const reasons = [...callReasons(expected, calls, scores)];
  if (scores.answerHolds === false) reasons.push('the answer lacks what it must hold');
  if (scores.empty) reasons.push('there is no answer');
  return scores.right && scores.answerHolds !== false ? undefined : reasons.join('; ') || 'not right';
}

function* callReasons(
  expected: Expected,
  calls: readonly CallMade[],
  scores: Sample['scores'],
): Generator<string> {
  if (scores.right) return;
  const called = toolNames(calls);
  if (!scores.decisionRight) yield expected.call ? 'no call' : `called ${called}, where no tool is needed`;
  else if (scores.toolsRight === false)
    yield `called ${called} instead of ${[...new Set(expected.calls.map(({ tool }) => tool))].join(', ')}`;
  else if (scores.argumentsRight === false) yield `called ${called} with other arguments`;
  else if (calls.some(({ problem }) => problem))
    yield `called ${called}, which could not be read: ${problems(calls)}`;
  else if (scores.needless > 0) yield `called ${called}, and more than was asked for`;
  else yield `called ${called}, and not all that was asked for`;
}

function toolNames(calls: readonly CallMade[]): string {
  return [...new Set(calls.map(({ tool }) => tool || 'a tool without a name'))].join(', ') || 'nothing';
}

function problems(calls: readonly CallMade[]): string {
  return [...new Set(calls.flatMap(({ problem }) => (problem === undefined ? [] : [problem])))].join(', ');
}
