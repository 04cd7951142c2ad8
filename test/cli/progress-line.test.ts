/** The line that is replaced, on a terminal and on none. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearProgress, holdProgress, showProgress } from '../../src/cli/progress-line.ts';

const { isTTY, columns } = process.stderr;
let written = '';

beforeEach(() => {
  written = '';
  vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    written += text;
    return true;
  });
  Object.assign(process.stderr, { isTTY: true, columns: 20 });
});
afterEach(() => {
  clearProgress();
  vi.restoreAllMocks();
  Object.assign(process.stderr, { isTTY, columns });
});

const replace = '\r\u001b[2K';

test('each line takes the place of the one before, and is never longer than the terminal is wide', () => {
  showProgress('one');
  showProgress(`two\n\u001b[2J ${'x'.repeat(40)}`);
  expect(written).toBe(`${replace}one${replace}two \\x1b[2J xxxxxxx`);
  clearProgress();
  expect(written.endsWith(replace)).toBe(true);
  const before = written;
  clearProgress();
  expect(written).toBe(before);
});

test('while the user types there is none', () => {
  showProgress('one');
  {
    using _ = holdProgress();
    written = '';
    showProgress('two');
    expect(written).toBe('');
  }
  showProgress('three');
  expect(written).toBe(`${replace}three`);
});

test('a terminal that says it has no columns, and a pipe', () => {
  Object.assign(process.stderr, { columns: 0 });
  showProgress('one');
  expect(written).toBe(`${replace}one`);
  Object.assign(process.stderr, { isTTY: false });
  written = '';
  showProgress('two');
  expect(written).toBe('');
});
