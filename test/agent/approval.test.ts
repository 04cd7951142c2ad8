import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ToolAnnotations, ToolDefinition } from '../../parsers/parser.ts';
import {
  type ApprovalMode,
  type ApprovalRules,
  approval,
  approvalMode,
  approvalModes,
  parseApproval,
} from '../../src/agent/approval.ts';

type Hints = Pick<ToolAnnotations, 'readOnlyHint' | 'destructiveHint'>;

function tool(annotations?: Hints): ToolDefinition {
  return { name: 'edit', inputSchema: { type: 'object' }, ...(annotations ? { annotations } : {}) };
}

const ownedBy = (
  settings: { approval?: ApprovalMode; trust?: boolean } = {},
): NonNullable<ApprovalRules['origin']> => {
  return name => ({ server: 'files', tool: name === 'edit' ? 'edit.file' : name, settings });
};

const readOnly = { readOnlyHint: true };
const destructive = { destructiveHint: true };

describe('what decides, the first that says something', () => {
  test.each<[string, ApprovalRules, Hints | undefined, ApprovalMode]>([
    ['nothing is said', {}, undefined, 'ask'],
    ['a general auto runs all', { mode: 'auto', origin: ownedBy() }, destructive, 'auto'],
    ['a general never', { mode: 'never', origin: ownedBy({ trust: true }) }, readOnly, 'never'],
    ['read-only, trusted', { origin: ownedBy({ trust: true }) }, readOnly, 'auto'],
    ['read-only, not trusted', { origin: ownedBy() }, readOnly, 'ask'],
    ['read-only, of no server', {}, readOnly, 'ask'],
    [
      'read-only and destructive',
      { origin: ownedBy({ trust: true }) },
      { ...readOnly, ...destructive },
      'ask',
    ],
    ['auto of the server', { origin: ownedBy({ approval: 'auto' }) }, undefined, 'auto'],
    ['its destructive tool', { origin: ownedBy({ approval: 'auto' }) }, destructive, 'ask'],
    ['not destructive', { origin: ownedBy({ approval: 'auto' }) }, { destructiveHint: false }, 'auto'],
    ['destructive, trusted', { origin: ownedBy({ approval: 'auto', trust: true }) }, destructive, 'auto'],
    [
      'ask of the server',
      { mode: 'auto', origin: ownedBy({ approval: 'ask', trust: true }) },
      readOnly,
      'ask',
    ],
    ['never of the server', { mode: 'auto', origin: ownedBy({ approval: 'never' }) }, undefined, 'never'],
    [
      'a pattern over the server',
      { patterns: [{ pattern: 'ed*', mode: 'auto' }], origin: ownedBy({ approval: 'never' }) },
      destructive,
      'auto',
    ],
    [
      'a pattern over a hint',
      { patterns: [{ pattern: 'edit', mode: 'ask' }], origin: ownedBy({ trust: true }) },
      readOnly,
      'ask',
    ],
  ])('%s', (_what, rules, hints, mode) => expect(approvalMode(rules, 'edit', tool(hints))).toBe(mode));

  test('a server that is not trusted has no hint that spares a question or opens what is closed', () => {
    const hints = fc.record(
      { readOnlyHint: fc.boolean(), destructiveHint: fc.boolean() },
      { requiredKeys: [] },
    );
    const mode = fc.constantFrom(...approvalModes);
    const strictness = (one: ApprovalMode) => ['auto', 'ask', 'never'].indexOf(one);
    fc.assert(
      fc.property(hints, mode, fc.option(mode, { nil: undefined }), (given, general, own) => {
        const rules = { mode: general, origin: ownedBy(own === undefined ? {} : { approval: own }) };
        const without = approvalMode(rules, 'edit', tool());
        const withHints = approvalMode(rules, 'edit', tool(given as Hints));
        expect(strictness(withHints)).toBeGreaterThanOrEqual(strictness(without));
      }),
    );
  });
});

describe('patterns', () => {
  const decide = (pattern: string, origin = ownedBy()) =>
    approvalMode({ mode: 'never', patterns: [{ pattern, mode: 'auto' }], origin }, 'edit', tool());

  test.each([
    ['edit', 'auto'],
    ['e*t', 'auto'],
    ['edit.file', 'never'],
    ['files/edit.file', 'auto'],
    ['files/*', 'auto'],
    ['*/edit.*', 'auto'],
    ['files/edit', 'never'],
    ['other/*', 'never'],
  ])('%j', (pattern, mode) => expect(decide(pattern)).toBe(mode));

  test('the last one that matches decides', () => {
    const patterns = [
      { pattern: 'files/*', mode: 'auto' },
      { pattern: 'edit', mode: 'ask' },
      { pattern: 'files/other', mode: 'never' },
    ] as const;
    expect(approvalMode({ patterns, origin: ownedBy() }, 'edit', tool())).toBe('ask');
  });

  test("a slash in a tool's own name does not reach into the server's part", () => {
    const origin = () => ({ server: 'fi', tool: 'x/files/read', settings: {} });
    expect(decide('fi*files/read', origin)).toBe('never');
    expect(decide('fi/x/files/read', origin)).toBe('auto');
  });
});

describe('asking', () => {
  const call = { id: 'call_1', name: 'edit', arguments: {}, argumentsText: '{}' };

  test('what would be asked is refused where nobody can be asked', async () => {
    expect(await approval({})(call, tool())).toEqual({
      allowed: false,
      unasked: true,
      reason: 'it needs approval, and there is nobody to ask in this run',
    });
  });

  test('"always" is asked once, for that tool alone, and as long as it is the one that was shown', async () => {
    const asked: string[] = [];
    const approve = approval({
      ask: async ({ name }) => {
        asked.push(name);
        return { allowed: true, always: true };
      },
    });
    expect(await approve(call, tool())).toEqual({ allowed: true, always: true });
    expect(await approve(call, tool())).toEqual({ allowed: true, always: true });
    await approve({ ...call, name: 'drop' }, { ...tool(), name: 'drop' });
    expect(asked).toEqual(['edit', 'drop']);
    await approve(call, { ...tool(), description: 'Now it deletes.' });
    expect(asked).toEqual(['edit', 'drop', 'edit']);
  });

  test('a yes without "always" is asked again', async () => {
    let asked = 0;
    const approve = approval({
      ask: async () => {
        asked++;
        return { allowed: true };
      },
    });
    await approve(call, tool());
    await approve(call, tool());
    expect(asked).toBe(2);
  });
});

describe('approval rules as text', () => {
  test('modes and patterns', () => {
    expect(parseApproval(['auto', 'flag_*=never', 'a=b=ask', 'files/read=auto'])).toEqual({
      mode: 'auto',
      patterns: [
        { pattern: 'flag_*', mode: 'never' },
        { pattern: 'a=b', mode: 'ask' },
        { pattern: 'files/read', mode: 'auto' },
      ],
    });
  });

  test.each(['always', 'x=maybe', '=auto', ''])('%j is refused with what may be written', rule => {
    expect(() => parseApproval([rule])).toThrow(/ask, auto, never, or PATTERN/);
  });
});
