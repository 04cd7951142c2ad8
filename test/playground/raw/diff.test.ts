import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Change, type Diffed, diff } from '../../../src/playground/page/raw/diff.ts';

const tokens = (text: string): Diffed[] =>
  [...text].map(character => ({ key: character, endsLine: character === '\n' }));

/** Removed in square brackets, added in braces. */
function told(before: string, after: string): string {
  return diff(tokens(before), tokens(after))
    .map(change => {
      if (change.kind === 'same') return before.slice(change.before, change.before + change.count);
      const text = change.kind === 'removed' ? before : after;
      const part = text.slice(change.at, change.at + change.count);
      return change.kind === 'removed' ? `[${part}]` : `{${part}}`;
    })
    .join('');
}

test('what goes on is added', () => {
  expect(told('system\nuser\n', 'system\nuser\nreply\nuser\n')).toBe('system\nuser\n{reply\nuser\n}');
});

test('lines in the middle that are gone are removed', () => {
  expect(told('system\ntool a\ntool b\nuser', 'system\nuser')).toBe('system\n[tool a\ntool b\n]user');
});

test('within a line that differs, tokens are compared', () => {
  expect(told('a\nadd 31 and 12 now\nb', 'a\nadd 31 or 12 now\nb')).toBe('a\nadd 31 [and]{or} 12 now\nb');
});

test('what is the same by chance is told as replaced', () => {
  expect(told('abcxdef', 'ghixjkl')).toBe('[abcxdef]{ghixjkl}');
});

test('nothing, and nothing that changed', () => {
  expect(diff([], [])).toEqual([]);
  expect(diff(tokens('a'), tokens('a'))).toEqual([{ kind: 'same', before: 0, after: 0, count: 1 }]);
  expect(told('', 'a')).toBe('{a}');
  expect(told('a', '')).toBe('[a]');
});

test('tens of thousands of tokens that differ all over are told as replaced', () => {
  const many = (from: number) =>
    Array.from({ length: 20_000 }, (_, at) => ({ key: from + at, endsLine: false }));
  expect(diff(many(0), many(100_000))).toEqual([
    { kind: 'removed', at: 0, count: 20_000 },
    { kind: 'added', at: 0, count: 20_000 },
  ]);
});

test('the changes lead from one to the other, in order and without gaps', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 60 });
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const changes = diff(tokens(before), tokens(after));
      const kept = (text: string, place: (change: Change) => number | undefined) => {
        let end = 0;
        for (const change of changes) {
          const at = place(change);
          if (at === undefined) continue;
          expect(at).toBe(end);
          end += change.count;
        }
        expect(end).toBe(text.length);
      };
      kept(before, change =>
        change.kind === 'same' ? change.before : change.kind === 'removed' ? change.at : undefined,
      );
      kept(after, change =>
        change.kind === 'same' ? change.after : change.kind === 'added' ? change.at : undefined,
      );
      for (const change of changes) {
        if (change.kind !== 'same') continue;
        const [left, right] = [change.before, change.after];
        expect(before.slice(left, left + change.count)).toBe(after.slice(right, right + change.count));
      }
      expect(changes.some(({ count }) => count === 0)).toBe(false);
      if (before === after && before !== '') expect(changes).toHaveLength(1);
    }),
  );
});
