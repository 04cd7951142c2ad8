/** What came of a question, by the leaderboard's rules. */
import type { BfclCall, BfclExpected } from '../../src/eval/bfcl/checker.ts';
import { checkCalls } from '../../src/eval/bfcl/checker.ts';
import { isDict, parsePython } from '../../src/eval/bfcl/python.ts';
import type { BfclCategory, BfclQuestion } from '../../src/eval/bfcl/questions.ts';
import { safeName } from '../../src/mcp/names.ts';
import type { ArmName, AskedQuestion, MadeCall, Reply } from './arm.ts';

/** One line of what is kept. */
export interface Judged extends Reply {
  readonly arm: ArmName;
  readonly question: string;
  readonly category: BfclCategory;
  /** The calls of the first turn are those expected. */
  readonly right: boolean;
  /** The calls of all turns together are, the same call made again counted once. */
  readonly rightInRounds: boolean;
  /** What is wrong with the first turn's calls, and with all of them. */
  readonly why?: string;
  readonly whyInRounds?: string;
  readonly expected: unknown;
}

export function judge(
  arm: ArmName,
  question: BfclQuestion,
  reply: Reply,
  ownName: (name: string) => string,
): Judged {
  const { id, category, tools, expected } = question;
  const made = reply.turns.map(({ calls }) => calls.map(call => bfclCall(call, ownName)));
  const written = reply.turns.map(({ calls }) => calls.map(call => `${call.name} ${call.arguments}`));
  const all = made.flatMap((calls, turn) => {
    const before = written.slice(0, turn).flat();
    return calls.filter((_, index) => !before.includes(written[turn]?.[index] ?? ''));
  });
  const why = checkCalls(tools, made[0] ?? [], expected);
  const whyInRounds = checkCalls(tools, all, expected);
  return {
    arm,
    question: id,
    category,
    right: why === undefined,
    rightInRounds: whyInRounds === undefined,
    ...(why === undefined ? {} : { why }),
    ...(whyInRounds === undefined ? {} : { whyInRounds }),
    ...reply,
    expected: expected.map(plainExpected),
  };
}

function bfclCall(call: MadeCall, ownName: (name: string) => string): BfclCall {
  const args = parsePython(call.arguments);
  return { name: ownName(call.name), arguments: isDict(args) ? args : new Map() };
}

/** For whoever reads the lines. */
function plainExpected({ name, arguments: args }: BfclExpected): unknown {
  return { [name]: Object.fromEntries(args) };
}

/** The question under names that every way takes, and the way back. */
export function withSafeNames({ id, messages, tools }: BfclQuestion): {
  asked: AskedQuestion;
  ownName: (name: string) => string;
} {
  const own = new Map(tools.map(({ name }) => [safeName(name), name]));
  return {
    asked: { id, messages, tools: tools.map(tool => ({ ...tool, name: safeName(tool.name) })) },
    ownName: name => own.get(name) ?? name,
  };
}
