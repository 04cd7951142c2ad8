import fc from 'fast-check';
import { expect, test } from 'vitest';
import { directServer } from '../../src/mcp/direct.ts';
import { splitWords } from '../../src/mcp/words.ts';

test.each([
  ['', []],
  ['  a   b ', ['a', 'b']],
  [`--root "my notes" 'it is'`, ['--root', 'my notes', 'it is']],
  [`a"b c"d`, ['ab cd']],
  [`"" ''`, ['', '']],
  ['a\\ b', ['a b']],
  [`"a\\"b\\n"`, ['a"b\\n']],
  [`'a\\'`, ['a\\']],
  ['$HOME *', ['$HOME', '*']],
])('%s', (line, words) => expect(splitWords(line)).toEqual(words));

test('a quote that stays open is an error that says what to do', () => {
  expect(() => splitWords(`a "b c`)).toThrowError(
    expect.objectContaining({
      code: 'bad_mcp_arguments',
      message: 'The arguments "a \\"b c" have an opening " and no closing one. Close it, or write \\".',
    }),
  );
});

test('words in single quotes come back as they are', () => {
  const word = fc.string({ unit: 'grapheme' }).filter(text => !text.includes("'"));
  fc.assert(
    fc.property(fc.array(word), words => {
      expect(splitWords(words.map(text => `'${text}'`).join(' '))).toEqual(words);
    }),
  );
});

test.each([
  ['rawcall', 'mcp-server vault "my notes"', 'vault', ['mcp-server', 'vault', 'my notes']],
  ['npx', '-y @scope/server-files /tmp', 'server-files', ['-y', '@scope/server-files', '/tmp']],
  ['./bin/my server', '', 'my server', []],
])('a server from the command line: %s %s', (command, line, name, args) => {
  expect(directServer(command, line)).toEqual({ name, command, args, env: {} });
});
