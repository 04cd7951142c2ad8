import { describe, expect, test } from 'vitest';
import { type ApprovalRules, approval, parseApproval } from '../../src/agent/approval.ts';
import { clock, weather } from './harness.ts';

const allowed = async (rules: ApprovalRules, tool: typeof weather) => {
  const call = { id: 'call_1', name: tool.name, arguments: {}, argumentsText: '{}' };
  return approval({ ask: async () => ({ allowed: false, reason: 'asked' }), ...rules })(call, tool);
};

describe('approval', () => {
  test('asks by default, but not for what is marked read-only', async () => {
    expect(await allowed({}, weather)).toEqual({ allowed: false, reason: 'asked' });
    expect(await allowed({}, clock)).toEqual({ allowed: true });
  });

  test('auto runs everything, never refuses everything', async () => {
    expect(await allowed({ mode: 'auto' }, weather)).toEqual({ allowed: true });
    expect(await allowed({ mode: 'never' }, clock)).toMatchObject({ allowed: false });
  });

  test('the last pattern that matches wins over the mode, and over the hint', async () => {
    const patterns = [
      { pattern: 'get_*', mode: 'auto' },
      { pattern: '*_time', mode: 'ask' },
    ] as const;
    expect(await allowed({ patterns, mode: 'never' }, weather)).toEqual({ allowed: true });
    expect(await allowed({ patterns }, clock)).toEqual({ allowed: false, reason: 'asked' });
  });

  test('a pattern is literal but for its stars', async () => {
    expect(await allowed({ patterns: [{ pattern: 'get.weather', mode: 'auto' }] }, weather)).toMatchObject({
      allowed: false,
    });
  });

  test('what would be asked is refused where nobody can be asked', async () => {
    const call = { id: 'call_1', name: 'x', arguments: {}, argumentsText: '{}' };
    expect(await approval({})(call, weather)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('nobody'),
    });
  });
});

describe('approval rules as text', () => {
  test('modes and patterns', () => {
    expect(parseApproval(['auto', 'flag_*=never', 'a=b=ask'])).toEqual({
      mode: 'auto',
      patterns: [
        { pattern: 'flag_*', mode: 'never' },
        { pattern: 'a=b', mode: 'ask' },
      ],
    });
  });

  test.each(['always', 'x=maybe', '=auto', ''])('%j is refused with what may be written', rule => {
    expect(() => parseApproval([rule])).toThrow(/ask, auto, never, or PATTERN/);
  });
});
